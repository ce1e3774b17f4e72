/**
 * Verifies a delivery: a photo is delivered once the server proved that it holds the original (prove.ts), or its copy was read back
 * and equals the original byte for byte. Size and sha256, if the server reports them [ours], are compared first; the bytes decide.
 */
import { createHash } from 'node:crypto';
import type { PhotoReceipt } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Attachment, NearMissAttachment } from '../../contract/rest/attachments.ts';
import { byteAddress } from '../http/address.ts';
import type { Clock } from '../lib/clock.ts';
import { giveBack } from '../../disk/release-buffer.ts';
import { HEAD_BYTES } from '../../contract/file-type.ts';
import { looksLikeHtml, problemOfBytes, problemOfStatus } from '../http/reply.ts';
import { readAnswer, type Api, type Target } from '../http/request.ts';
import type { Incoming, Transport } from '../http/http-client.ts';
import { type Challenge, isProof } from './prove.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

export interface ReadParts {
  readonly api: Api;
  readonly transport: Transport;
  readonly clock: Clock;
}

export interface Place {
  readonly project_id: number;
  readonly near_miss_id: number;
}

/** The record has no such photo, or other bytes: it must be sent again. */
export const notThere = (status: number, message: string): Result<never> =>
  fail({ kind: 'gone', status, messages: [message] });

export const attachmentsOf = async (
  parts: ReadParts,
  target: Target,
  place: Place,
  signal?: AbortSignal,
): Promise<Result<readonly NearMissAttachment[]>> => {
  const params = { project_id: place.project_id, id: place.near_miss_id };
  const active = await parts.api.call(target, 'near_misses.show', { params }, signal);
  if (active.ok) return ok(active.value.data.attachments ?? []);
  if (active.problem.kind !== 'gone') return active;
  const recycled = await parts.api.call(target, 'recycled_near_misses.show', { params }, signal);
  return recycled.ok ? ok(recycled.value.data.attachments ?? []) : active;
};

/** Bytes `from` (inclusive) to `to` (exclusive). */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Opens an address for bytes that the server gave. It is signed, so it gets no Authorization. Only if the server's own
 * host refuses is the request repeated with the user's token; another host never gets it. For a part, `use` gets the
 * part (206), or the whole from a server without ranges.
 */
export const openBytes = async <T>(
  parts: ReadParts,
  target: Target,
  given: string | null | undefined,
  weight: number,
  use: (incoming: Incoming) => Promise<Result<T>>,
  {
    signal,
    part,
    challenge = {},
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly part?: Part;
    /** Headers that ask for a proof in place of the bytes. */
    readonly challenge?: Challenge['headers'];
  } = {},
): Promise<Result<T>> => {
  const url = given ? byteAddress(given, target.base) : null;
  if (!url)
    return fail({
      kind: 'broken_reply',
      status: 200,
      looks_like: 'wrong_shape',
      detail: 'the photo has no address to read it from',
    });
  const range: Record<string, string> =
    part === undefined ? {} : { range: `bytes=${part.from}-${part.to - 1}` };
  const own = url.origin === new URL(target.base).origin;
  // Another host's 401 says nothing about the user's token.
  const problemOf = own ? problemOfStatus : problemOfBytes;
  const ask = (headers: Record<string, string>) =>
    parts.transport.exchange(
      {
        method: 'GET',
        url: url.href,
        headers: { ...range, ...challenge, ...headers },
        weight,
        signal,
      },
      async (incoming) => {
        if (incoming.status === 200 || (part && incoming.status === 206)) return use(incoming);
        const answer = await readAnswer(incoming, 256 * 1024);
        if (!answer.ok) return answer;
        const { status } = incoming;
        if (status > 200 && status < 300)
          return notThere(status, 'the server gave only a part of the photo');
        return fail(problemOf(answer.value, parts.clock.now()));
      },
    );
  const open = await ask({});
  if (open.ok) return open;
  const { problem } = open;
  const wantsName =
    problem.kind === 'signed_out' || (problem.kind === 'refused' && problem.status === 403);
  if (!own || !wantsName) return open;
  return ask({
    authorization: `Bearer ${target.token}`,
    'service-company-id': String(target.company_id),
  });
};

/** The state of reading the server's copy, over several connections if it is cut. */
const createReading = () => {
  let hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  return {
    take: (chunk: Uint8Array): void => {
      hash.update(chunk);
      size += chunk.byteLength;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    },
    /** Restarts from the first byte, for a server without ranges. */
    beginAnew: (): void => {
      hash = createHash('sha256');
      head = Buffer.alloc(0);
      size = 0;
    },
    size: () => size,
    head: () => head.toString('latin1'),
    sha256: () => hash.digest('hex'),
  };
};
type Reading = ReturnType<typeof createReading>;

const tooLong = (problem: Problem): boolean =>
  problem.kind === 'broken_reply' && problem.looks_like === 'too_large';

/**
 * True if a truncated answer can be detected. Without a length or chunked encoding (HTTP/1.0) it ends like a complete
 * one.
 */
const hasDeclaredEnd = ({ header }: Incoming): boolean =>
  header('content-length') !== null || header('transfer-encoding') !== null;

/** Reads what one connection delivers. */
const readOn = async (
  incoming: Incoming,
  photo: SpooledPhoto,
  reading: Reading,
  heard: (bytes: number) => void,
): Promise<Result<null>> => {
  const from = reading.size();
  const goesOn = incoming.header('content-range')?.startsWith(`bytes ${from}-`) === true;
  // Bytes from another offset prove nothing about the server's copy, so they are not used.
  if (incoming.status === 206 && !goesOn)
    return fail({
      kind: 'broken_reply',
      status: 206,
      looks_like: 'wrong_shape',
      detail: 'another part than was asked for',
    });
  if (from > 0 && incoming.status !== 206) reading.beginAnew();
  const read = await incoming.read(photo.size - reading.size() + 64 * 1024, (chunk) => {
    reading.take(chunk);
    heard(reading.size());
    giveBack(chunk);
  });
  if (!read.ok)
    return tooLong(read.problem)
      ? notThere(200, 'the server holds more bytes than the original has')
      : read;
  if (reading.size() === photo.size && reading.sha256() === photo.sha256) return ok(null);
  if (looksLikeHtml(incoming.header('content-type'), reading.head()))
    return fail({
      kind: 'broken_reply',
      status: 200,
      looks_like: 'html',
      detail: 'an HTML page',
    });
  if (reading.size() < photo.size && !hasDeclaredEnd(incoming))
    return fail({
      kind: 'broken_reply',
      status: incoming.status,
      looks_like: 'truncated',
      detail: `${reading.size()} of ${photo.size} bytes, and no word of how many there are`,
    });
  return notThere(
    200,
    `the server holds other bytes than the original (${reading.size()} of ${photo.size})`,
  );
};

/** The least progress of a connection for another one to resume after a cut. */
const WORTH_GOING_ON = 256 * 1024;

const wasCut = (problem: Problem): boolean =>
  (problem.kind === 'broken_reply' && problem.looks_like === 'truncated') ||
  (problem.kind === 'offline' && problem.reason === 'reset');

/**
 * Reads the server's copy and compares it; `gone` if it differs. Nothing is kept in memory. A cut connection is resumed
 * where it stopped, because a film would never arrive whole over a line that holds for a second. The first request may ask for a
 * proof: it counts only if it is right, and else the bytes decide.
 * @returns how the copy was verified
 */
const compareBytes = async (
  parts: ReadParts,
  { target, photo, heard, signal, challenge }: ReadJob,
  attachment: Attachment,
): Promise<Result<'bytes' | 'proof'>> => {
  const reading = createReading();
  heard(0);
  for (let asked = challenge(); ; asked = null) {
    const from = reading.size();
    const part = from === 0 ? {} : { part: { from, to: photo.size } };
    const left = photo.size - from;
    let refuted = false;
    const take = async (incoming: Incoming): Promise<Result<'bytes' | 'proof'>> => {
      if (asked === null || !isProof(incoming)) {
        const read = await readOn(incoming, photo, reading, heard);
        return read.ok ? ok('bytes') : read;
      }
      const met = await asked.meets(incoming);
      refuted = met.ok && !met.value;
      if (met.ok && met.value) heard(photo.size);
      return met.ok ? ok('proof') : met;
    };
    const options = { signal, ...part, ...(asked && { challenge: asked.headers }) };
    const read = await openBytes(parts, target, attachment.url, left, take, options);
    // A line that holds for less time than a proof takes still brings the bytes, part by part.
    if (refuted || (asked !== null && !read.ok && wasCut(read.problem))) continue;
    if (read.ok || !wasCut(read.problem) || reading.size() - from < WORTH_GOING_ON) return read;
  }
};

/** The attachments of our upload; if the server does not report uploads, those that match by size or name. */
const candidates = (
  all: readonly NearMissAttachment[],
  photo: SpooledPhoto,
  uploadUuid: string | null,
): readonly NearMissAttachment[] => {
  const ours = all.filter((one) => uploadUuid !== null && one.upload_uuid === uploadUuid);
  if (ours.length > 0) return ours;
  return all.filter(
    (one) =>
      !one.upload_uuid &&
      (one.size === undefined || one.size === null || one.size === photo.size) &&
      (!one.filename || one.filename === photo.filename || one.size === photo.size),
  );
};

/** Reported values must not contradict the original; missing ones are ignored. */
const checkStated = (
  { size, sha256 }: Pick<NearMissAttachment, 'size' | 'sha256'>,
  photo: SpooledPhoto,
): Result<null> => {
  if (size !== undefined && size !== null && size !== photo.size)
    return notThere(200, `the server tells ${size} bytes, the original has ${photo.size}`);
  if (sha256 && sha256.toLowerCase() !== photo.sha256)
    return notThere(200, 'the server tells another sha256 than the original has');
  return ok(null);
};

/** A photo to verify on the server, and the reader's context. */
export interface ReadJob {
  readonly photo: SpooledPhoto;
  readonly target: Target;
  readonly heard: (bytes: number) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** A new challenge for the server; null if its bytes are to be read back. */
  readonly challenge: () => Challenge | null;
}

/**
 * The receipt of the first equal attachment; `gone` if none is. @param none the message if there is nothing to compare
 */
export const readBack = async (
  parts: ReadParts,
  job: ReadJob,
  all: readonly (Attachment & Pick<NearMissAttachment, 'size' | 'sha256'>)[],
  none: string,
): Promise<Result<PhotoReceipt>> => {
  const { photo, now } = job;
  let last: Result<never> = notThere(404, none);
  for (const one of all) {
    const agrees = checkStated(one, photo);
    const equal = agrees.ok ? await compareBytes(parts, job, one) : agrees;
    if (equal.ok)
      return ok({
        photo_id: photo.photo_id,
        attachment_id: one.id,
        checked: equal.value,
        filename: one.filename ?? photo.filename,
        size: photo.size,
        sha256: photo.sha256,
        checked_at: now(),
      });
    last = equal;
    if (equal.problem.kind !== 'gone') return equal; // offline, portal: nothing is known yet
  }
  return last;
};

/**
 * Compares the server's copy with the original.
 * @returns the receipt
 */
export const verifyPhoto = async (
  parts: ReadParts,
  job: ReadJob & { readonly place: Place; readonly upload_uuid: string | null },
): Promise<Result<PhotoReceipt>> => {
  const all = await attachmentsOf(parts, job.target, job.place, job.signal);
  if (!all.ok) return all;
  const ours = candidates(all.value, job.photo, job.upload_uuid);
  return readBack(parts, job, ours, 'the near miss has no such photo');
};

/**
 * The receipt: a photo is delivered when the server's own copy was read back and is equal, byte for byte, to the
 * original. Size and sha256 as the server tells them [ours] are compared first; the bytes decide. A server that tells
 * neither is believed by its bytes alone.
 */
import { createHash } from 'node:crypto';
import type { PhotoReceipt } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Attachment, NearMissAttachment } from '../../contract/rest/attachments.ts';
import { byteAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import { giveBack } from '../../disk/spent.ts';
import { HEAD_BYTES } from '../../contract/file-type.ts';
import { looksLikeHtml, problemOfStatus } from '../reply.ts';
import { readAnswer, type Api, type Target } from '../request.ts';
import type { Incoming, Transport } from '../transport.ts';
import type { SpooledPhoto } from './spooled.ts';

export interface ReadParts {
  readonly api: Api;
  readonly transport: Transport;
  readonly clock: Clock;
}

export interface Place {
  readonly project_id: number;
  readonly near_miss_id: number;
}

/** The record holds no such photo, or other bytes: to be sent again. */
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

/** Bytes `from` up to, but not with, `to`. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Opens an address the server gave for bytes. It is signed, so no Authorization goes with it; only where the server
 * itself refuses that is it asked once more as the user, and never another host. Asked for a part, `use` gets the part (206) or,
 * of a server that gives none, the whole.
 */
export const openBytes = async <T>(
  parts: ReadParts,
  target: Target,
  given: string | null | undefined,
  weight: number,
  use: (incoming: Incoming) => Promise<Result<T>>,
  { signal, part }: { readonly signal?: AbortSignal | undefined; readonly part?: Part } = {},
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
  const ask = (headers: Record<string, string>) =>
    parts.transport.exchange(
      { method: 'GET', url: url.href, headers: { ...range, ...headers }, weight, signal },
      async (incoming) => {
        if (incoming.status === 200 || (part && incoming.status === 206)) return use(incoming);
        const answer = await readAnswer(incoming, 256 * 1024);
        if (!answer.ok) return answer;
        const { status } = incoming;
        if (status > 200 && status < 300)
          return notThere(status, 'the server gave only a part of the photo');
        return fail(problemOfStatus(answer.value, parts.clock.now()));
      },
    );
  const open = await ask({});
  if (open.ok) return open;
  const { problem } = open;
  const own = url.origin === new URL(target.base).origin;
  const wantsName =
    problem.kind === 'signed_out' || (problem.kind === 'refused' && problem.status === 403);
  // Another host's 401 says nothing of the user's token.
  if (!own && problem.kind === 'signed_out')
    return fail({ kind: 'refused', status: 401, messages: [problem.detail], fields: {} });
  if (!own || !wantsName) return open;
  return ask({
    authorization: `Bearer ${target.token}`,
    'service-company-id': String(target.company_id),
  });
};

/** The server's copy as far as it was read: over several connections, where a line cuts them. */
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
    /** From the first byte, of a server that gives no parts. */
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

/** Without a length and without pieces that say which is the last (HTTP/1.0) an answer that breaks off ends as a whole one does. */
const tellsItsEnd = ({ header }: Incoming): boolean =>
  header('content-length') !== null || header('transfer-encoding') !== null;

/** What came over one connection, as far as it held. */
const readOn = async (
  incoming: Incoming,
  photo: SpooledPhoto,
  reading: Reading,
  heard: (bytes: number) => void,
): Promise<Result<null>> => {
  const from = reading.size();
  const goesOn = incoming.header('content-range')?.startsWith(`bytes ${from}-`) === true;
  // Bytes from elsewhere prove nothing of the server's copy: they are read anew.
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
  if (reading.size() < photo.size && !tellsItsEnd(incoming))
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

/** Bytes that a connection must have brought, for another to go on where it was cut: an end that comes nearer. */
const WORTH_GOING_ON = 256 * 1024;

const wasCut = (problem: Problem): boolean =>
  (problem.kind === 'broken_reply' && problem.looks_like === 'truncated') ||
  (problem.kind === 'offline' && problem.reason === 'reset');

/**
 * Reads the server's copy and compares it; `gone` where it is another. Nothing is kept in memory. A connection that is cut is followed by another from where it
 * stopped: a film would never come whole over a line that holds for a second.
 */
const compareBytes = async (
  parts: ReadParts,
  target: Target,
  photo: SpooledPhoto,
  attachment: Attachment,
  heard: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Result<null>> => {
  const reading = createReading();
  for (;;) {
    const from = reading.size();
    const part = from === 0 ? {} : { part: { from, to: photo.size } };
    const left = photo.size - from;
    const take = (incoming: Incoming) => readOn(incoming, photo, reading, heard);
    const read = await openBytes(parts, target, attachment.url, left, take, { signal, ...part });
    if (read.ok || !wasCut(read.problem) || reading.size() - from < WORTH_GOING_ON) return read;
  }
};

/** Ours by its upload; on a server that does not tell the upload, those that may be ours by size or name. */
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

/** What the server tells must not contradict the original; what it does not tell says nothing. */
const told = (
  { size, sha256 }: Pick<NearMissAttachment, 'size' | 'sha256'>,
  photo: SpooledPhoto,
): Result<null> => {
  if (size !== undefined && size !== null && size !== photo.size)
    return notThere(200, `the server tells ${size} bytes, the original has ${photo.size}`);
  if (sha256 && sha256.toLowerCase() !== photo.sha256)
    return notThere(200, 'the server tells another sha256 than the original has');
  return ok(null);
};

/** A photo that is to be found equal on the server, and who reads. */
export interface ReadJob {
  readonly photo: SpooledPhoto;
  readonly target: Target;
  readonly heard: (bytes: number) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The receipt of the first that is equal; `gone` where none is. @param none what is said where there is none to compare */
export const readBack = async (
  parts: ReadParts,
  { photo, target, heard, now, signal }: ReadJob,
  all: readonly (Attachment & Pick<NearMissAttachment, 'size' | 'sha256'>)[],
  none: string,
): Promise<Result<PhotoReceipt>> => {
  let last: Result<never> = notThere(404, none);
  for (const one of all) {
    const agrees = told(one, photo);
    const equal = agrees.ok ? await compareBytes(parts, target, photo, one, heard, signal) : agrees;
    if (equal.ok)
      return ok({
        photo_id: photo.photo_id,
        attachment_id: one.id,
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

/** Compares the server's copy with the original; answers the receipt. */
export const verifyPhoto = async (
  parts: ReadParts,
  job: ReadJob & { readonly place: Place; readonly upload_uuid: string | null },
): Promise<Result<PhotoReceipt>> => {
  const all = await attachmentsOf(parts, job.target, job.place, job.signal);
  if (!all.ok) return all;
  const ours = candidates(all.value, job.photo, job.upload_uuid);
  return readBack(parts, job, ours, 'the near miss has no such photo');
};

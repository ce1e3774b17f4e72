/**
 * Puts bytes where an upload's answer said: one segment (decisions §5.2) or one form post (§5.5). These addresses are
 * not the API: no Authorization goes with them, redirects are not followed, and an HTML page is no success.
 */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Segment, Upload } from '../../contract/rest/uploads.ts';
import { byteAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import { looksLikeHtml, problemOfStatus } from '../reply.ts';
import { readAnswer } from '../request.ts';
import type { Outgoing, Transport } from '../transport.ts';
import type { SegmentHash } from './hash.ts';
import type { Link } from './layout.ts';
import type { Spool } from './spool.ts';
import type { SpooledPhoto } from './spooled.ts';

export interface SendParts {
  readonly transport: Transport;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly link: Link;
}

const ANSWER_MAX = 256 * 1024;

const wrongShape = (detail: string): Result<never> =>
  fail({ kind: 'broken_reply', status: 200, looks_like: 'wrong_shape', detail });

/** Sends and judges; the answer's ETag where it is a success. */
const deliver = (parts: SendParts, outgoing: Outgoing): Promise<Result<string | null>> =>
  parts.transport.exchange({ ...outgoing, bulk: true }, async (incoming) => {
    const answer = await readAnswer(incoming, ANSWER_MAX);
    if (!answer.ok) return answer;
    const { status, text, header } = answer.value;
    if (status < 200 || status > 299) {
      const problem = problemOfStatus(answer.value, parts.clock.now());
      // Not the API: a 401 here says nothing of the user's token.
      if (problem.kind !== 'signed_out') return fail(problem);
      return fail({ kind: 'refused', status, messages: [problem.detail], fields: {} });
    }
    if (looksLikeHtml(header('content-type'), text))
      return fail({ kind: 'broken_reply', status, looks_like: 'html', detail: 'an HTML page' });
    return ok(header('etag'));
  });

const unquoted = (etag: string): string => etag.replace(/^(W\/)?"|"$/g, '');

/** Headers as told, without those that would carry our name or another's to where bytes go. */
const givenHeaders = (given: Segment['headers']): Record<string, string> => {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    const lower = name.toLowerCase();
    if (['authorization', 'cookie', 'host', 'connection', 'transfer-encoding'].includes(lower))
      continue;
    out[lower] = value;
  }
  return out;
};

/** One segment's bytes. Answers its etag without quotes. */
export const putSegment = async (
  parts: SendParts,
  photo: SpooledPhoto,
  at: {
    readonly index: number;
    readonly hash: SegmentHash;
    readonly told: Segment;
    readonly base: string;
  },
  signal: AbortSignal,
): Promise<Result<string>> => {
  const { index, hash, told, base } = at;
  const url = byteAddress(told.url ?? '', base);
  if (!told.url || !url) return wrongShape('the address of a segment is none to send to');
  const offset = index * photo.segment_size;
  // From the first byte: the wait for a free place is not the link's.
  let begun = parts.clock.monotonic();
  const sent = await deliver(parts, {
    method: 'PUT',
    url: url.href,
    headers: { ...givenHeaders(told.headers), 'content-length': String(hash.size) },
    body: () => {
      begun = parts.clock.monotonic();
      return parts.spool.stream(photo, offset, hash.size);
    },
    weight: hash.size,
    signal,
  });
  if (!sent.ok) return sent;
  parts.link.measured(hash.size, parts.clock.monotonic() - begun);
  return ok(sent.value === null ? hash.md5 : unquoted(sent.value));
};

const quoted = (text: string): string =>
  text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

async function* formBody(head: Buffer, file: AsyncIterable<Uint8Array>, tail: Buffer) {
  yield head;
  yield* file;
  yield tail;
}

/** The whole file as one form post: every field as it was given, the file last, its length known beforehand. */
export const postForm = async (
  parts: SendParts,
  photo: SpooledPhoto,
  upload: Upload,
  base: string,
  signal: AbortSignal,
): Promise<Result<null>> => {
  const url = byteAddress(upload.url ?? '', base);
  if (!upload.url || !url) return wrongShape('the address of the form post is none to send to');
  const boundary = `spotter-${randomBytes(18).toString('hex')}`;
  const fields = Object.entries(upload.fields ?? {}).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${fields.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; ` +
      `filename="${quoted(photo.filename)}"\r\ncontent-type: ${photo.content_type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const sent = await deliver(parts, {
    method: 'POST',
    url: url.href,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + photo.size + tail.length),
    },
    body: () => formBody(head, parts.spool.stream(photo, 0, photo.size), tail),
    weight: photo.size,
    signal,
  });
  return sent.ok ? ok(null) : sent;
};

/**
 * Sends bytes to the address of an upload: one segment (decisions §5.2) or one form post (§5.5). These addresses are
 * not the API: no Authorization is sent, redirects are not followed, and an HTML page is not a success.
 */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Segment, Upload } from '../../contract/rest/uploads.ts';
import { byteAddress } from '../http/address.ts';
import type { Clock } from '../lib/clock.ts';
import { looksLikeHtml, problemOfBytes } from '../http/reply.ts';
import { readAnswer } from '../http/request.ts';
import type { Outgoing, Transport } from '../http/http-client.ts';
import type { SegmentHash } from './hash.ts';
import type { Link } from './segment-size.ts';
import type { Spool } from './spool/spool-types.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

export interface SendParts {
  readonly transport: Transport;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly link: Link;
}

const ANSWER_MAX = 256 * 1024;

const wrongShape = (detail: string): Result<never> =>
  fail({ kind: 'broken_reply', status: 200, looks_like: 'wrong_shape', detail });

/** Sends a request and classifies the answer; returns its ETag on success. */
const deliver = (parts: SendParts, outgoing: Outgoing): Promise<Result<string | null>> =>
  parts.transport.exchange({ ...outgoing, bulk: true }, async (incoming) => {
    const answer = await readAnswer(incoming, ANSWER_MAX);
    if (!answer.ok) return answer;
    const { status, text, header } = answer.value;
    if (status < 200 || status > 299) return fail(problemOfBytes(answer.value, parts.clock.now()));
    if (looksLikeHtml(header('content-type'), text))
      return fail({ kind: 'broken_reply', status, looks_like: 'html', detail: 'an HTML page' });
    return ok(header('etag'));
  });

const unquoted = (etag: string): string => etag.replace(/^(W\/)?"|"$/g, '');

/** The given headers, without those that would send credentials or alter the connection. */
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

/** Sends the bytes of one segment. Returns its ETag without quotes. */
export const putSegment = async (
  parts: SendParts,
  photo: SpooledPhoto,
  at: {
    readonly index: number;
    readonly hash: SegmentHash;
    readonly segment: Segment;
    readonly base: string;
  },
  signal: AbortSignal,
): Promise<Result<string>> => {
  const { index, hash, segment, base } = at;
  const url = byteAddress(segment.url ?? '', base);
  if (!segment.url || !url) return wrongShape('the address of a segment is none to send to');
  const offset = index * photo.segment_size;
  // Measured from the first byte: the wait for a slot does not belong to the link.
  let begun = parts.clock.monotonic();
  const sent = await deliver(parts, {
    method: 'PUT',
    url: url.href,
    headers: { ...givenHeaders(segment.headers), 'content-length': String(hash.size) },
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

/** Sends the whole file as one form post: the given fields in order, the file last, with a known length. */
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

/**
 * Receives one segment (decisions §5.2). URL and headers are checked before the body is read, and bytes are hashed in
 * passing. Only the exact announced segment gets a name on the disk and an etag in the database. The file is
 * committed before the row: a crash in between leaves a file that the next attempt replaces.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { badRequest, forbidden, gone, notFound, Refusal } from '../domain/problem.ts';
import { isComplete, isOver } from '../domain/uploads/uploads.ts';
import { findSegment, findUpload, receiveSegment, type SegmentRow } from '../store/uploads.ts';
import { judgeSegment, type SignedQuery, type UploadPlace } from './addresses.ts';
import { receive, TooLarge } from './receive.ts';
import type { UploadParts } from './upload-parts.ts';

export interface SegmentRequest {
  readonly place: UploadPlace;
  readonly position: number;
  readonly query: SignedQuery;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  readonly now: number;
}

const incomplete = (sent: string, size: number): Refusal =>
  badRequest(`IncompleteBody: Content-Length must be ${size}, the size announced; it is ${sent}.`);

const checkAddress = (parts: UploadParts, request: SegmentRequest): void => {
  const { place, position, query, now } = request;
  const verdict = judgeSegment(parts.signer, place, position, query, now);
  if (verdict === 'forged') throw forbidden('SignatureDoesNotMatch: use the address unaltered.');
  if (verdict === 'expired')
    throw forbidden('AccessDenied: this address has expired. GET the upload for a new one.');
};

/** Requires exactly the headers that the response listed (decisions §5.1). @throws Refusal 400 */
const checkHeaders = (headers: IncomingHttpHeaders, segment: SegmentRow): void => {
  const length = headers['content-length'];
  if (length === undefined || Number(length) !== segment.size)
    throw incomplete(length ?? 'missing', segment.size);
  const sha256 = headers['x-amz-content-sha256'];
  if (sha256 !== segment.sha256)
    throw badRequest(
      `XAmzContentSHA256Mismatch: the header x-amz-content-sha256 must be ${segment.sha256}, as announced.`,
    );
  const md5 = headers['content-md5'];
  if (segment.md5 === null) return;
  if (md5 !== Buffer.from(segment.md5, 'hex').toString('base64'))
    throw badRequest('BadDigest: the header content-md5 must be the md5 announced, in base64.');
};

const mismatch = (
  got: { readonly size: number; readonly sha256: string; readonly md5: string },
  segment: SegmentRow,
  sentMd5: string | undefined,
): Refusal | null => {
  if (got.size !== segment.size) return incomplete(`${got.size} bytes`, segment.size);
  if (got.sha256 !== segment.sha256)
    return badRequest(
      `XAmzContentSHA256Mismatch: the bytes received have sha256 ${got.sha256}, announced was ${segment.sha256}.`,
    );
  const md5 = Buffer.from(got.md5, 'hex').toString('base64');
  return (segment.md5 !== null && got.md5 !== segment.md5) ||
    (sentMd5 !== undefined && sentMd5 !== md5)
    ? badRequest(`BadDigest: the bytes received have md5 ${md5}.`)
    : null;
};

/** Returns the etag (md5 hex, no quotes). @throws Refusal 400, 403, 404, 409, 410; Interrupted; NoRoom */
export const putSegment = async (parts: UploadParts, request: SegmentRequest): Promise<string> => {
  checkAddress(parts, request);
  const { company_id, uuid } = request.place;
  const upload = await findUpload(parts.store.read, company_id, uuid);
  const segment = await findSegment(parts.store.read, company_id, uuid, request.position);
  if (!upload) throw notFound();
  if (isOver(upload, request.now)) throw gone('This upload was deleted. Create a new one.');
  if (!segment) throw notFound();
  if (isComplete(upload)) throw new Refusal(409, ['This upload is complete already.']);
  checkHeaders(request.headers, segment);

  const name = `s${request.position}`;
  const part = await parts.files.begin(uuid, name);
  try {
    const got = await receive(request.body, part, segment.size);
    const wrong = mismatch(got, segment, [request.headers['content-md5']].flat()[0]);
    if (wrong) throw wrong;
    await part.commit();
    const row = { etag: got.md5, storage_key: name, received_at: request.now };
    if (!(await parts.store.write((tx) => receiveSegment(tx, segment, row), company_id)))
      throw new Refusal(409, ['This upload was completed or deleted meanwhile.']);
    return got.md5;
  } catch (error) {
    if (error instanceof TooLarge) throw incomplete('larger', segment.size);
    throw error;
  } finally {
    await part.abandon();
  }
};

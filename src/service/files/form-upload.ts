/**
 * Accepts the form post (decisions §5.5). The expiry is checked once, when the request starts: a post that started at
 * 59:59 may take as long as it needs. The fields are compared with the issued ones in constant time before the file
 * is read. Each attempt stores the file under a new name, so of two concurrent posts the first to commit wins and the
 * other does no harm. A form works once.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { badRequest, forbidden, gone, notFound, Refusal } from '../domain/problem.ts';
import { roomOf } from '../domain/uploads/upload-quota.ts';
import { fileFrom, isComplete, isOver, policyOf } from '../domain/uploads/uploads.ts';
import { DatabaseUnavailable } from '../store/engine/db.ts';
import { completeUpload, findUpload, type UploadRow } from '../store/uploads.ts';
import type { UploadPlace } from './addresses.ts';
import type { IncomingPart } from './file-store.ts';
import { fieldsProblem, formFields, type FormPolicy } from './form-policy.ts';
import { readFormPost } from './form-post.ts';
import { receive, TooLarge, type Received } from './receive.ts';
import type { UploadParts } from './upload-parts.ts';

const used = (): Refusal => forbidden('AccessDenied: this form was used already.');

/** @throws Refusal 403, 404, 410 */
const openForm = async (
  parts: UploadParts,
  place: UploadPlace,
  now: number,
): Promise<UploadRow> => {
  const upload = await findUpload(parts.store.read, place.company_id, place.uuid);
  if (!upload) throw notFound();
  if (isOver(upload, now)) throw gone('This upload was deleted. Create a new one.');
  if (isComplete(upload)) throw used();
  if (now >= upload.post_expires_at)
    throw forbidden('AccessDenied: Policy expired. Create a new upload and post its form.');
  return upload;
};

const checkSize = (size: number, upload: UploadRow): void => {
  if (upload.size !== null && size !== upload.size)
    throw badRequest(`EntityTooSmall: the file has ${size} bytes, announced were ${upload.size}.`);
};

const receiveForm = async (
  parts: UploadParts,
  upload: UploadRow,
  policy: FormPolicy,
  max: number,
  part: IncomingPart,
  request: IncomingMessage,
): Promise<Received> => {
  const expected = formFields(parts.signer, policy);
  const outcome = await readFormPost(request, {
    fields: Object.keys(expected).length,
    max_file: max,
    judge: (fields) => {
      const problem = fieldsProblem(expected, fields);
      return problem === null ? null : `AccessDenied: ${problem}. Post the fields unaltered.`;
    },
    take: (file: Readable) => receive(file, part, max),
  });
  if (!outcome.ok) throw new Refusal(outcome.refusal.status, [outcome.refusal.message]);
  checkSize(outcome.value.size, upload);
  return outcome.value;
};

/** An announced size has its space reserved; otherwise the post may use the remaining quota. @throws Refusal 429 */
const largestOf = async (
  { store, options }: UploadParts,
  upload: UploadRow,
  { max_size }: FormPolicy,
  now: number,
): Promise<number> => {
  if (upload.size !== null) return max_size;
  const owner = { company_id: upload.company_id, user_id: upload.owner_id, now };
  return Math.min(max_size, await roomOf(store.read, owner, options));
};

/** @throws Refusal 400, 403, 404, 410, 413, 415, 429; Interrupted; NoRoom */
export const postForm = async (
  parts: UploadParts,
  place: UploadPlace,
  request: IncomingMessage,
  now: number,
): Promise<void> => {
  const upload = await openForm(parts, place, now);
  const policy = policyOf(upload, parts.options);
  const name = `form-${randomUUID()}`;
  const max = await largestOf(parts, upload, policy, now);
  const part = await parts.files.begin(upload.uuid, name);
  try {
    const got = await receiveForm(parts, upload, policy, max, part, request);
    await part.commit();
    const file = fileFrom(
      upload,
      { storage_key: `${upload.uuid}/${name}`, size: got.size, sha256: got.sha256, md5: got.md5 },
      parts.now(),
    );
    if (!(await parts.store.write((tx) => completeUpload(tx, upload, file), upload.company_id)))
      throw used();
  } catch (error) {
    // After a lost connection the row may have been committed, so the bytes must stay.
    if (!(error instanceof DatabaseUnavailable)) await parts.files.removePart(upload.uuid, name);
    if (error instanceof TooLarge)
      throw new Refusal(413, [`EntityTooLarge: the file has more than ${max} bytes.`]);
    throw error;
  } finally {
    await part.abandon();
  }
};

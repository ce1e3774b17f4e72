/**
 * Records uploads that clients sent directly to the bucket. When an upload is shown, completed or named by a record,
 * the service lists what the bucket has received and writes it to the database (decisions §5.3, §5.4). A store
 * without direct uploads needs none of this.
 */
import { fileFrom, isComplete, isOver, partsOf } from '../domain/uploads/uploads.ts';
import { invalid } from '../domain/problem.ts';
import {
  completeUpload,
  findUpload,
  forgetSegment,
  listSegments,
  receiveSegment,
  type SegmentRow,
  type UploadRow,
} from '../store/uploads.ts';
import { segmentName, WrongBytes, type AnnouncedPart, type DirectUploads } from './file-store.ts';
import type { UploadParts } from './upload-parts.ts';

type Parts = Pick<UploadParts, 'store' | 'files' | 'now'>;

const FORM = 'form';

/** Completes an upload with a received form post: moves, reads and hashes its bytes. */
const settleForm = async (
  parts: Parts,
  direct: DirectUploads,
  upload: UploadRow,
  size: number,
): Promise<void> => {
  if (upload.size !== null && size !== upload.size) return direct.discard(upload.uuid, FORM);
  const kept = await direct.keep(upload.uuid, [{ name: FORM, size, sha256: null }]);
  const storage_key = `${upload.uuid}/${FORM}`;
  await parts.store.write(
    (tx) => completeUpload(tx, upload, fileFrom(upload, { storage_key, ...kept }, parts.now())),
    upload.company_id,
  );
  return undefined;
};

const settleSegments = async (
  parts: Parts,
  rows: readonly SegmentRow[],
  arrived: ReadonlyMap<string, { readonly size: number; readonly etag: string }>,
): Promise<void> => {
  const fresh = rows.flatMap((row) => {
    const got = arrived.get(segmentName(row.position));
    return got && got.size === row.size && got.etag !== row.etag ? [{ row, etag: got.etag }] : [];
  });
  if (fresh.length === 0) return;
  await parts.store.write(async (tx) => {
    for (const { row, etag } of fresh)
      await receiveSegment(tx, row, {
        etag,
        storage_key: segmentName(row.position),
        received_at: parts.now(),
      });
  }, rows[0]?.company_id);
};

/**
 * Records what has arrived for the caller's own upload. Ignores another user's upload, and one that is complete,
 * deleted or expired.
 */
export const settle = async (
  parts: Parts,
  owner: { readonly company_id: number; readonly user_id: number },
  uuid: string,
): Promise<void> => {
  const { direct } = parts.files;
  if (!direct) return;
  const upload = await findUpload(parts.store.read, owner.company_id, uuid);
  if (!upload || upload.owner_id !== owner.user_id) return;
  if (isComplete(upload) || isOver(upload, parts.now())) return;
  const arrived = await direct.arrived(uuid);
  const form = arrived.get(FORM);
  if (form) await settleForm(parts, direct, upload, form.size);
  else
    await settleSegments(
      parts,
      await listSegments(parts.store.read, owner.company_id, uuid),
      arrived,
    );
};

/**
 * The sha256 (hex) of all segments in order, read from the store.
 * @throws Refusal 422 on a segment with bytes other than announced; the client has to send it again
 */
export const wholeDigest = async (parts: Parts, rows: readonly SegmentRow[]): Promise<string> => {
  const [first] = rows;
  if (!first) throw new Error('an upload without segments');
  const { direct } = parts.files;
  if (!direct)
    return rows.length === 1
      ? first.sha256 // hashed while it was received
      : parts.files.digest(first.upload_uuid, partsOf(rows));
  const announced = partsOf(rows).map((part, index): AnnouncedPart => ({
    ...part,
    sha256: rows[index]?.sha256 ?? null,
  }));
  try {
    return (await direct.keep(first.upload_uuid, announced)).sha256;
  } catch (error) {
    const wrong = error instanceof WrongBytes ? rows[error.index] : undefined;
    if (!wrong || !(error instanceof WrongBytes)) throw error;
    await direct.discard(wrong.upload_uuid, segmentName(wrong.position));
    await parts.store.write((tx) => forgetSegment(tx, wrong), wrong.company_id);
    throw invalid({ [`segments.${wrong.position}.sha256`]: [`${error.message}: send it again`] });
  }
};

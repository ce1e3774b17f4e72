/**
 * Where clients send to the bucket itself, the service learns of it here: when an upload is shown, completed or named by
 * a record, it asks the bucket what has arrived and writes that down (decisions §5.3, §5.4). On a store that takes its
 * bytes through the service there is nothing to do.
 */
import { fileFrom, isComplete, isOver, partsOf } from '../domain/uploads.ts';
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

/** A form post that has arrived completes its upload: its bytes are moved, read and hashed. */
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

/** Writes down what has arrived for the caller's own upload. Anyone else's, or one that is over, is left alone. */
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
 * The sha256 (hex) of all segments in order, read from the store. @throws Refusal 422 on the segment whose bytes are not
 * those announced; it has to be sent again
 */
export const wholeDigest = async (parts: Parts, rows: readonly SegmentRow[]): Promise<string> => {
  const [first] = rows;
  if (!first) throw new Error('an upload without segments');
  const { direct } = parts.files;
  if (!direct)
    return rows.length === 1
      ? first.sha256 // it was hashed as it came in
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

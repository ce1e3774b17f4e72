/**
 * [ours] Replaces a photo of a near miss by a blurred copy (decisions §21.2): another upload, with new checksums and thumbnails. The
 * sweeper of uploads deletes the photo's bytes.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Uploads } from '../../files/uploads.ts';
import { locate } from '../../files/reading.ts';
import type { Db } from '../../store/engine/db.ts';
import { forgetFile } from '../../store/erasure/files.ts';
import {
  deleteAttachment,
  insertAttachments,
  listAttachments,
} from '../../store/near-misses/near-miss-attachments.ts';
import {
  associateUpload,
  completeUpload,
  findStoredFile,
  findUpload,
  insertUpload,
} from '../../store/uploads.ts';
import { fileFrom } from '../uploads/uploads.ts';

/** The copy's bytes, already in the file store under a new upload. */
export interface Blurred {
  readonly uuid: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
}

const PART = 'form';
const TYPE = 'image/jpeg';

/** Stores a blurred copy. Null: the file is no picture. Its bytes are an orphan until a row names them. */
export const blurPhoto = async (
  { store, files, thumbnails }: Pick<Uploads, 'store' | 'files' | 'thumbnails'>,
  company_id: number,
  near_miss_id: number,
  id: number,
): Promise<Blurred | null | undefined> => {
  const photos = await listAttachments(store.read, company_id, [near_miss_id]);
  const photo = photos.get(near_miss_id)?.find((one) => one.id === id);
  const file = photo && (await findStoredFile(store.read, company_id, photo.stored_file_id));
  if (!file) return undefined;
  const { upload, parts } = await locate(store.read, file);
  const bytes = await thumbnails.blur(upload, parts);
  if (bytes === null) return null;
  const uuid = randomUUID();
  const part = await files.begin(uuid, PART);
  try {
    await part.write(bytes);
    await part.commit();
  } finally {
    await part.abandon();
  }
  const sum = (kind: 'sha256' | 'md5'): string => createHash(kind).update(bytes).digest('hex');
  return { uuid, size: bytes.length, sha256: sum('sha256'), md5: sum('md5') };
};

const asJpegName = (filename: string): string =>
  /\.jpe?g$/i.test(filename) ? filename : `${filename.replace(/\.[a-z0-9]{1,5}$/i, '')}.jpg`;

interface Photo {
  readonly company_id: number;
  readonly near_miss_id: number;
  readonly id: number;
  readonly now: number;
}

/** Returns both names of the file, or null if the photo is gone. @param at the stamp of the change */
export const replacePhoto = async (
  tx: Db,
  { company_id, near_miss_id, id, now }: Photo,
  { uuid, ...bytes }: Blurred,
  at: number,
): Promise<{ readonly from: string; readonly to: string } | null> => {
  const old = await deleteAttachment(tx, { company_id, near_miss_id, id });
  const owner = old && (await findUpload(tx, company_id, old.upload_uuid));
  if (!old || !owner) return null;
  const filename = asJpegName(old.filename);
  const upload = {
    ...owner,
    uuid,
    response_filename: filename,
    response_content_type: TYPE,
    size: bytes.size,
    segmented: 0,
    status: 'ready',
    created_at: now,
    completed_at: null,
    stored_file_id: null,
    associated_type: null,
    associated_id: null,
    associated_at: null,
  };
  await insertUpload(tx, upload, []);
  const storage_key = `${uuid}/${PART}`;
  await completeUpload(tx, upload, fileFrom(upload, { storage_key, ...bytes }, now));
  await associateUpload(tx, upload, { type: 'near_miss', id: near_miss_id }, at);
  const stored_file_id = (await findUpload(tx, company_id, uuid))?.stored_file_id ?? 0;
  const { size, sha256 } = bytes;
  await insertAttachments(tx, { company_id, near_miss_id, created_at: now }, [
    { upload_uuid: uuid, stored_file_id, filename, content_type: TYPE, size, sha256 },
  ]);
  const { upload_uuid } = old;
  const gone = { company_id, upload_uuid, stored_file_id: old.stored_file_id };
  await forgetFile(tx, gone, null);
  return { from: old.filename, to: filename };
};

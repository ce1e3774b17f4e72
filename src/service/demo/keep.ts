/**
 * Stores a demo file like the bytes of any upload. Call it before the transaction that seeds the rows, so that no row
 * refers to missing bytes.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { FileStore } from '../files/file-store.ts';

/** A file with its bytes in the file store. */
export interface KeptFile {
  readonly name: string;
  readonly content_type: string;
  /** The upload that the bytes belong to. */
  readonly upload_uuid: string;
  readonly storage_key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
}

const digest = (algorithm: string, bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex');

/** @param part the name of the piece in the store, `[a-z0-9-]+` */
export const keepFile = async (
  files: FileStore,
  part: string,
  { name, content_type }: Pick<KeptFile, 'name' | 'content_type'>,
  bytes: Uint8Array,
): Promise<KeptFile> => {
  const upload_uuid = randomUUID();
  const incoming = await files.begin(upload_uuid, part);
  try {
    await incoming.write(bytes);
    await incoming.commit();
  } finally {
    await incoming.abandon();
  }
  return {
    name,
    content_type,
    upload_uuid,
    storage_key: `${upload_uuid}/${part}`,
    size: bytes.length,
    sha256: digest('sha256', bytes),
    md5: digest('md5', bytes),
  };
};

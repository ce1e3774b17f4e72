/**
 * Receives one file from the phone: appends its bytes, hashes them on the fly, and refuses it by its first bytes if it is not a
 * photo or video.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { fileType, HEAD_BYTES } from '../../contract/file-type.ts';
import type { PhoneFile, PhoneRefusal } from '../../contract/phone/phone.ts';
import { removeFile } from '../../disk/retry-busy-file.ts';
import { FILE_MODE, isNoSpace } from '../lib/files.ts';

/** Maximum number of transfers of one file with a wrong checksum. */
const TRIES = 3;

export interface Arriving {
  readonly name: string;
  readonly size: number;
  readonly path: string;
  handle: FileHandle | null;
  hash: Hash;
  head: Buffer;
  received: number;
  tries: number;
  state: PhoneFile['state'];
  why: PhoneRefusal | null;
  sha256: string | null;
}

export const createArriving = (
  name: string,
  size: number,
  path: string,
  why: PhoneRefusal | null,
): Arriving => ({
  name,
  size,
  path,
  handle: null,
  hash: createHash('sha256'),
  head: Buffer.alloc(0),
  received: 0,
  tries: 0,
  state: why === null ? 'coming' : 'refused',
  why,
  sha256: null,
});

/** Closes and deletes the file's bytes. */
export const endFile = async (file: Arriving): Promise<void> => {
  const { handle } = file;
  file.handle = null;
  await handle?.close().catch(() => undefined);
  await removeFile(file.path);
};
const refuse = async (file: Arriving, why: PhoneRefusal): Promise<void> => {
  file.state = 'refused';
  file.why = why;
  await endFile(file);
};
const begin = async (file: Arriving): Promise<void> => {
  await file.handle?.close();
  file.handle = await open(file.path, 'w', FILE_MODE);
  file.hash = createHash('sha256');
  file.head = Buffer.alloc(0);
  file.received = 0;
};

/** Returns false if these are not the next bytes of the file. */
export const receivePart = async (
  file: Arriving,
  offset: number,
  bytes: Uint8Array,
): Promise<boolean> => {
  if (bytes.length === 0) return false;
  // The response reports the reason of the refusal.
  if (file.state === 'refused') return true;
  if (file.state !== 'coming' || offset !== file.received) return false;
  if (offset + bytes.length > file.size) return false;
  try {
    if (file.handle === null) await begin(file);
    for (let done = 0; done < bytes.length;) {
      const written = await file.handle?.write(bytes, done, bytes.length - done, offset + done);
      done += written?.bytesWritten ?? 0;
    }
  } catch (error) {
    await refuse(file, isNoSpace(error) ? 'no_space' : 'other');
    return true;
  }
  file.hash.update(bytes);
  file.received += bytes.length;
  if (file.head.length >= HEAD_BYTES) return true;
  file.head = Buffer.concat([file.head, bytes.subarray(0, HEAD_BYTES)]).subarray(0, HEAD_BYTES);
  const judged = file.head.length === HEAD_BYTES || file.received === file.size;
  if (judged && fileType(file.head) === null) await refuse(file, 'not_a_photo');
  return true;
};

/** Verifies size and sha256. On a mismatch the transfer of the file restarts. Returns false if bytes are missing. */
export const finishFile = async (file: Arriving, sha256: string): Promise<boolean> => {
  if (file.state !== 'coming') return true;
  if (file.received !== file.size) return false;
  if (file.hash.copy().digest('hex') !== sha256) {
    file.tries += 1;
    if (file.tries >= TRIES) await refuse(file, 'differs');
    else await begin(file);
    return true;
  }
  file.sha256 = sha256;
  file.state = 'checked';
  const { handle } = file;
  file.handle = null;
  await handle?.close();
  return true;
};

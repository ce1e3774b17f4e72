/**
 * Files on their way from the phone: bytes appended to a file each, hashed as they come, refused by their first bytes where they are no
 * photo or video. They lie here only until the window has taken them in, as it takes in a picked file: what they say of people and
 * places is taken out there, before anything goes to the spool.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileType, HEAD_BYTES } from '../../contract/file-type.ts';
import type { PhoneFile, PhoneRefusal } from '../../contract/phone.ts';
import { PHONE_FILE_MAX, PHONE_FILES_MAX, PHONE_TOTAL_MAX } from '../../contract/phone-seal.ts';
import { removeFile, removeFolder } from '../../disk/patient.ts';
import { ensureFolder, FILE_MODE, isNoSpace } from '../files.ts';
import { KEEP_FREE_BYTES, tidyName } from '../photos/spool-arrivals.ts';

/** How often a file may differ from what the phone says it sent. */
const TRIES = 3;

interface Arriving {
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

export type Arrivals = Awaited<ReturnType<typeof openArrivals>>;

/** @param folder emptied first: what lies there nobody waits for */
export const openArrivals = async (folder: string, free: (folder: string) => Promise<number>) => {
  await removeFolder(folder);
  await ensureFolder(folder);
  const files: Arriving[] = [];

  const end = async (file: Arriving): Promise<void> => {
    const { handle } = file;
    file.handle = null;
    await handle?.close().catch(() => undefined);
    await removeFile(file.path);
  };
  const refuse = async (file: Arriving, why: PhoneRefusal): Promise<void> => {
    file.state = 'refused';
    file.why = why;
    await end(file);
  };
  const begin = async (file: Arriving): Promise<void> => {
    await file.handle?.close();
    file.handle = await open(file.path, 'w', FILE_MODE);
    file.hash = createHash('sha256');
    file.head = Buffer.alloc(0);
    file.received = 0;
  };

  /** Bytes that were taken, or are to come. */
  const announced = (): number =>
    files.reduce((sum, { state, size }) => sum + (state === 'refused' ? 0 : size), 0);
  const missing = (): number =>
    files.reduce((sum, one) => sum + (one.state === 'coming' ? one.size - one.received : 0), 0);

  const judge = async (size: number): Promise<PhoneRefusal | null> => {
    if (size === 0) return 'empty';
    if (size > PHONE_FILE_MAX) return 'too_large';
    if (announced() + size > PHONE_TOTAL_MAX) return 'too_many';
    // Taken in it lies here twice for a moment.
    return (await free(folder)) - missing() - 2 * size < KEEP_FREE_BYTES ? 'no_space' : null;
  };

  return {
    view: (): PhoneFile[] =>
      files.map(({ name, size, received, state, why, sha256 }) => ({
        name,
        size,
        received,
        state,
        why,
        sha256,
      })),

    /** False: it does not follow what was named before. */
    offer: async (
      from: number,
      named: readonly { readonly name: string; readonly size: number }[],
    ): Promise<boolean> => {
      if (from > files.length || from + named.length > PHONE_FILES_MAX) return false;
      const known = files.slice(from, from + named.length);
      if (known.some((one, at) => one.size !== named[at]?.size)) return false;
      for (const { name, size } of named.slice(known.length)) {
        const file: Arriving = {
          name: tidyName(name),
          size,
          path: join(folder, String(files.length)),
          handle: null,
          hash: createHash('sha256'),
          head: Buffer.alloc(0),
          received: 0,
          tries: 0,
          state: 'coming',
          why: await judge(size),
          sha256: null,
        };
        if (file.why !== null) file.state = 'refused';
        files.push(file);
      }
      return true;
    },

    /** False: not the bytes that come next. */
    part: async (at: number, offset: number, bytes: Uint8Array): Promise<boolean> => {
      const file = files[at];
      if (file === undefined || bytes.length === 0) return false;
      // What it was refused for stands in the answer.
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
    },

    /** Compares size and sha256 with the phone's. Where they differ the file begins anew. False: bytes are missing. */
    whole: async (at: number, sha256: string): Promise<boolean> => {
      const file = files[at];
      if (file === undefined) return false;
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
    },

    /** Null: there is no such file, or not the whole of it. */
    read: async (at: number, offset: number, length: number) => {
      const file = files[at];
      if (file?.state !== 'checked') return null;
      const wanted = Math.max(0, Math.min(length, file.size - offset));
      const handle = await open(file.path, 'r');
      try {
        const { bytesRead, buffer } = await handle.read(new Uint8Array(wanted), 0, wanted, offset);
        return { output: { size: file.size }, bytes: buffer.subarray(0, bytesRead) };
      } finally {
        await handle.close();
      }
    },

    took: async (at: number, state: 'kept' | 'there' | 'asks' | 'refused'): Promise<boolean> => {
      const file = files[at];
      if (file?.state !== 'checked') return false;
      if (state === 'refused') file.why = 'other';
      file.state = state;
      await end(file);
      return true;
    },

    /** What is not whole goes; what is whole stays until it is taken, or until `remove`. */
    stop: async (): Promise<void> => {
      for (const file of files) if (file.state === 'coming') await end(file);
    },
    remove: async (): Promise<void> => {
      for (const file of files) await file.handle?.close().catch(() => undefined);
      await removeFolder(folder);
    },
  };
};

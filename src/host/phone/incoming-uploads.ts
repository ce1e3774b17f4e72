/**
 * Incoming files from the phone. Files stay here only until the window imports them like picked files. The window strips
 * personal and location data before anything reaches the spool.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhoneFile, PhoneRefusal } from '../../contract/phone/phone.ts';
import {
  PHONE_FILE_MAX,
  PHONE_FILES_MAX,
  PHONE_TOTAL_MAX,
} from '../../contract/phone/phone-seal.ts';
import { removeFolder } from '../../disk/retry-busy-file.ts';
import { ensureFolder } from '../lib/files.ts';
import {
  type Arriving,
  createArriving,
  endFile,
  finishFile,
  receivePart,
} from './arriving-file.ts';
import { KEEP_FREE_BYTES, tidyName } from '../photos/spool/incoming-files.ts';

export type Arrivals = Awaited<ReturnType<typeof openArrivals>>;

/** @param folder emptied first: files of an earlier run are obsolete */
export const openArrivals = async (folder: string, free: (folder: string) => Promise<number>) => {
  await removeFolder(folder);
  await ensureFolder(folder);
  const files: Arriving[] = [];

  /** Total size of accepted files, received or expected. */
  const announced = (): number =>
    files.reduce((sum, { state, size }) => sum + (state === 'refused' ? 0 : size), 0);
  const missing = (): number =>
    files.reduce((sum, one) => sum + (one.state === 'coming' ? one.size - one.received : 0), 0);

  const judge = async (size: number): Promise<PhoneRefusal | null> => {
    if (size === 0) return 'empty';
    if (size > PHONE_FILE_MAX) return 'too_large';
    if (announced() + size > PHONE_TOTAL_MAX) return 'too_many';
    // While the window imports a file, the disk holds it twice.
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

    /** Returns false if the offer neither repeats nor continues the list of files. */
    offer: async (
      from: number,
      named: readonly { readonly name: string; readonly size: number }[],
    ): Promise<boolean> => {
      if (from > files.length || from + named.length > PHONE_FILES_MAX) return false;
      const known = files.slice(from, from + named.length);
      if (known.some((one, at) => one.size !== named[at]?.size)) return false;
      for (const { name, size } of named.slice(known.length)) {
        files.push(
          createArriving(
            tidyName(name),
            size,
            join(folder, String(files.length)),
            await judge(size),
          ),
        );
      }
      return true;
    },

    /** Returns false if these are not the next bytes of the file. */
    part: async (at: number, offset: number, bytes: Uint8Array): Promise<boolean> => {
      const file = files[at];
      return file !== undefined && receivePart(file, offset, bytes);
    },

    /** Verifies size and sha256. On a mismatch the transfer of the file restarts. Returns false if bytes are missing. */
    whole: async (at: number, sha256: string): Promise<boolean> => {
      const file = files[at];
      return file !== undefined && finishFile(file, sha256);
    },

    /** Returns null if the file does not exist or is incomplete. */
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
      await endFile(file);
      return true;
    },

    /** Deletes incomplete files. Complete files stay until they are imported, or until `remove`. */
    stop: async (): Promise<void> => {
      for (const file of files) if (file.state === 'coming') await endFile(file);
    },
    remove: async (): Promise<void> => {
      for (const file of files) await file.handle?.close().catch(() => undefined);
      await removeFolder(folder);
    },
  };
};

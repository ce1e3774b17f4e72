/** Translates the disk's errors that a caller can act on: a missing file and a full disk. */
import { NoRoom } from '../file-store.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Null if the file does not exist; another process may have deleted it. */
export const orGone = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** Converts ENOSPC and similar errors to `NoRoom`; passes others on. */
export const withRoom = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error)))
      throw new NoRoom('the disk of the file store is full', { cause: error });
    throw error;
  }
};

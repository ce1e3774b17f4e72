/**
 * Renames, removals and reads that another program is in the way of for a moment. Virus scanners, indexers and OneDrive open a file
 * that was just closed, and Windows then refuses to rename or remove it; so do our own readers. It is over within
 * milliseconds, so the same is tried again, for about three seconds in all.
 */
import { rename, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
const BUSY = new Set(['EBUSY', 'EMFILE', 'ENFILE']);
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const PATIENCE_MS = 3_000;

/** Does this error say that another program holds the file? It may also mean that it is not ours to change. */
export const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && HELD.has(String(error.code));

/** So does this, of reading; or too many files are open just now. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && BUSY.has(String(error.code));

const patiently = async <T>(
  work: () => Promise<T>,
  passes: (error: unknown) => boolean = isHeld,
): Promise<T> => {
  let waited = 0;
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || waited >= PATIENCE_MS) throw error;
      await pause(ms);
      waited += ms;
    }
  }
};

/** Opens, reads or looks at a file: one that cannot be read for a moment is not one that is damaged. */
export const whenFree = <T>(read: () => Promise<T>): Promise<T> => patiently(read, isBusy);

/** Renames; what was at `to` is replaced. */
export const move = (from: string, to: string): Promise<void> => patiently(() => rename(from, to));

/** Removes a file; one that is not there is no error. */
export const removeFile = (path: string): Promise<void> =>
  patiently(() => rm(path, { force: true }));

/** Removes a folder with all that is in it; one that is not there is no error. */
export const removeFolder = (path: string): Promise<void> =>
  patiently(() => rm(path, { recursive: true, force: true }));

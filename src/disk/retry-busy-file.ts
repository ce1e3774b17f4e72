/**
 * Retries renames, removals and reads while another program holds the file, for about three seconds. Virus scanners, indexers,
 * OneDrive and our own readers open a file that was just closed, and Windows then refuses to rename or remove it. They usually
 * finish within milliseconds.
 */
import { rename, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
const BUSY = new Set(['EBUSY', 'EMFILE', 'ENFILE']);
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const PATIENCE_MS = 3_000;

/** True if the error says that another program holds the file. It may also mean missing permission. */
export const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && HELD.has(String(error.code));

/** True if the error says that a read was blocked by another program, or that too many files are open. */
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

/** Retries opening, reading or inspecting a file: a file that is briefly unreadable is not damaged. */
export const whenFree = <T>(read: () => Promise<T>): Promise<T> => patiently(read, isBusy);

/** Renames and replaces what is at `to`. */
export const move = (from: string, to: string): Promise<void> => patiently(() => rename(from, to));

/** Removes a file; a missing file is no error. */
export const removeFile = (path: string): Promise<void> =>
  patiently(() => rm(path, { force: true }));

/** Removes a folder and its contents; a missing folder is no error. */
export const removeFolder = (path: string): Promise<void> =>
  patiently(() => rm(path, { recursive: true, force: true }));

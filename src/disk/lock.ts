/**
 * One process per file. The lock is SQLite's own exclusive lock on an empty file: the kernel drops it when its holder dies, by
 * whatever death, so it is never stale; it holds between containers that see the same file, through sleep, and on Windows. A
 * file that the holder itself opens and closes again would drop it on Linux and macOS: nothing else may open this file.
 */
import { chmodSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  /** Is the locked file still the one at this path? Where it was removed or replaced, another may hold the new one. */
  held(): boolean;
  /** From now on others may hold it with us, who ask for `shareLock`; nobody alone. */
  share(): void;
  release(): void;
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

const identity = (path: string): string => {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
};

const HOLD_SHARED = 'BEGIN; SELECT count(*) FROM sqlite_master';

const lockOf = (db: DatabaseSync, path: string): FileLock => {
  const ours = identity(path);
  return {
    held: () => {
      try {
        return identity(path) === ours;
      } catch {
        return false;
      }
    },
    share: () => db.exec(`COMMIT; ${HOLD_SHARED}`),
    release: () => {
      if (db.isOpen) db.close();
    },
  };
};

const locked = (path: string, timeout: number, how: string): FileLock | null => {
  const db = new DatabaseSync(path, { timeout });
  try {
    chmodSync(path, 0o600);
    db.exec(how);
    return lockOf(db, path);
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
};

/** Takes the lock alone, at once; null where another process holds it. The folder must be there. */
export const takeLock = (path: string): FileLock | null => locked(path, 0, 'BEGIN EXCLUSIVE');

/** Takes the lock with others, waiting at most so many milliseconds for one that is alone; null where it stays so. */
export const shareLock = (path: string, within: number): FileLock | null =>
  locked(path, within, HOLD_SHARED);

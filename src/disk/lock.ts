/**
 * Locks a file for one process, by SQLite's exclusive lock on an empty file. The kernel releases the lock when its holder dies,
 * so it is never stale. It works between containers that share the file, through sleep, and on Windows. Hazard: on Linux and
 * macOS the holder loses the lock if it opens and closes the file elsewhere, so nothing else may open this file.
 */
import { chmodSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  /**
   * True if the locked file is still the file at this path. If it was removed or replaced, another process may hold the new file.
   */
  held(): boolean;
  /** Downgrades to a shared lock: others may hold it too by `shareLock`, nobody exclusively. */
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

/** Takes the exclusive lock without waiting; null if another process holds it. The folder must exist. */
export const takeLock = (path: string): FileLock | null => locked(path, 0, 'BEGIN EXCLUSIVE');

/** Takes the shared lock. Waits at most `within` milliseconds for an exclusive holder; null if it stays locked. */
export const shareLock = (path: string, within: number): FileLock | null =>
  locked(path, within, HOLD_SHARED);

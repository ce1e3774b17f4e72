/**
 * Stores the folder that is watched for new pictures. It has a separate database, because a folder handle belongs to
 * this browser, not to an account, and is useless elsewhere.
 */
import Dexie, { type EntityTable } from 'dexie';

export interface WatchedRow {
  readonly id: 1;
  readonly folder: FileSystemDirectoryHandle;
  /** Milliseconds; older pictures were there before watching began. */
  readonly since: number;
  /** Keys of pictures that were added or dismissed, newest last. */
  readonly seen: readonly string[];
}

/** Keys to keep: when a folder has filled for months, the oldest are long before `since`. */
const SEEN_MAX = 10_000;

const db = new Dexie('spotter-folder', { cache: 'disabled' }) as Dexie & {
  readonly watched: EntityTable<WatchedRow, 'id'>;
};
db.version(1).stores({ watched: 'id' });

export const watchedRow = (): Promise<WatchedRow | undefined> => db.watched.get(1);

export const watchFolder = async (folder: FileSystemDirectoryHandle, since: number) => {
  const row: WatchedRow = { id: 1, folder, since, seen: [] };
  await db.watched.put(row);
  return row;
};

export const forgetFolder = (): Promise<void> => db.watched.clear();

/** Stops offering these pictures. Returns the updated row; undefined if no folder is watched. */
export const markPicturesSeen = (keys: readonly string[]): Promise<WatchedRow | undefined> =>
  db.transaction('rw', db.watched, async () => {
    const row = await db.watched.get(1);
    if (row === undefined) return undefined;
    const seen = [...new Set([...row.seen, ...keys])].slice(-SEEN_MAX);
    const next = { ...row, seen };
    await db.watched.put(next);
    return next;
  });

/**
 * The folder that is watched for new pictures, of this computer's user: kept apart from the queue's database, because a handle of a
 * folder belongs to this browser and to no account, and is worth nothing elsewhere.
 */
import Dexie, { type EntityTable } from 'dexie';

export interface WatchedRow {
  readonly id: 1;
  readonly folder: FileSystemDirectoryHandle;
  /** Milliseconds: what is older was there before. */
  readonly since: number;
  /** Keys of what was added or not wanted, the newest last. */
  readonly seen: readonly string[];
}

/** Keys kept: of a folder that fills for months, the oldest are long before `since`. */
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

/** These pictures are not offered again. Answers the row as it is now; undefined where nothing is watched any more. */
export const markPicturesSeen = (keys: readonly string[]): Promise<WatchedRow | undefined> =>
  db.transaction('rw', db.watched, async () => {
    const row = await db.watched.get(1);
    if (row === undefined) return undefined;
    const seen = [...new Set([...row.seen, ...keys])].slice(-SEEN_MAX);
    const next = { ...row, seen };
    await db.watched.put(next);
    return next;
  });

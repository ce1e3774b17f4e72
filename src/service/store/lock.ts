/**
 * One process per data folder, or, where the database is elsewhere, several that know of each other: the kernel's lock on
 * `lock.db` (disk/lock.ts), which is never stale (failures S4).
 */
import { join, resolve } from 'node:path';
import { shareLock, takeLock } from '../../disk/lock.ts';
import { openPrivateFolder, placeWarning, type FolderNames } from '../../disk/private-folder.ts';

/** A sentence for whoever started the second service. */
export class DataDirBusy extends Error {}

/** One of the processes that share a data folder, where the database is elsewhere. */
export interface DataDirShare {
  /** No other process is in the folder, and none comes in until `open`. */
  readonly alone: boolean;
  /** What only one alone may do is done. */
  open(): void;
  leave(): void;
}

/** How long to wait for one that is alone. */
const OPEN_WITHIN = 60_000;

const NAMES: FolderNames = { ours: ['spotter.db', 'lock.db', 'import.db', 'files'], before: [] };

const busy = (dataDir: string): DataDirBusy =>
  new DataDirBusy(
    `Another Spotter service is using the data folder ${resolve(dataDir)}. Stop it first, or choose another folder with --data-dir.`,
  );

/** Makes the folder where it is not there, and closes it to other users. Answers what is to be said of its place. */
export const openDataDir = async (dataDir: string): Promise<string[]> => {
  const open = await openPrivateFolder(dataDir, NAMES);
  return [open, placeWarning(resolve(dataDir), process.env)].filter((text) => text !== null);
};

/** Joins the processes of a data folder: the same lock, held shared. @throws {DataDirBusy} */
export const joinDataDir = (dataDir: string): DataDirShare => {
  const path = join(dataDir, 'lock.db');
  const alone = takeLock(path);
  if (alone !== null) return { alone: true, open: alone.share, leave: alone.release };
  const shared = shareLock(path, OPEN_WITHIN);
  if (shared === null) throw busy(dataDir);
  return { alone: false, open: () => undefined, leave: shared.release };
};

/** Takes the lock alone, and answers the function that lets it go. @throws {DataDirBusy} */
export const lockDataDir = (dataDir: string): (() => void) => {
  const lock = takeLock(join(dataDir, 'lock.db'));
  if (lock === null) throw busy(dataDir);
  return lock.release;
};

/**
 * The lock on a data folder, held on `lock.db` (disk/lock.ts). One process may use the folder, or several if the database is on
 * a server. The kernel releases the lock when its holder dies, so it is never stale (failures S4).
 */
import { join, resolve } from 'node:path';
import { shareLock, takeLock } from '../../../disk/lock.ts';
import { openPrivateFolder, placeWarning, type FolderNames } from '../../../disk/private-folder.ts';

export class DataDirBusy extends Error {}

/** A process's share of a data folder, when the database is on a server. */
export interface DataDirShare {
  /** True if no other process uses the folder. None can join until `open`. */
  readonly alone: boolean;
  /** Lets other processes join, once exclusive work is done. */
  open(): void;
  leave(): void;
}

/** How long to wait for a process that is alone in the folder, in milliseconds. */
const OPEN_WITHIN = 60_000;

const NAMES: FolderNames = { ours: ['spotter.db', 'lock.db', 'import.db', 'files'], before: [] };

const busy = (dataDir: string): DataDirBusy =>
  new DataDirBusy(
    `Another Spotter service is using the data folder ${resolve(dataDir)}. Stop it first, or choose another folder with --data-dir.`,
  );

/** Creates the folder if needed and denies other users access. Returns warnings about the folder and its location. */
export const openDataDir = async (dataDir: string): Promise<string[]> => {
  const open = await openPrivateFolder(dataDir, NAMES);
  return [open, placeWarning(resolve(dataDir), process.env)].filter((text) => text !== null);
};

/** Joins the processes that share a data folder. @throws {DataDirBusy} */
export const joinDataDir = (dataDir: string): DataDirShare => {
  const path = join(dataDir, 'lock.db');
  const alone = takeLock(path);
  if (alone !== null) return { alone: true, open: alone.share, leave: alone.release };
  const shared = shareLock(path, OPEN_WITHIN);
  if (shared === null) throw busy(dataDir);
  return { alone: false, open: () => undefined, leave: shared.release };
};

/** Takes the lock exclusively and returns a function that releases it. @throws {DataDirBusy} */
export const lockDataDir = (dataDir: string): (() => void) => {
  const lock = takeLock(join(dataDir, 'lock.db'));
  if (lock === null) throw busy(dataDir);
  return lock.release;
};

/**
 * One process per data folder, or, where the database is elsewhere, several that know of each other. The lock is SQLite's own exclusive lock on a small file of its own: the kernel drops it
 * when the holder dies, even by SIGKILL, so it is never stale (failures S4).
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import SQLite from 'better-sqlite3';

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

/** Joins the processes of a data folder: the same lock, held shared. */
export const joinDataDir = (dataDir: string): DataDirShare => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const path = join(dataDir, 'lock.db');
  const db = new SQLite(path, { timeout: 0 });
  const share = (): void => {
    db.pragma(`busy_timeout = ${OPEN_WITHIN}`);
    db.exec('BEGIN; SELECT count(*) FROM sqlite_master');
  };
  const leave = (): void => {
    db.close();
  };
  try {
    chmodSync(path, 0o600);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') {
      leave();
      throw error;
    }
    share();
    return { alone: false, open: () => undefined, leave };
  }
  return {
    alone: true,
    open: () => {
      db.exec('COMMIT');
      share();
    },
    leave,
  };
};

/** Takes the lock, and answers the function that lets it go. @throws {DataDirBusy} */
export const lockDataDir = (dataDir: string): (() => void) => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'lock.db');
  const db = new SQLite(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new DataDirBusy(
      `Another Spotter service is using the data folder ${resolve(dataDir)}. Stop it first, or choose another folder with --data-dir.`,
    );
  }
  return () => {
    db.close();
  };
};

/**
 * One process per data folder. The lock is SQLite's own exclusive lock on a small file of its own: the kernel drops it
 * when the holder dies, even by SIGKILL, so it is never stale (failures S4).
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import SQLite from 'better-sqlite3';

/** A sentence for whoever started the second service. */
export class DataDirBusy extends Error {}

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

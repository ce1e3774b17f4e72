/**
 * Daily backups of a SQLite database, next to it, for a laptop without other backups. SQLite's online backup writes
 * `copies/spotter-2026-01-31.db` while the service runs. The copy gets its name only after an integrity check, so a damaged
 * database never evicts a sound copy. Photos are not included: files in `files/` never change once stored. `copies restore
 * NAME` replaces the database while no service runs, and moves the old one into `replaced-…/` instead of deleting it.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { Logger } from 'pino';
import { lockDataDir } from '../engine/lock.ts';
import { snapshotDatabase } from './snapshot.ts';

const DATABASE = 'spotter.db';
const FOLDER = 'copies';
const NAME = /^spotter-\d{4}-\d\d-\d\d\.db$/;
const HOUR = 3_600_000;
/** Retention of photos that a restored database has no row for, in milliseconds. */
const ORPHANS_KEPT = 30 * 24 * HOUR;
/**
 * Added to every id counter when the replaced database is unreadable, so that no id is reused: a fixed part, and a part that grows with
 * the age of the copy, because the same copy may be restored again after others have written.
 */
const UNKNOWN_IDS = { fixed: 1_000_000, every_ms: 10 };
/** The same for near-miss numbers. The jump is smaller because people read these numbers. */
const UNKNOWN_NUMBERS = { fixed: 1_000, every_ms: 10_000 };

export interface Copy {
  /** For example `spotter-2026-01-31.db`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly made_at: number;
  readonly bytes: number;
}

/** Newest first. */
export const listCopies = async (dataDir: string): Promise<readonly Copy[]> => {
  const folder = join(dataDir, FOLDER);
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const copies = names.reverse().map(async (name): Promise<Copy> => {
    const { mtimeMs, size } = await stat(join(folder, name));
    return { name, made_at: Math.floor(mtimeMs), bytes: size };
  });
  return Promise.all(copies);
};

/** The first error SQLite finds in the file, or null if it is sound. */
const damageOf = (path: string): string | null => {
  try {
    const db = new SQLite(path, { readonly: true, fileMustExist: true });
    try {
      const said = String(db.pragma('integrity_check(1)', { simple: true }));
      db.prepare('select count(*) from companies').get();
      return said === 'ok' ? null : said;
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
};

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Makes today's copy unless it exists, then deletes the oldest beyond `kept`. True if a copy was made. @throws Error if the
 * database is damaged
 */
export const makeCopy = async (dataDir: string, now: number, kept: number): Promise<boolean> => {
  const folder = join(dataDir, FOLDER);
  const name = `spotter-${new Date(now).toISOString().slice(0, 10)}.db`;
  if (existsSync(join(folder, name))) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, 'making.partial');
  await rm(partial, { force: true });
  try {
    await snapshotDatabase(join(dataDir, DATABASE), partial);
    const damage = damageOf(partial);
    if (damage !== null) throw new Error(`the database is damaged: ${damage}`);
    await flush(partial);
    await rename(partial, join(folder, name));
  } finally {
    await rm(partial, { force: true });
  }
  for (const old of (await listCopies(dataDir)).slice(kept)) await rm(join(folder, old.name));
  return true;
};

/**
 * Makes the daily copy if it is due, now and every hour. Returns a function that stops the timer and awaits a copy in progress.
 */
export const keepCopies = (
  dataDir: string,
  { kept, now, log }: { readonly kept: number; readonly now: () => number; readonly log: Logger },
): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    running = running
      .then(() => makeCopy(dataDir, now(), kept))
      .catch((error: unknown) => log.error({ err: error }, 'the daily copy was not made'));
  };
  const timer = setInterval(look, HOUR).unref();
  look();
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** A message for the person who runs the command. */
export class NoCopy extends Error {}

interface Counter {
  readonly name: string;
  readonly last: number;
}

interface Numbered {
  readonly company_id: number;
  readonly id: number;
  readonly last: number;
}

interface Used {
  readonly ids: readonly Counter[];
  readonly numbers: readonly Numbered[];
}

/** The ids and numbers that a database has used, or null if it is too damaged to read. */
const usedIn = (path: string): Used | null => {
  try {
    const db = new SQLite(path, { readonly: true, fileMustExist: true });
    try {
      return {
        ids: db.prepare<[], Counter>('select name, last from id_counters').all(),
        numbers: db
          .prepare<[], Numbered>(
            'select company_id, id, last_near_miss_number as last from incidents',
          )
          .all(),
      };
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
};

/** Milliseconds since the last change of a near miss in the copy; 0 without one. */
const ageOf = (db: SQLite.Database, now: number): number => {
  const { newest } = db
    .prepare<[], { newest: number | null }>('select max(updated_at) as newest from near_misses')
    .get() ?? { newest: null };
  return Math.max(0, now - (newest ?? now));
};

/**
 * Prepares a restored database. It keeps photos without a row, and skips every id the replaced database has used (`null`:
 * unknown). A reused id would let a client's pending changes to the old record reach the new one.
 */
export const prepareRestored = (path: string, used: Used | null, now: number): void => {
  const db = new SQLite(path);
  try {
    db.prepare(
      `insert into service_state (name, value) values ('orphans_kept_until', ?)
         on conflict (name) do update set value = excluded.value`,
    ).run(String(now + ORPHANS_KEPT));
    if (used === null) {
      const age = ageOf(db, now);
      const jump = ({ fixed, every_ms }: typeof UNKNOWN_IDS): number =>
        fixed + Math.floor(age / every_ms);
      db.prepare('update id_counters set last = last + ?').run(jump(UNKNOWN_IDS));
      db.prepare('update incidents set last_near_miss_number = last_near_miss_number + ?').run(
        jump(UNKNOWN_NUMBERS),
      );
    }
    const lift = db.prepare(
      `insert into id_counters (name, last) values (?, ?)
         on conflict (name) do update set last = max(id_counters.last, excluded.last)`,
    );
    for (const { name, last } of used?.ids ?? []) lift.run(name, last);
    // A reader's position may be later than the copy. A copy of an earlier version has no stamps yet.
    const columns = db.pragma('table_info(companies)') as readonly { readonly name: string }[];
    if (columns.some(({ name }) => name === 'changed_at'))
      db.prepare('update companies set changed_at = max(changed_at, ?)').run(now);
    const number = db.prepare(
      `update incidents set last_near_miss_number = max(last_near_miss_number, ?)
         where company_id = ? and id = ?`,
    );
    for (const { company_id, id, last } of used?.numbers ?? []) number.run(last, company_id, id);
  } finally {
    db.close();
  }
};

/**
 * Replaces the database with `fresh` and keeps the old files in `folder`. `rename` swaps atomically: a service that found no
 * database after a power cut would create an empty one.
 */
const exchange = async (dataDir: string, fresh: string, folder: string): Promise<void> => {
  const path = join(dataDir, DATABASE);
  const logs = [`${DATABASE}-wal`, `${DATABASE}-shm`].filter((one) =>
    existsSync(join(dataDir, one)),
  );
  await mkdir(folder, { mode: 0o700 });
  try {
    // Some file systems have no hard links.
    if (existsSync(path))
      await link(path, join(folder, DATABASE)).catch(() => copyFile(path, join(folder, DATABASE)));
    for (const one of logs) await rename(join(dataDir, one), join(folder, one));
    await rename(fresh, path);
  } catch (error) {
    for (const one of logs) await rename(join(folder, one), join(dataDir, one)).catch(() => null);
    throw error;
  }
};

/**
 * Replaces the database with a copy. The service must not be running. Returns the folder, relative to the data folder, that
 * holds the replaced files. @throws {NoCopy} @throws {DataDirBusy}
 */
export const restoreCopy = async (dataDir: string, name: string, now: number): Promise<string> => {
  const path = join(dataDir, FOLDER, name);
  if (!NAME.test(name) || !existsSync(path))
    throw new NoCopy(`There is no copy ${name}. The command "copies" lists them.`);
  const unlock = lockDataDir(dataDir);
  const fresh = join(dataDir, `${DATABASE}.restored`);
  try {
    const damage = damageOf(path);
    if (damage !== null) throw new NoCopy(`The copy ${name} is damaged: ${damage}.`);
    await copyFile(path, fresh);
    await chmod(fresh, 0o600);
    prepareRestored(fresh, usedIn(join(dataDir, DATABASE)), now);
    await flush(fresh);
    const replaced = `replaced-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
    await exchange(dataDir, fresh, join(dataDir, replaced));
    return replaced;
  } finally {
    await rm(fresh, { force: true });
    unlock();
  }
};

/**
 * Daily copies of a SQLite database, beside it: for a laptop whose database is the only one, and whose owner makes no backups.
 * `copies/spotter-2026-01-31.db` in the data folder is whole and sound, made by SQLite's online backup while the service runs
 * and checked before it gets its name; the newest few are kept, and a damaged database never pushes out a sound copy. Photos
 * are not in it: they lie in `files/` and are not changed once stored. `copies restore NAME` puts one in the place of the
 * database, while no service runs; what was there before is moved into `replaced-…/`, never deleted.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { Logger } from 'pino';
import { lockDataDir } from './lock.ts';
import { snapshotDatabase } from './snapshot.ts';

const DATABASE = 'spotter.db';
const FOLDER = 'copies';
const NAME = /^spotter-\d{4}-\d\d-\d\d\.db$/;
const HOUR = 3_600_000;
/** How long the bytes of photos that a restored database does not know are kept for it. */
const ORPHANS_KEPT = 30 * 24 * HOUR;
/** How far ids jump where the database that gave out the last ones cannot be read any more. */
const UNKNOWN_IDS = 1_000_000;

export interface Copy {
  /** `spotter-2026-01-31.db` */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly made_at: number;
  readonly bytes: number;
}

/** The newest first. */
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

/** What SQLite finds wrong in a file, null where nothing is. */
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

/** Makes today's copy unless it is there, and lets the oldest go. @throws Error when the database is damaged */
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

/** Looks now and every hour whether a copy is due. Answers what ends it. */
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

/** A sentence for whoever asked for the copy. */
export class NoCopy extends Error {}

interface Counter {
  readonly name: string;
  readonly last: number;
}

/** How far the ids of a database have come; null where it is too damaged to tell. */
const countersOf = (path: string): readonly Counter[] | null => {
  try {
    const db = new SQLite(path, { readonly: true, fileMustExist: true });
    try {
      return db.prepare<[], Counter>('select name, last from id_counters').all();
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
};

/**
 * What a restored database must know of the one it replaces: that photos without a row are to be kept, and which ids were given
 * out since. An id that came back for another record would let what a client still has to say of the first reach the second.
 */
const prepareRestored = (path: string, used: readonly Counter[] | null, now: number): void => {
  const db = new SQLite(path);
  try {
    db.prepare(
      `insert into service_state (name, value) values ('orphans_kept_until', ?)
         on conflict (name) do update set value = excluded.value`,
    ).run(String(now + ORPHANS_KEPT));
    if (used === null) db.prepare('update id_counters set last = last + ?').run(UNKNOWN_IDS);
    const lift = db.prepare(
      `insert into id_counters (name, last) values (?, ?)
         on conflict (name) do update set last = max(id_counters.last, excluded.last)`,
    );
    for (const { name, last } of used ?? []) lift.run(name, last);
  } finally {
    db.close();
  }
};

/**
 * Puts `fresh` in the place of the database, and what was there into `folder`. The database's place is never empty: a service that
 * found it so after a power cut would begin anew.
 */
const exchange = async (dataDir: string, fresh: string, folder: string): Promise<void> => {
  const path = join(dataDir, DATABASE);
  const logs = [`${DATABASE}-wal`, `${DATABASE}-shm`].filter((one) =>
    existsSync(join(dataDir, one)),
  );
  await mkdir(folder, { mode: 0o700 });
  try {
    // Not every file system has links.
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
 * Puts a copy in the place of the database. The service must not be running. Answers the folder (in the data folder) that what
 * was there before has been moved to. @throws {NoCopy} @throws {DataDirBusy}
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
    prepareRestored(fresh, countersOf(join(dataDir, DATABASE)), now);
    await flush(fresh);
    const replaced = `replaced-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
    await exchange(dataDir, fresh, join(dataDir, replaced));
    return replaced;
  } finally {
    await rm(fresh, { force: true });
    unlock();
  }
};

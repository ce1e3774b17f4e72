/**
 * Opens the window's database. A broken one is deleted and rebuilt from the host's journal, after the host has kept a
 * copy of the broken files (failures A19). A database of a newer version of Spotter is not touched (A28).
 */
import type { Table } from 'dexie';
import { ok, type Result } from '../../../contract/problem.ts';
import { createDb, DB_NAME, DB_VERSIONS, type SpotterDb } from '../../data/db/db.ts';
import { storageProblem } from '../../data/db/storage-problem.ts';

/** Why the window cannot start. */
export type StartProblem =
  /** A newer version of Spotter wrote the database. Nothing was changed (failures A28). */
  | { readonly kind: 'newer_database' }
  /** The disk has no room to open the database; nothing was touched (failures A16). */
  | { readonly kind: 'full_disk' }
  /** IndexedDB does not work in this browser. */
  | { readonly kind: 'no_database'; readonly detail: string }
  /** The host does not answer. */
  | { readonly kind: 'no_host'; readonly detail: string };

export interface Opened {
  readonly db: SpotterDb;
  readonly replaced: boolean;
  /** True if every table was read; false if most near misses of a large project are still unread. */
  readonly whole: boolean;
}
type Answer =
  | { readonly ok: true; readonly value: Opened }
  | { readonly ok: false; readonly problem: StartProblem };

type Versions = typeof DB_VERSIONS;

/** Asks the host to copy the broken files. On `no_space` the files may be intact and only lack room to open. */
type Keep = () => Promise<Result<unknown>>;

/** Checks without opening, because Dexie would open a newer database and change it. Dexie stores version × 10. */
const isNewer = async (name: string, versions: Versions): Promise<boolean> => {
  const found = (await indexedDB.databases()).find((one) => one.name === name);
  return (found?.version ?? 0) >= (versions.length + 1) * 10;
};

/** Near misses read before the first page; most projects have fewer. */
const LOOK = 2_000;

/**
 * Opens the database and looks for damage, which may be in any block of LevelDB's tables. Counting reads every block of
 * a store or index and verifies its checksum without building objects.
 * Only the first near misses are read: a hundred thousand delayed the first page by seconds, and the server or the
 * journal has copies. Damage behind those is found on reading. The browser then closes the database, the window reports
 * it, and the next start rebuilds from the journal (start.ts).
 */
const tryOpen = async (name: string, versions: Versions): Promise<Omit<Opened, 'replaced'>> => {
  const db = createDb(name, versions);
  let whole = true;
  const walk = async (table: Table, order: string): Promise<void> => {
    const rows = table.orderBy(order);
    if (table.name !== 'near_misses') await rows.count();
    else if ((await rows.offset(LOOK).limit(1).primaryKeys()).length > 0) whole = false;
  };
  try {
    await db.open();
    // All requests are issued at once, so that the browser does not wait for the window between them.
    await db.transaction('r', db.tables, () =>
      Promise.all(
        db.tables.flatMap((table) => [
          table.limit(1).toArray(),
          ...[':id', ...table.schema.indexes.map((index) => index.name)].map((order) =>
            walk(table, order),
          ),
        ]),
      ),
    );
    return { db, whole };
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Keeps a copy of the files, deletes the database and opens an empty one. */
export const replaceDb = async (
  name: string,
  why: unknown,
  keep: Keep,
  versions = DB_VERSIONS,
): Promise<Answer> => {
  // A full disk or quota is not damage: the data stays.
  if (storageProblem(why).kind === 'no_space') return { ok: false, problem: { kind: 'full_disk' } };
  try {
    const kept = await keep();
    if (!kept.ok && kept.problem.kind === 'no_space')
      return { ok: false, problem: { kind: 'full_disk' } };
    await createDb(name).delete();
    return { ok: true, value: { ...(await tryOpen(name, versions)), replaced: true } };
  } catch (error) {
    return {
      ok: false,
      problem: { kind: 'no_database', detail: `${String(why)}; ${String(error)}` },
    };
  }
};

export const openDb = async (
  name: string = DB_NAME,
  keep: Keep = () => Promise.resolve(ok(null)),
  versions = DB_VERSIONS,
): Promise<Answer> => {
  // Often refused, and nothing depends on it: the journal is the copy that must not be lost (failures A17).
  void navigator.storage.persist().catch(() => false);
  try {
    if (await isNewer(name, versions)) return { ok: false, problem: { kind: 'newer_database' } };
    return { ok: true, value: { ...(await tryOpen(name, versions)), replaced: false } };
  } catch (error) {
    return replaceDb(name, error, keep, versions);
  }
};

/**
 * Opens the window's database. A broken one is thrown away and made anew, because the host's journal has everything
 * that was promised; before that the host is asked to keep a copy of its files (failures A19). One written by a newer
 * Spotter is left alone (A28).
 */
import type { Table } from 'dexie';
import { ok, type Result } from '../../contract/problem.ts';
import { createDb, DB_NAME, DB_VERSION, type SpotterDb } from '../data/db.ts';
import { storageProblem } from '../data/storage-problem.ts';

/** Why the window has nothing to work with. */
export type StartProblem =
  /** The database was written by a newer Spotter: nothing was touched (failures A28). */
  | { readonly kind: 'newer_database' }
  /** The disk has no room for the database to be opened: nothing was touched (failures A16). */
  | { readonly kind: 'full_disk' }
  /** IndexedDB does not work at all in this browser. */
  | { readonly kind: 'no_database'; readonly detail: string }
  /** The host does not answer. */
  | { readonly kind: 'no_host'; readonly detail: string };

export interface Opened {
  readonly db: SpotterDb;
  readonly replaced: boolean;
  /** All of it was looked at; else most near misses of a large project are still to be read. */
  readonly whole: boolean;
}
type Answer =
  | { readonly ok: true; readonly value: Opened }
  | { readonly ok: false; readonly problem: StartProblem };

/** Asks the host to keep the broken files. `no_space`: they may be whole, and cannot be opened for want of room. */
type Keep = () => Promise<Result<unknown>>;

/** Asked without opening: Dexie would open a newer database and change it. It stores version × 10. */
const isNewer = async (name: string): Promise<boolean> => {
  const found = (await indexedDB.databases()).find((one) => one.name === name);
  return (found?.version ?? 0) >= (DB_VERSION + 1) * 10;
};

/** Near misses that are looked at before the first page: all that most projects have. */
const LOOK = 2_000;

/**
 * Opening alone proves little: the damage may be in any block of LevelDB's tables. Counting walks over every block of
 * a store or an index, whose checksums are looked at on the way, without making objects of the rows. A hundred thousand near
 * misses kept the first page waiting for seconds that way, and they are copies of what the server or the journal has: of
 * them only the first are walked over. Damage behind those is found where it is read: the browser closes the database then,
 * the window says so, and when it is opened again it is as the journal has it (start.ts).
 */
const tryOpen = async (name: string): Promise<Omit<Opened, 'replaced'>> => {
  const db = createDb(name);
  let whole = true;
  const walk = async (table: Table, order: string): Promise<void> => {
    const rows = table.orderBy(order);
    if (table.name !== 'near_misses') await rows.count();
    else if ((await rows.offset(LOOK).limit(1).primaryKeys()).length > 0) whole = false;
  };
  try {
    await db.open();
    // All asked at once: the browser goes from one to the next without waiting for the window.
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

/** Keeps the files, deletes the database and opens an empty one. */
export const replaceDb = async (name: string, why: unknown, keep: Keep): Promise<Answer> => {
  // Full, or over its quota, is not broken: what is there stays.
  if (storageProblem(why).kind === 'no_space') return { ok: false, problem: { kind: 'full_disk' } };
  try {
    const kept = await keep();
    if (!kept.ok && kept.problem.kind === 'no_space')
      return { ok: false, problem: { kind: 'full_disk' } };
    await createDb(name).delete();
    return { ok: true, value: { ...(await tryOpen(name)), replaced: true } };
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
): Promise<Answer> => {
  // Refused more often than not, and nothing rests on it: the journal is what may not be lost (failures A17).
  void navigator.storage.persist().catch(() => false);
  try {
    if (await isNewer(name)) return { ok: false, problem: { kind: 'newer_database' } };
    return { ok: true, value: { ...(await tryOpen(name)), replaced: false } };
  } catch (error) {
    return replaceDb(name, error, keep);
  }
};

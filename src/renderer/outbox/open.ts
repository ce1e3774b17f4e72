/**
 * Opens the window's database. A broken one is thrown away and made anew, because the host's journal has everything
 * that was promised; before that the host is asked to keep a copy of its files (failures A19). One written by a newer
 * Spotter is left alone (A28).
 */
import { ok, type Result } from '../../contract/problem.ts';
import { createDb, DB_NAME, DB_VERSION, type SpotterDb } from '../data/db.ts';
import { storageProblem } from '../data/near-misses.ts';
import type { StartProblem } from './start.ts';

type Opened =
  | { readonly ok: true; readonly value: { readonly db: SpotterDb; readonly replaced: boolean } }
  | { readonly ok: false; readonly problem: StartProblem };

/** Asks the host to keep the broken files. `no_space`: they may be whole, and cannot be opened for want of room. */
type Keep = () => Promise<Result<unknown>>;

/** Asked without opening: Dexie would open a newer database and change it. It stores version × 10. */
const isNewer = async (name: string): Promise<boolean> => {
  const found = (await indexedDB.databases()).find((one) => one.name === name);
  return (found?.version ?? 0) >= (DB_VERSION + 1) * 10;
};

/**
 * Opening alone proves little: the damage may be in any block of LevelDB's tables. Counting walks over every block of
 * a store or an index, whose checksums are looked at on the way, without making objects of the rows.
 */
const tryOpen = async (name: string): Promise<SpotterDb> => {
  const db = createDb(name);
  try {
    await db.open();
    for (const table of db.tables) {
      await table.limit(1).toArray();
      await table.count();
      for (const index of table.schema.indexes) await table.orderBy(index.name).count();
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Keeps the files, deletes the database and opens an empty one. */
export const replaceDb = async (name: string, why: unknown, keep: Keep): Promise<Opened> => {
  // Full, or over its quota, is not broken: what is there stays.
  if (storageProblem(why).kind === 'no_space') return { ok: false, problem: { kind: 'full_disk' } };
  try {
    const kept = await keep();
    if (!kept.ok && kept.problem.kind === 'no_space')
      return { ok: false, problem: { kind: 'full_disk' } };
    await createDb(name).delete();
    return { ok: true, value: { db: await tryOpen(name), replaced: true } };
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
): Promise<Opened> => {
  // Refused more often than not, and nothing rests on it: the journal is what may not be lost (failures A17).
  void navigator.storage.persist().catch(() => false);
  try {
    if (await isNewer(name)) return { ok: false, problem: { kind: 'newer_database' } };
    return { ok: true, value: { db: await tryOpen(name), replaced: false } };
  } catch (error) {
    return replaceDb(name, error, keep);
  }
};

/**
 * Opens the window's database. A broken one is thrown away and made anew, because the host's journal has everything
 * that was promised (failures A19); one written by a newer Spotter is left alone (A28).
 */
import { createDb, DB_NAME, DB_VERSION, type SpotterDb } from '../data/db.ts';
import type { StartProblem } from './start.ts';

type Opened =
  | { readonly ok: true; readonly value: { readonly db: SpotterDb; readonly replaced: boolean } }
  | { readonly ok: false; readonly problem: StartProblem };

/** Asked without opening: Dexie would open a newer database and change it. It stores version × 10. */
const isNewer = async (name: string): Promise<boolean> => {
  const found = (await indexedDB.databases()).find((one) => one.name === name);
  return (found?.version ?? 0) >= (DB_VERSION + 1) * 10;
};

/** Opening alone proves little: LevelDB may be damaged in a table's blocks. Every table is looked into. */
const tryOpen = async (name: string): Promise<SpotterDb> => {
  const db = createDb(name);
  try {
    await db.open();
    for (const table of db.tables) await table.limit(1).toArray();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

export const openDb = async (name: string = DB_NAME): Promise<Opened> => {
  let first: unknown;
  try {
    if (await isNewer(name)) return { ok: false, problem: { kind: 'newer_database' } };
    return { ok: true, value: { db: await tryOpen(name), replaced: false } };
  } catch (error) {
    first = error;
  }
  try {
    await createDb(name).delete();
    return { ok: true, value: { db: await tryOpen(name), replaced: true } };
  } catch (error) {
    return {
      ok: false,
      problem: { kind: 'no_database', detail: `${String(first)}; ${String(error)}` },
    };
  }
};

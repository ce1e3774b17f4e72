/**
 * Opens the window's database. A broken one is thrown away and made anew, because the host's journal has everything
 * that was promised (failures A19); one written by a newer Spotter is left alone (A28).
 */
import { createDb, DB_NAME, type SpotterDb } from '../data/db.ts';
import type { StartProblem } from './start.ts';

type Opened =
  | { readonly ok: true; readonly value: { readonly db: SpotterDb; readonly replaced: boolean } }
  | { readonly ok: false; readonly problem: StartProblem };

const nameOf = (error: unknown): string => {
  const named = error as { name?: string; inner?: { name?: string } } | null;
  return named?.inner?.name ?? named?.name ?? '';
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
    return { ok: true, value: { db: await tryOpen(name), replaced: false } };
  } catch (error) {
    first = error;
  }
  if (nameOf(first) === 'VersionError') return { ok: false, problem: { kind: 'newer_database' } };
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

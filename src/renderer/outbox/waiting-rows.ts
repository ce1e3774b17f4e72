/**
 * The rows that are here because an entry waits: of the near miss, photo or file that it brings. Which these are the entry answers
 * (`rowsOf` in operations/). A rebuild and an import put the rows that are missing; where an entry is taken back its rows go.
 */
import type { NearMissRow, PhotoRow, SpotterDb, TmAttachmentRow } from '../data/db.ts';

export type WaitingRow = { readonly key: string } & (
  | { readonly table: 'near_misses'; readonly row: NearMissRow }
  | { readonly table: 'photos'; readonly row: PhotoRow }
  | { readonly table: 'tm_attachments'; readonly row: TmAttachmentRow }
);

/** Rows a step: the window breathes between two. */
const STEP = 200;

const tableOf = (db: SpotterDb, table: WaitingRow['table']) =>
  db.table<WaitingRow['row'], string>(table);

/** The keys of those that are here already, whatever waits for them. No two tables have a key in common. */
export const rowsHere = async (
  db: SpotterDb,
  rows: readonly WaitingRow[],
): Promise<ReadonlySet<string>> => {
  const here: string[] = [];
  for (const [table, of] of Map.groupBy(rows, (one) => one.table)) {
    const keys = of.map(({ key }) => key);
    here.push(...(await tableOf(db, table).where(':id').anyOf(keys).primaryKeys()));
  }
  return new Set(here);
};

/** Inside a transaction: puts those that are not here. */
export const putRows = async (db: SpotterDb, rows: readonly WaitingRow[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += STEP) {
    const some = rows.slice(at, at + STEP);
    const here = await rowsHere(db, some);
    for (const { table, key, row } of some) if (!here.has(key)) await tableOf(db, table).put(row);
  }
};

/** Has nobody but this laptop the near miss, and does nothing wait for it any more? */
const isOver = async (db: SpotterDb, key: string): Promise<boolean> => {
  const row = await db.near_misses.get(key);
  return row?.server_id === null && (await db.entries.where('lane').equals(key).count()) === 0;
};

/** Inside a transaction, after their entries went. A near miss that the server has, or that something waits for, stays. */
export const dropRows = async (db: SpotterDb, rows: readonly WaitingRow[]): Promise<void> => {
  for (const { table, key } of rows)
    if (table !== 'near_misses' || (await isOver(db, key))) await tableOf(db, table).delete(key);
};

/**
 * Optimistic rows: the near miss, photo or file that exists locally because an operation is queued, as `rowsOf` in
 * operations/ builds it. A rebuild and an import add missing rows; cancelling an operation removes its rows.
 */
import type { NearMissRow, PhotoRow, SpotterDb, TmAttachmentRow } from '../../data/db/db.ts';

export type OptimisticRow = { readonly key: string } & (
  | { readonly table: 'near_misses'; readonly row: NearMissRow }
  | { readonly table: 'photos'; readonly row: PhotoRow }
  | { readonly table: 'tm_attachments'; readonly row: TmAttachmentRow }
);

/** Rows per step; the event loop runs between two steps. */
const STEP = 200;

const tableOf = (db: SpotterDb, table: OptimisticRow['table']) =>
  db.table<OptimisticRow['row'], string>(table);

/** The keys of rows that exist already, whether or not an operation needs them. No two tables share a key. */
export const rowsHere = async (
  db: SpotterDb,
  rows: readonly OptimisticRow[],
): Promise<ReadonlySet<string>> => {
  const here: string[] = [];
  for (const [table, of] of Map.groupBy(rows, (one) => one.table)) {
    const keys = of.map(({ key }) => key);
    here.push(...(await tableOf(db, table).where(':id').anyOf(keys).primaryKeys()));
  }
  return new Set(here);
};

/** Adds the missing rows, inside a transaction. */
export const putRows = async (db: SpotterDb, rows: readonly OptimisticRow[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += STEP) {
    const some = rows.slice(at, at + STEP);
    const here = await rowsHere(db, some);
    for (const { table, key, row } of some) if (!here.has(key)) await tableOf(db, table).put(row);
  }
};

/** True if the near miss is only local and no operation needs it. */
const isOver = async (db: SpotterDb, key: string): Promise<boolean> => {
  const row = await db.near_misses.get(key);
  return row?.server_id === null && (await db.operations.where('lane').equals(key).count()) === 0;
};

/**
 * Runs inside a transaction, after the operations were removed. Keeps a near miss that the server has or that an operation
 * needs.
 */
export const dropRows = async (db: SpotterDb, rows: readonly OptimisticRow[]): Promise<void> => {
  for (const { table, key } of rows)
    if (table !== 'near_misses' || (await isOver(db, key))) await tableOf(db, table).delete(key);
};

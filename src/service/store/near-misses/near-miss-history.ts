/** [ours] Entries of the history of near misses in SQL (decisions §15). They are only appended and redacted. */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

export type HistoryRow = Database['near_miss_history'];

export interface Where {
  readonly company_id: number;
  readonly near_miss_id: number;
}

const entriesOf = (db: Db, { company_id, near_miss_id }: Where) =>
  db
    .selectFrom('near_miss_history as h')
    .where('h.company_id', '=', company_id)
    .where('h.near_miss_id', '=', near_miss_id);

/** The entry that the next one continues. */
export const lastEntry = (
  tx: Db,
  where: Where,
): Promise<Pick<HistoryRow, 'position' | 'hash'> | undefined> =>
  entriesOf(tx, where)
    .select(['h.position', 'h.hash'])
    .orderBy('h.position', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertEntry = async (tx: Db, row: HistoryRow): Promise<void> => {
  await tx.insertInto('near_miss_history').values(row).execute();
};

/** Names nobody in entries from before the near miss was anonymised: their hashes need the id, and no more (decisions §20.3). */
const named = (column: 'u.name' | 'u.login') => sql<string>`
  case when n.anonymised_at is null or h.at >= n.anonymised_at then ${sql.ref(column)} else '' end`;

const withUser = (db: Db, where: Where) =>
  entriesOf(db, where)
    .innerJoin('near_misses as n', (on) =>
      on.onRef('n.company_id', '=', 'h.company_id').onRef('n.id', '=', 'h.near_miss_id'),
    )
    .innerJoin('users as u', 'u.id', 'h.user_id')
    .selectAll('h')
    .select([named('u.name').as('user_name'), named('u.login').as('user_login')]);

export type ShownEntry = HistoryRow & { readonly user_name: string; readonly user_login: string };

/** Newest first. */
export const listEntries = (
  db: Db,
  where: Where,
  { limit, offset }: Slice,
): Promise<ShownEntry[]> =>
  withUser(db, where).orderBy('h.position', 'desc').limit(limit).offset(offset).execute();

export const findEntry = (
  db: Db,
  where: Where,
  position: number,
): Promise<ShownEntry | undefined> =>
  withUser(db, where).where('h.position', '=', position).executeTakeFirst();

/** Removes the content and its salt. Digest and hash stay. */
export const redactEntry = async (
  tx: Db,
  { company_id, near_miss_id }: Where,
  position: number,
): Promise<void> => {
  await tx
    .updateTable('near_miss_history')
    .set({ changes: null, salt: null })
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', near_miss_id)
    .where('position', '=', position)
    .execute();
};

/** Removes the content of all entries, except of redactions, which name entries alone. @returns the entries that had content */
export const redactEntries = async (
  tx: Db,
  { company_id, near_miss_id }: Where,
): Promise<number[]> => {
  const all = tx
    .updateTable('near_miss_history')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', near_miss_id);
  await all.set({ client: null }).execute();
  const rows = await all
    .set({ changes: null, salt: null })
    .where('changes', 'is not', null)
    .where('action', '<>', 'redacted')
    .returning('position')
    .execute();
  return rows.map(({ position }) => position).toSorted((a, b) => a - b);
};

/** The creation of a near miss. It is stored in the record's row, so that a create writes no entry. */
export const findBeginning = (db: Db, { company_id, near_miss_id }: Where) =>
  db
    .selectFrom('near_misses as n')
    .innerJoin('users as u', 'u.id', 'n.created_by')
    .select([
      'n.created_at',
      'n.created_with',
      'u.id as user_id',
      'u.name as user_name',
      'u.login as user_login',
    ])
    .where('n.company_id', '=', company_id)
    .where('n.id', '=', near_miss_id)
    .executeTakeFirst();

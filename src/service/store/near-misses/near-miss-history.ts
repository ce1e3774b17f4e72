/** [ours] Entries of the history of near misses in SQL (decisions §15). They are only appended and redacted. */
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

const withUser = (db: Db, where: Where) =>
  entriesOf(db, where)
    .innerJoin('users as u', 'u.id', 'h.user_id')
    .selectAll('h')
    .select(['u.name as user_name', 'u.login as user_login']);

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

/**
 * [ours] Lists in the order of their changes (decisions §14). A page is one statement over the records and, if the reader asks for
 * them, the tombstones of deleted ones, so both come from one snapshot.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Db } from './db.ts';
import { countOf, newestFirst, type Slice } from './newest-first.ts';

/** Parsed `filters[updated_at]`, `after_id`, `sort` and `include_deleted`. Times are in milliseconds and inclusive. */
export interface Following {
  readonly from: number | null;
  readonly to: number | null;
  /** Leaves out records at `from` with this id or a lower one. */
  readonly after_id: number | null;
  /** Null: newest first by `created_at`, as without following. */
  readonly descending: boolean | null;
  readonly deleted: boolean;
}

/** Conditions on a time and an id, which lead an index. */
export const inRange = (
  at: string,
  id: string,
  { from, to, after_id }: Following,
): RawBuilder<boolean> => {
  const [time, key] = [sql.ref(at), sql.ref(id)];
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== null && after_id === null) conditions.push(sql`${time} >= ${from}`);
  if (from !== null && after_id !== null)
    conditions.push(sql`(${time}, ${key}) > (${from}, ${after_id})`);
  if (to !== null) conditions.push(sql`${time} <= ${to}`);
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
};

/** Names the tombstones of a list. Every write and read of the list must use the same text. */
export interface Tombs {
  readonly company_id: number;
  readonly list: string;
}

/** Records that these rows are gone. @param at the stamp of the change */
export const bury = async (
  tx: Db,
  { company_id, list }: Tombs,
  ids: readonly number[],
  at: number,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += 500)
    await tx
      .insertInto('tombstones')
      .values(ids.slice(from, from + 500).map((id) => ({ company_id, list, id, deleted_at: at })))
      .execute();
};

/** A record of a page, or a deleted one. */
export interface Followed {
  readonly id: number;
  readonly at: number;
  readonly gone: number;
}

interface Source<DB, TB extends keyof DB> {
  /** The records of the list, without selected columns. */
  readonly records: SelectQueryBuilder<DB, TB, object>;
  /** The prefix of the columns `id` and `updated_at`: `i.` for an alias `i`. */
  readonly prefix?: string;
  /** Statement of the deleted rows, with the columns `id`, `at` and `gone` (1); null: the list has none. */
  readonly gone: RawBuilder<unknown> | null;
}

/** The tombstones of a list, if the reader asks for them. */
export const goneFrom = (
  { company_id, list }: Tombs,
  following: Following,
): RawBuilder<unknown> | null =>
  following.deleted
    ? sql`select id, deleted_at as at, 1 as gone from tombstones
        where company_id = ${company_id} and list = ${list}
          and ${inRange('deleted_at', 'id', following)}`
    : null;

const matching = <DB, TB extends keyof DB>(
  { records, prefix = '' }: Source<DB, TB>,
  following: Following,
) => records.where(inRange(`${prefix}updated_at`, `${prefix}id`, following) as never);

const countFollowed = async <DB, TB extends keyof DB>(
  db: Db,
  source: Source<DB, TB>,
  following: Following,
): Promise<number> => {
  const total = await countOf(matching(source, following));
  if (source.gone === null) return total;
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${source.gone}) as g`.execute(db);
  return total + Number(rows[0]?.total ?? 0);
};

/** A page of ids in the order of the query. Ties go by ascending id. */
const pageFollowed = async <DB, TB extends keyof DB>(
  db: Db,
  source: Source<DB, TB>,
  following: Following,
  slice: Slice,
): Promise<readonly Followed[]> => {
  const { prefix = '', gone } = source;
  const columns = [
    sql.ref(`${prefix}id`).as('id'),
    sql.ref(`${prefix}updated_at`).as('at'),
    sql.lit(0).as('gone'),
  ];
  const records = matching(source, following).select(columns as never);
  if (following.descending === null) {
    const rows = await newestFirst(records, slice, prefix.replace('.', ''));
    return rows as unknown as Followed[];
  }
  const direction = sql.raw(following.descending ? 'desc' : 'asc');
  const all =
    gone === null ? sql`${records}` : sql`select * from (${records}) as r union all ${gone}`;
  const { rows } = await sql<Followed>`
    select id, at, gone from (${all}) as f order by at ${direction}, id asc
    limit ${slice.limit} offset ${slice.offset}`.execute(db);
  return rows;
};

/** Reads one followed list: its total, and a page of it. */
export const followedList = <DB, TB extends keyof DB>(
  db: Db,
  source: Source<DB, TB>,
  following: Following,
) => ({
  count: (): Promise<number> => countFollowed(db, source, following),
  page: (slice: Slice): Promise<readonly Followed[]> => pageFollowed(db, source, following, slice),
});

/** Pages a list, newest first (decisions §2.3), and counts its rows. */
import { sql, type SelectQueryBuilder } from 'kysely';

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** Counts the rows of a query that has no selected columns yet. */
export const countOf = async <DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> => {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('total'));
  // Kysely cannot infer the row type of a generic table.
  const { total } = (await counted.executeTakeFirstOrThrow()) as { readonly total: number };
  return Number(total);
};

/** Ties break by descending id. @param table the table of `created_at` and `id`, if the query has several */
export const newestFirst = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, offset }: Slice,
  table = '',
): Promise<Row[]> => {
  const column = (name: string) => sql.ref(table === '' ? name : `${table}.${name}`);
  return query
    .orderBy(column('created_at'), 'desc')
    .orderBy(column('id'), 'desc')
    .limit(limit)
    .offset(offset)
    .execute() as Promise<Row[]>;
};

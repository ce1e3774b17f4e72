/** Lists as most are shown: newest first, a page at a time (decisions §2.3), and how many there are in all. */
import { sql, type SelectQueryBuilder } from 'kysely';

/** The rows of one page. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** How many rows a query finds, before anybody says which columns it wants. */
export const countOf = async <DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> => {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('total'));
  // Of a table it does not know, Kysely cannot say what a row looks like.
  const { total } = (await counted.executeTakeFirstOrThrow()) as { readonly total: number };
  return Number(total);
};

/** `table`: whose `created_at` and `id`, where a query names several. Of one moment's rows the one with the highest id is the newest. */
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

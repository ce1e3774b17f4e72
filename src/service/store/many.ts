/**
 * Many rows in one statement, handed over as one JSON text: its SQL is the same for any number of rows, so that it is written and
 * planned once. The one place where the two databases are asked in words of their own.
 */
import { sql, SqliteAdapter, type Compilable, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import type { Database } from './schema.ts';

export type Kind = 'bigint' | 'integer' | 'text';
export type Kinds = Readonly<Record<string, Kind>>;

export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

/** The objects of a JSON array as a table `r` with these columns. */
export const jsonRows = (db: Db, json: string, kinds: Kinds): RawBuilder<unknown> => {
  const columns = Object.entries(kinds);
  if (isSqlite(db)) {
    const values = columns.map(
      ([name]) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join(values)} from json_each(${json})) as r`;
  }
  const typed = columns.map(([name, kind]) => sql`${sql.ref(name)} ${sql.raw(kind)}`);
  return sql`json_to_recordset(cast(${json} as json)) as r(${sql.join(typed)})`;
};

/** A JSON array of these values. */
export const jsonArray = (db: Db, values: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`json_array(${sql.join([...values])})`
    : sql`json_build_array(${sql.join([...values])})`;

/** One text for all rows, in their order: a JSON array of what each has; null of no rows on PostgreSQL. */
export const jsonArrayOf = (db: Db, value: RawBuilder<unknown>): RawBuilder<string> =>
  isSqlite(db) ? sql`json_group_array(${value})` : sql`cast(json_agg(${value}) as text)`;

/** What `prepared` takes of a statement that is written by hand. */
export const written = <Row>(db: Db, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
});

export type KindsOf<T extends keyof Database> = { readonly [C in keyof Database[T]]: Kind };

/** `more`: what follows the insert, such as `on conflict`. */
export const insertMany = <T extends keyof Database>(
  table: T,
  kinds: KindsOf<T>,
  more: RawBuilder<unknown> = sql``,
): ((tx: Db, rows: readonly Database[T][]) => Promise<void>) => {
  const insert = prepared((tx: Db, { rows }: { readonly rows: string }) => {
    const columns = sql.join(Object.keys(kinds).map((name) => sql.ref(name)));
    // "where true": without it SQLite takes `on conflict` for the join's condition.
    return written(
      tx,
      sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${jsonRows(tx, rows, kinds as Kinds)} where true ${more}`,
    );
  });
  return async (tx, rows) => {
    if (rows.length > 0) await insert(tx, { rows: JSON.stringify(rows) });
  };
};

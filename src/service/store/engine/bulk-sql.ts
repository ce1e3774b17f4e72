/**
 * Bulk SQL: passes many rows to one statement as a JSON parameter, so the SQL is the same for any number of rows and is planned
 * once. The SQL that differs between the two databases is generated here.
 */
import { sql, SqliteAdapter, type Compilable, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import type { Database } from './schema.ts';

type Kind = 'bigint' | 'integer' | 'text';
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

export const jsonArray = (db: Db, values: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`json_array(${sql.join([...values])})`
    : sql`json_build_array(${sql.join([...values])})`;

/** Aggregates all rows into one JSON array, as text. Null on PostgreSQL if there are no rows. */
export const jsonArrayOf = (db: Db, value: RawBuilder<unknown>): RawBuilder<string> =>
  isSqlite(db) ? sql`json_group_array(${value})` : sql`cast(json_agg(${value}) as text)`;

/** Adapts handwritten SQL for `prepared`. */
export const written = <Row>(db: Db, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
});

export type KindsOf<T extends keyof Database> = { readonly [C in keyof Database[T]]: Kind };

/** @param more the end of the statement, such as `on conflict` */
export const insertMany = <T extends keyof Database>(
  table: T,
  kinds: KindsOf<T>,
  more: RawBuilder<unknown> = sql``,
): ((tx: Db, rows: readonly Database[T][]) => Promise<void>) => {
  const insert = prepared((tx: Db, { rows }: { readonly rows: string }) => {
    const columns = sql.join(Object.keys(kinds).map((name) => sql.ref(name)));
    // Without "where true" SQLite parses `on conflict` as a join condition.
    return written(
      tx,
      sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${jsonRows(tx, rows, kinds as Kinds)} where true ${more}`,
    );
  });
  return async (tx, rows) => {
    if (rows.length > 0) await insert(tx, { rows: JSON.stringify(rows) });
  };
};

/**
 * What a company keeps itself, in SQL: one set of statements for all its tables, which have the same leading columns (decisions §11).
 * What else a table has is its kind's affair (domain/company-record-kinds.ts).
 */
import { sql } from 'kysely';
import type { CompanyRecordKind } from '../../contract/rest/company-records.ts';
import type { Db } from './db.ts';
import { containsPattern } from './fold.ts';
import { countOf, newestFirst, type Slice } from './newest-first.ts';
import { foreignColumns } from './near-miss-lists.ts';
import type { CompanyRecord } from './schema.ts';
import { namesChanged } from './shown-names.ts';

export type Value = string | number | null;

/** A row of any of the tables. */
export type RecordRow = CompanyRecord & { readonly [column: string]: Value };

/** Which table, and which of its columns holds the names. */
export interface RecordTable {
  readonly kind: CompanyRecordKind;
  readonly name: 'name' | 'label';
}

export interface RecordFilters {
  readonly active?: 0 | 1 | undefined;
  readonly origin_id?: string | undefined;
  /** Part of the name. */
  readonly query?: string | undefined;
}

/** Values of one `in`: databases limit them. */
const BATCH = 500;

// Kysely knows each table by itself; of the columns that all have, `vendors` stands for every one.
const tableOf = ({ kind }: RecordTable) => kind as 'vendors';
/** Of names as they are compared (contract/fold.ts). */
export const foldedColumn = ({ name }: RecordTable) => `${name}_folded` as const;

const matching = (db: Db, table: RecordTable, company_id: number, filters: RecordFilters) => {
  let query = db.selectFrom(tableOf(table)).where('company_id', '=', company_id);
  if (filters.active !== undefined) query = query.where('active', '=', filters.active);
  if (filters.origin_id !== undefined) query = query.where('origin_id', '=', filters.origin_id);
  if (filters.query !== undefined && filters.query !== '')
    query = query.where(
      // `ñ` sorts apart, but is found as `n` (contract/fold.ts).
      sql<boolean>`replace(${sql.ref(foldedColumn(table))}, ${'\u007f'}, '')
        like ${containsPattern(filters.query)} escape '\\'`,
    );
  return query;
};

export const countRecords = (
  db: Db,
  table: RecordTable,
  company_id: number,
  filters: RecordFilters,
): Promise<number> => countOf(matching(db, table, company_id, filters));

export const listRecords = async (
  db: Db,
  table: RecordTable,
  company_id: number,
  filters: RecordFilters,
  slice: Slice,
): Promise<RecordRow[]> =>
  (await newestFirst(
    matching(db, table, company_id, filters).selectAll(),
    slice,
  )) as unknown as RecordRow[];

export const findRecord = async (
  db: Db,
  table: RecordTable,
  company_id: number,
  id: number,
): Promise<RecordRow | undefined> =>
  (await db
    .selectFrom(tableOf(table))
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst()) as unknown as RecordRow | undefined;

/** Records with one of these values in the column, by id. */
export const findRecordsBy = async (
  db: Db,
  table: RecordTable,
  company_id: number,
  column: string,
  values: readonly (string | number)[],
): Promise<RecordRow[]> => {
  const found: RecordRow[] = [];
  for (let at = 0; at < values.length; at += BATCH) {
    const rows = await db
      .selectFrom(tableOf(table))
      .selectAll()
      .where('company_id', '=', company_id)
      .where(column as 'id', 'in', values.slice(at, at + BATCH) as number[])
      .orderBy('id')
      .execute();
    found.push(...(rows as unknown as RecordRow[]));
  }
  return found;
};

/** Rows of one kind have the same columns. */
export const insertRecords = async (
  tx: Db,
  table: RecordTable,
  rows: readonly RecordRow[],
): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto(tableOf(table))
      .values(rows.slice(at, at + BATCH) as never)
      .execute();
};

/** Tables whose rows near misses show. */
const shown: ReadonlySet<string> = new Set([
  ...Object.values(foreignColumns),
  'custom_field_definitions',
]);

/** Writes the record as it is now; the caller has counted its version up. */
export const updateRecord = async (tx: Db, table: RecordTable, row: RecordRow): Promise<void> => {
  const { company_id, id, ...values } = row;
  if (shown.has(table.kind)) await namesChanged(tx, company_id, row.updated_at);
  await tx
    .updateTable(tableOf(table))
    .set(values as never)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

/** Of these rows of the company, those that there are: what a record may point at. */
export const findPointedAt = async (
  db: Db,
  kind: 'projects' | 'folders',
  company_id: number,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly project_id: number | null }[]> => {
  if (ids.length === 0) return [];
  if (kind === 'projects') {
    const rows = await db
      .selectFrom('projects')
      .select('id')
      .where('company_id', '=', company_id)
      .where('id', 'in', [...ids])
      .execute();
    return rows.map(({ id }) => ({ id, project_id: null }));
  }
  return db
    .selectFrom('folders')
    .select(['id', 'project_id'])
    .where('company_id', '=', company_id)
    .where('id', 'in', [...ids])
    .execute();
};

/** Runs `work` and undoes what it wrote: what would happen, without its happening. */
export const undone = async <T>(tx: Db, work: () => Promise<T>): Promise<T> => {
  await sql`savepoint undone`.execute(tx);
  try {
    return await work();
  } finally {
    await sql`rollback to savepoint undone`.execute(tx);
    await sql`release savepoint undone`.execute(tx);
  }
};

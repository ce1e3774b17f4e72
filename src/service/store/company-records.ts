/**
 * SQL for the records that a company maintains. One set of statements serves all tables, because their leading columns are the
 * same (decisions §11). domain/company/company-record-kinds.ts knows the other columns of each kind.
 */
import { sql } from 'kysely';
import type { CompanyRecordKind } from '../../contract/rest/company-records.ts';
import { beginStamps } from './engine/change-clock.ts';
import type { Db } from './engine/db.ts';
import { containsPattern } from './engine/fold.ts';
import { followedList, type Following } from './engine/following.ts';
import { countOf, newestFirst, type Slice } from './engine/newest-first.ts';
import { foreignColumns } from './near-misses/near-miss-lists.ts';
import type { CompanyRecord } from './engine/schema.ts';
import { namesChanged } from './engine/denormalized-names.ts';

export type Value = string | number | null;

export type RecordRow = CompanyRecord & { readonly [column: string]: Value };

export interface RecordTable {
  readonly kind: CompanyRecordKind;
  readonly name: 'name' | 'label';
}

export interface RecordFilters {
  readonly active?: 0 | 1 | undefined;
  readonly origin_id?: string | undefined;
  readonly query?: string | undefined;
  /** Only records of these projects, and those of the whole company; null: of all projects. */
  readonly project_ids: readonly number[] | null;
}

/** Values per `in` list: databases limit them. */
const BATCH = 500;

// Kysely types each table separately. `vendors` serves as the type of the columns that all of them share.
const tableOf = ({ kind }: RecordTable) => kind as 'vendors';
/** The column with the folded name, which searches and sorts compare (contract/text/fold.ts). */
export const foldedColumn = ({ name }: RecordTable) => `${name}_folded` as const;

const matching = (db: Db, table: RecordTable, company_id: number, filters: RecordFilters) => {
  let query = db.selectFrom(tableOf(table)).where('company_id', '=', company_id);
  if (filters.active !== undefined) query = query.where('active', '=', filters.active);
  if (filters.origin_id !== undefined) query = query.where('origin_id', '=', filters.origin_id);
  const { project_ids } = filters;
  if (project_ids !== null) {
    // PostgreSQL takes no empty list, and no project has the id 0.
    const ids = [0, ...project_ids];
    query =
      table.kind === 'projects'
        ? query.where('id', 'in', ids)
        : query.where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', 'in', ids)]));
  }
  if (filters.query !== undefined && filters.query !== '')
    query = query.where(
      // `ñ` sorts after `n`, but a search for `n` finds it (contract/text/fold.ts).
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

/** [ours] The list as a reader follows it. Nothing is deleted (decisions §11.3). */
export const followRecords = (
  db: Db,
  table: RecordTable,
  company_id: number,
  filters: RecordFilters,
  following: Following,
) => followedList(db, { records: matching(db, table, company_id, filters), gone: null }, following);

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

/** Records with one of these values in the column, in id order within each batch. */
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

/** Inserts rows of one kind. All rows must have the same columns. */
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

/** Tables that near misses show names of. */
const shown: ReadonlySet<string> = new Set([
  ...Object.values(foreignColumns),
  'custom_field_definitions',
]);

/** Writes the whole record. The caller has already incremented its version. */
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

/** Returns the rows that exist in the company. Used to check the foreign keys of a record. */
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

/** Runs `work` under a savepoint and rolls it back: a dry run. */
export const undone = async <T>(tx: Db, work: () => Promise<T>): Promise<T> => {
  await sql`savepoint undone`.execute(tx);
  try {
    return await work();
  } finally {
    await sql`rollback to savepoint undone`.execute(tx);
    beginStamps(tx);
    await sql`release savepoint undone`.execute(tx);
  }
};

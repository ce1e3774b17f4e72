/**
 * For projects with very many near misses: how many each has, kept; indexes for each filter and order that one can serve; and for SQLite the
 * trigrams of the texts that are searched (PostgreSQL's index is made beside the migrations, postgres-search.ts).
 * Each index also holds what tells whether a record is shown (its incident, and for SQLite whether it is recycled): what a page skips, and
 * what is only counted, is not read.
 */
import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const LISTS = [
  ['near_misses_active', sql`deleted_at is null`],
  ['near_misses_recycled', sql`deleted_at is not null`],
] as const;

const FILTERS = [
  'incident_id',
  'affected_company_id',
  'affected_party_id',
  'affected_person_id',
  'harm_source_id',
  'work_activity_id',
  'managed_equipment_id',
] as const;

const SHOWN = ['incident_id', 'deleted_at'];

const makeCounts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('near_miss_counts')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('active', 'bigint', (c) => c.notNull())
    .addColumn('recycled', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('near_miss_counts_pk', ['company_id', 'project_id'])
    .execute();
  await sql`
    insert into near_miss_counts (company_id, project_id, active, recycled)
    select company_id, project_id, sum(case when deleted_at is null then 1 else 0 end),
      sum(case when deleted_at is null then 0 else 1 end)
    from near_misses group by company_id, project_id`.execute(db);
};

const makeIndexes = async (db: Kysely<unknown>): Promise<void> => {
  const make = (name: string, columns: readonly string[], where: unknown) =>
    db.schema
      .createIndex(name)
      .on('near_misses')
      .columns(['company_id', 'project_id', ...columns] as never)
      .where(where as never)
      .execute();
  for (const [name, where] of LISTS) {
    await db.schema.dropIndex(name).execute();
    await make(name, ['created_at desc', 'id desc', ...SHOWN], where);
  }
  for (const column of FILTERS)
    await make(
      `near_misses_by_${column}`,
      [column, 'created_at desc', 'id desc', ...SHOWN.filter((one) => one !== column)],
      sql`deleted_at is null and ${sql.ref(column)} is not null`,
    );
  await make('near_misses_by_number', ['number', 'id', ...SHOWN], sql`deleted_at is null`);
};

/** Before each text its project as three letters of the private use area: near-miss-search.ts tells why. */
const makeTrigrams = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create virtual table near_miss_search using fts5 (search,
    content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`.execute(
    db,
  );
  await sql`
    insert into near_miss_search (rowid, search)
    select id, char(57344 + project_id % 6400, 57344 + project_id / 6400 % 6400,
      57344 + project_id / 6400 / 6400 % 6400, 1) || search
    from near_misses`.execute(db);
};

export const growth: Migration = {
  up: async (db: Kysely<unknown>) => {
    await makeCounts(db);
    await makeIndexes(db);
    if (db.getExecutor().adapter instanceof SqliteAdapter) await makeTrigrams(db);
  },
};

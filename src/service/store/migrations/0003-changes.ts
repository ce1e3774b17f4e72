/**
 * Lists in the order of their changes (decisions §14): the stamp of each company, tombstones, and who lost sight of which incident.
 * schema.ts says what the columns mean. Never edit it after a release.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

type Db = Kysely<unknown>;

/** Tables whose records had no `updated_at`, because they never change. */
const UNCHANGING = [
  'project_memberships',
  'time_and_material_entry_attachments',
  'webhook_triggers',
] as const;

/** Every table of a list that readers follow. */
const LISTED = [
  ...UNCHANGING,
  'near_misses',
  'incidents',
  'insurances',
  'webhook_hooks',
  'projects',
  'people',
  'parties',
  'vendors',
  'affected_companies',
  'managed_equipment',
  'harm_sources',
  'work_activities',
  'time_and_material_entries',
  'folders',
  'documents',
  'custom_field_definitions',
] as const;

const addTimes = async (db: Db): Promise<void> => {
  for (const table of UNCHANGING) {
    await db.schema
      .alterTable(table)
      .addColumn('updated_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update ${sql.table(table)} set updated_at = created_at`.execute(db);
  }
};

/** A company goes on after its latest change. */
const addStamps = async (db: Db): Promise<void> => {
  await db.schema
    .alterTable('companies')
    .addColumn('changed_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  const latest = LISTED.map(
    (table) =>
      sql`select max(t.updated_at) as at from ${sql.table(table)} t where t.company_id = companies.id`,
  );
  await sql`update companies set changed_at = coalesce(
    (select max(l.at) from (${sql.join(latest, sql` union all `)}) as l), 0)`.execute(db);
};

const makeTables = async (db: Db): Promise<void> => {
  await db.schema
    .createTable('tombstones')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint', (c) => c.notNull())
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('tombstones_pk', ['company_id', 'list', 'deleted_at', 'id'])
    .execute();
  await db.schema
    .createTable('incident_losses')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('incident_id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .addColumn('lost_at', 'bigint', (c) => c.notNull())
    .addColumn('last_near_miss_id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('incident_losses_pk', [
      'company_id',
      'user_id',
      'incident_id',
      'lost_at',
    ])
    .execute();
};

const makeIndexes = async (db: Db): Promise<void> => {
  const place = ['company_id', 'project_id', 'updated_at', 'id'] as const;
  await db.schema
    .createIndex('near_misses_by_change')
    .on('near_misses')
    .columns([...place, 'incident_id', 'deleted_at'])
    .execute();
  await db.schema
    .createIndex('incidents_by_change')
    .on('incidents')
    .columns([...place])
    .execute();
};

export const changes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await addTimes(db);
    await addStamps(db);
    await makeTables(db);
    await makeIndexes(db);
  },
};

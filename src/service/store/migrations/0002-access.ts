/**
 * Levels, projects and deactivation of users; limits of tokens; enrolment codes; shifts; who attached a file (decisions §12). The
 * first user of each company becomes its admin, all others become standard, so that nobody loses a company.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

type Db = Kysely<unknown>;

const users = async (db: Db): Promise<void> => {
  await db.schema
    .alterTable('company_users')
    .addColumn('level', 'text', (c) => c.notNull().defaultTo('standard'))
    .execute();
  await db.schema.alterTable('company_users').addColumn('project_ids', 'text').execute();
  await db.schema
    .alterTable('company_users')
    .addColumn('active', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await sql`update company_users set level = 'admin' where user_id = (
    select min(f.user_id) from company_users f where f.company_id = company_users.company_id)`.execute(
    db,
  );
};

const tokens = async (db: Db): Promise<void> => {
  await db.schema.alterTable('tokens').addColumn('level', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('expires_at', 'bigint').execute();
  await db.schema.alterTable('tokens').addColumn('last_used_at', 'bigint').execute();
  await db.schema.createIndex('tokens_by_user').on('tokens').columns(['user_id']).execute();
  await db.schema
    .createTable('enrolment_codes')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_by', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('enrolment_codes_pk', ['company_id', 'id'])
    .execute();
};

const shifts = async (db: Db): Promise<void> => {
  await db.schema
    .createTable('shifts')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('shifts_pk', ['company_id', 'id'])
    .addForeignKeyConstraint('shifts_project_fk', ['company_id', 'project_id'], 'projects', [
      'company_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('shifts_by_creation')
    .on('shifts')
    .columns(['company_id', 'project_id', 'created_at', 'id'])
    .execute();
};

const authors = async (db: Db): Promise<void> => {
  const table = 'time_and_material_entry_attachments';
  await db.schema.alterTable(table).addColumn('created_by', 'bigint').execute();
  await sql`update ${sql.table(table)} set created_by = (
    select u.owner_id from uploads u where u.company_id = ${sql.table(table)}.company_id
      and u.uuid = ${sql.table(table)}.upload_uuid)`.execute(db);
  // The lists of a reporter; the columns that follow the author are those of every list (0001-first.ts).
  await db.schema
    .createIndex('near_misses_by_author')
    .on('near_misses')
    .columns([
      'company_id',
      'project_id',
      'created_by',
      'created_at desc',
      'id desc',
      'incident_id',
      'deleted_at',
    ])
    .execute();
};

export const access: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const change of [users, tokens, shifts, authors]) await change(db);
  },
};

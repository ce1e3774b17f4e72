/** Plans of projects, their revisions and files (decisions §17). schema.ts says what the columns mean. Never edit it after a release. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const makePlans = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('plans')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('number', 'text')
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('plans_pk', ['company_id', 'id'])
    .addForeignKeyConstraint('plans_project_fk', ['company_id', 'project_id'], 'projects', [
      'company_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('plans_newest')
    .on('plans')
    .columns(['company_id', 'project_id', 'created_at', 'id'])
    .execute();
};

const makeRevisions = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('plan_revisions')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('plan_id', 'bigint', (c) => c.notNull())
    .addColumn('label', 'text')
    .addColumn('page', 'integer')
    .addColumn('created_by', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('plan_revisions_pk', ['company_id', 'id'])
    .addForeignKeyConstraint('plan_revisions_plan_fk', ['company_id', 'plan_id'], 'plans', [
      'company_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('plan_revisions_by_plan')
    .on('plan_revisions')
    .columns(['company_id', 'plan_id', 'id'])
    .execute();
};

const makeFiles = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('plan_files')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('revision_id', 'bigint', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('upload_uuid', 'text', (c) => c.notNull())
    .addColumn('stored_file_id', 'bigint', (c) => c.notNull())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addPrimaryKeyConstraint('plan_files_pk', ['company_id', 'revision_id', 'position'])
    .addForeignKeyConstraint(
      'plan_files_revision_fk',
      ['company_id', 'revision_id'],
      'plan_revisions',
      ['company_id', 'id'],
    )
    .execute();
  await db.schema
    .createIndex('plan_files_by_upload')
    .on('plan_files')
    .columns(['company_id', 'upload_uuid'])
    .execute();
};

export const plans: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const make of [makePlans, makeRevisions, makeFiles]) await make(db);
  },
};

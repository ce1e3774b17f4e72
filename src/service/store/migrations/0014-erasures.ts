/** Erasures of people and their places (decisions §21). schema.ts says what the columns mean. Never edit it after a release. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const makeErasures = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('erasures')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('pseudonym', 'text', (c) => c.notNull())
    .addColumn('names', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('copies_until', 'bigint')
    .addPrimaryKeyConstraint('erasures_pk', ['company_id', 'id'])
    .execute();
  // Finds the work that a killed process left.
  await db.schema
    .createIndex('erasures_running')
    .on('erasures')
    .columns(['company_id', 'id'])
    .where(sql<boolean>`done_at is null`)
    .execute();
};

const makeItems = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('erasure_items')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('erasure_id', 'bigint', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('resource', 'text', (c) => c.notNull())
    .addColumn('resource_id', 'bigint')
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('project_id', 'bigint')
    .addColumn('number', 'text')
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('act', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text')
    .addPrimaryKeyConstraint('erasure_items_pk', ['company_id', 'erasure_id', 'position'])
    .addForeignKeyConstraint('erasure_items_erasure_fk', ['company_id', 'erasure_id'], 'erasures', [
      'company_id',
      'id',
    ])
    .execute();
};

export const erasures: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('near_misses').addColumn('erased_at', 'bigint').execute();
    await makeErasures(db);
    await makeItems(db);
  },
};

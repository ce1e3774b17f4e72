/** Signing keys and the log of administrative acts (decisions §19). schema.ts says what the columns mean. Never edit it after a release. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const signingKeys = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('signing_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('private_key', 'text', (c) => c.notNull())
    .addColumn('made_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  // At most one key signs.
  await db.schema
    .createIndex('signing_keys_current')
    .unique()
    .on('signing_keys')
    .expression(sql`coalesce(ended_at, 0)`)
    .where(sql<boolean>`ended_at is null`)
    .execute();
};

const adminActs = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('admin_acts')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.references('users.id'))
    .addColumn('act', 'text', (c) => c.notNull())
    .addColumn('about_user_id', 'bigint', (c) => c.references('users.id'))
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('admin_acts_pk', ['company_id', 'id'])
    .execute();
  await db.schema
    .createIndex('admin_acts_newest')
    .on('admin_acts')
    .columns(['company_id', 'created_at', 'id'])
    .execute();
};

export const evidence: Migration = {
  up: async (db: Kysely<unknown>) => {
    await signingKeys(db);
    await adminActs(db);
  },
};

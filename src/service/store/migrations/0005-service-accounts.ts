/** Service accounts and their secrets (decisions §12.8). schema.ts says what the columns mean. Never edit it after a release. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const serviceAccounts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('users')
      .addColumn('service_account', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('tokens').addColumn('secret_id', 'bigint').execute();
    await db.schema
      .createTable('service_account_secrets')
      .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
      .addColumn('id', 'bigint', (c) => c.notNull())
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
      .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addPrimaryKeyConstraint('service_account_secrets_pk', ['company_id', 'id'])
      .execute();
    await db.schema
      .createIndex('service_account_secrets_by_user')
      .on('service_account_secrets')
      .columns(['company_id', 'user_id'])
      .execute();
  },
};

/** How long reports are kept, and legal holds (decisions §20). schema.ts says what the columns mean. Never edit it after a release. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const retention: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('companies').addColumn('retention_years', 'integer').execute();
    await db.schema.alterTable('companies').addColumn('retention_bin_days', 'integer').execute();
    await db.schema.alterTable('near_misses').addColumn('anonymised_at', 'bigint').execute();
    await db.schema
      .createTable('legal_holds')
      .addColumn('company_id', 'bigint', (c) => c.notNull())
      .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('legal_holds_pk', ['company_id', 'near_miss_id'])
      .addForeignKeyConstraint(
        'legal_holds_near_miss_fk',
        ['company_id', 'near_miss_id'],
        'near_misses',
        ['company_id', 'id'],
      )
      .execute();
    // Finds the events of one near miss, which name its author.
    await db.schema
      .createIndex('events_of_near_misses')
      .on('events')
      .columns(['company_id', 'resource_id'])
      .where(sql<boolean>`resource_name = 'Near Misses'`)
      .execute();
  },
};

/** The history of near misses (decisions §15). schema.ts says what the columns mean. Never edit it after a release. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const history: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('near_misses').addColumn('created_with', 'text').execute();
    await db.schema
      .createTable('near_miss_history')
      .addColumn('company_id', 'bigint', (c) => c.notNull())
      .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
      .addColumn('client', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('changes', 'text')
      .addColumn('salt', 'text')
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('near_miss_history_pk', ['company_id', 'near_miss_id', 'position'])
      .addForeignKeyConstraint(
        'near_miss_history_near_miss_fk',
        ['company_id', 'near_miss_id'],
        'near_misses',
        ['company_id', 'id'],
      )
      .execute();
  },
};

/** Comments on near misses (decisions §18). schema.ts says what the columns mean. Never edit it after a release. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const comments: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('near_misses')
      .addColumn('comment_count', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('mail_preferences')
      .addColumn('comments', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable('near_miss_comments')
      .addColumn('company_id', 'bigint', (c) => c.notNull())
      .addColumn('id', 'bigint', (c) => c.notNull())
      .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
      .addColumn('text', 'text')
      .addColumn('created_by', 'bigint', (c) => c.notNull().references('users.id'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('removed_by', 'bigint', (c) => c.references('users.id'))
      .addColumn('removed_at', 'bigint')
      .addPrimaryKeyConstraint('near_miss_comments_pk', ['company_id', 'id'])
      .addForeignKeyConstraint(
        'near_miss_comments_near_miss_fk',
        ['company_id', 'near_miss_id'],
        'near_misses',
        ['company_id', 'id'],
      )
      .execute();
    await db.schema
      .createIndex('near_miss_comments_newest')
      .on('near_miss_comments')
      .columns(['company_id', 'near_miss_id', 'created_at', 'id'])
      .execute();
  },
};

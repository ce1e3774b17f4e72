/** Mail: what users chose, and the outbox (decisions §16). schema.ts says what the columns mean. Never edit it after a release. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const preferences = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('mail_preferences')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('assigned', 'integer', (c) => c.notNull())
    .addColumn('due', 'integer', (c) => c.notNull())
    .addColumn('done', 'integer', (c) => c.notNull())
    .addColumn('severe', 'integer', (c) => c.notNull())
    .addColumn('weekly', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('mail_preferences_pk', ['company_id', 'user_id'])
    .execute();
};

const mails = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('mails')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('near_miss_id', 'bigint')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('due', 'text')
    .addColumn('figures', 'text')
    .addColumn('by_user_id', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('mails_pk', ['company_id', 'id'])
    .addUniqueConstraint('mails_once', ['company_id', 'user_id', 'event'])
    .execute();
  await db.schema
    .createIndex('mails_waiting')
    .on('mails')
    .columns(['next_attempt_at'])
    .where(sql<boolean>`ended_at is null`)
    .execute();
  await db.schema.createIndex('mails_ended').on('mails').columns(['ended_at']).execute();
  await db.schema
    .createIndex('mails_newest')
    .on('mails')
    .columns(['company_id', 'created_at', 'id'])
    .execute();
};

export const mail: Migration = {
  up: async (db: Kysely<unknown>) => {
    await preferences(db);
    await mails(db);
  },
};

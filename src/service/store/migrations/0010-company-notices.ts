/** Whom to ask, and what happens with people's data (decisions §11.7). schema.ts says what the columns mean. Never edit it after a release. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const companyNotices: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('companies').addColumn('help_contact', 'text').execute();
    await db.schema.alterTable('companies').addColumn('privacy_notice', 'text').execute();
  },
};

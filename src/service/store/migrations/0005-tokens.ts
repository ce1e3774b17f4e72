/** A token may be named, and may be for one company alone. Both empty: as before, for every company of its user. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const tokens: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('tokens').addColumn('company_id', 'bigint').execute();
    await db.schema.alterTable('tokens').addColumn('name', 'text').execute();
  },
};

/** A version of the names that near misses show, for each company: store/shown-names.ts. */
import type { Migration } from 'kysely/migration';

export const shownNames: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('companies')
      .addColumn('names_version', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};

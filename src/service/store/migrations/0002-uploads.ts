/** What uploads need beside their own tables: values kept between runs, and ways to the few rows that are looked for often. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const uploads: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('service_state')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('uploads_deleting')
      .on('uploads')
      .columns(['company_id', 'uuid'])
      .where(sql`status = 'deleting'` as never)
      .execute();
    await db.schema
      .createIndex('uploads_by_stored_file')
      .on('uploads')
      .columns(['company_id', 'stored_file_id'])
      .execute();
  },
};

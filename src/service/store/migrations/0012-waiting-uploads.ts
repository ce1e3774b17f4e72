/** What a user has waiting in a company is summed up with every upload that is announced. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const waitingUploads: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createIndex('uploads_waiting')
      .on('uploads')
      .columns(['company_id', 'owner_id', 'expires_at'])
      .where(sql`associated_at is null` as never)
      .execute();
  },
};

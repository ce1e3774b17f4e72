/**
 * Kept answers say how large they are, so that a user's can be counted without reading them. Refusals that were kept by an
 * earlier version go: some of them told of a state that has passed.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const keptAnswers: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`delete from idempotency_keys where status >= 400`.execute(db);
    await db.schema
      .alterTable('idempotency_keys')
      .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update idempotency_keys set size = length(body)`.execute(db);
    await db.schema
      .createIndex('idempotency_keys_by_user')
      .on('idempotency_keys')
      .columns(['company_id', 'user_id', 'created_at', 'size'])
      .execute();
  },
};

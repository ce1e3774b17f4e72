/**
 * Adds since when a user belongs to a company, and until when tokens for all companies have ended there (decisions
 * §12.4, §14.4). For members of an older database only the creation of the user is known. schema.ts describes the
 * columns. Never edit it after a release.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const memberships: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['since', 'tokens_ended_at'])
      await db.schema
        .alterTable('company_users')
        .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    await sql`update company_users set since = (
      select u.created_at from users u where u.id = company_users.user_id)`.execute(db);
    await sql`update company_users set tokens_ended_at = coalesce((
      select max(t.created_at) from tokens t
      where t.user_id = company_users.user_id and t.company_id is null), 0)
    where active = 0`.execute(db);
  },
};

/**
 * Finds logins without the case of ASCII letters (decisions §12.4). The index is not unique: a database from before may have two that
 * differ only in case.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isSqlite } from '../engine/bulk-sql.ts';
import type { Db } from '../engine/db.ts';

export const logins: Migration = {
  up: async (db: Kysely<unknown>) => {
    const key = isSqlite(db as Db) ? sql`lower(login)` : sql`lower(login collate "C")`;
    await db.schema.createIndex('users_by_login').on('users').expression(key).execute();
  },
};

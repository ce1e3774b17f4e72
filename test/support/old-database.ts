/** A database as an older service left it: with the tables of one of its migrations, for a test of those that came later. */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { withDefaults, type Options } from '../../src/service/options.ts';
import { migrations } from '../../src/service/store/migrations/index.ts';
import { openPool, SpotterDialect } from '../../src/service/store/postgres-dialect.ts';
import { databaseOf, onPostgres, type TestDatabase } from './database.ts';

export type OldRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const openOld = (dataDir: string, options: Partial<Options>): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: onPostgres
      ? new SpotterDialect(openPool(withDefaults(options), 1))
      : new SqliteDialect({ database: new SQLite(join(dataDir, 'spotter.db')) }),
  });

/** @param last the newest migration that it has had @param rows by table, in an order that its keys allow */
export const makeOldDatabase = async (
  dataDir: string,
  last: string,
  rows: OldRows,
): Promise<TestDatabase> => {
  const database = await databaseOf(dataDir);
  const db = openOld(dataDir, database.options);
  try {
    // A test's database of PostgreSQL has the newest tables.
    if (onPostgres) {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
    }
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    }).migrateTo(last);
    if (error) throw error as Error;
    for (const [table, all] of Object.entries(rows))
      for (const row of all)
        await db
          .insertInto(table as never)
          .values(row as never)
          .execute();
  } finally {
    await db.destroy();
  }
  return database;
};

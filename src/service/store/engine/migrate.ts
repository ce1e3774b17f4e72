/** Migrates either database to the newest schema. */
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Db } from './db.ts';
import { migrations } from '../migrations/index.ts';

/** Kysely's message for a migration that this version does not know. */
const UNKNOWN = /^corrupted migrations: previously executed migration (\S+) is missing/;

/** A message for the operator, with a `code` like the errors of the operating system. */
const newer = (name: string): Error =>
  Object.assign(
    new Error(
      `the database was written by a newer version of Spotter (${name}); start that version, or restore a backup that this one made`,
    ),
    { code: 'NEWER_DATABASE' },
  );

/** Reads only: another process may hold the write lock for minutes. */
const isNewest = async (db: Db, migrator: Migrator): Promise<boolean> => {
  const ours = await migrator.getMigrations();
  if (ours.some(({ executedAt }) => executedAt === undefined)) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.length === ours.length;
};

/**
 * Returns the names of the migrations that ran.
 * @throws Error if a migration failed; nothing was changed then
 */
export const migrateToNewest = async (db: Db): Promise<readonly string[]> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  if (await isNewest(db, migrator)) return [];
  const { error, results = [] } = await migrator.migrateToLatest();
  if (!error) return results.map(({ migrationName }) => migrationName);
  if (!(error instanceof Error)) throw new Error('the database could not be migrated');
  const [, unknown] = UNKNOWN.exec(error.message) ?? [];
  throw unknown === undefined ? error : newer(unknown);
};

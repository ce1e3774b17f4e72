/** Brings a database to the newest schema, whichever it is. */
import { Migrator } from 'kysely/migration';
import type { Db } from './db.ts';
import { migrations } from './migrations/index.ts';

/** Kysely's word for a migration that this program does not have. */
const UNKNOWN = /^corrupted migrations: previously executed migration (\S+) is missing/;

/** A sentence for the operator, with a `code` as the operating system's errors have. */
const newer = (name: string): Error =>
  Object.assign(
    new Error(
      `the database was written by a newer version of Spotter (${name}); start that version, or restore a backup that this one made`,
    ),
    { code: 'NEWER_DATABASE' },
  );

/** @throws Error that says what is wrong; nothing was changed then */
export const migrateToNewest = async (db: Db): Promise<void> => {
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  }).migrateToLatest();
  if (!error) return;
  if (!(error instanceof Error)) throw new Error('the database could not be migrated');
  const [, unknown] = UNKNOWN.exec(error.message) ?? [];
  throw unknown === undefined ? error : newer(unknown);
};

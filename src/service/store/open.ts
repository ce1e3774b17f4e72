/** The database behind the service: SQLite in the data folder (sqlite.ts), or a PostgreSQL that `--database-url` names (postgres.ts). */
import type { Store, StoreOptions } from './db.ts';

/**
 * Opens the database, and brings it to the newest schema.
 * @param importing is an `import` under way? Left out: it is not waited for
 */
export const openStore = async (
  options: StoreOptions,
  importing?: () => boolean,
): Promise<Store> => {
  if (options['database-url'] === '') {
    const { openSqlite } = await import('./sqlite.ts');
    const expected = importing && { patience: options['import-wait'], is: importing };
    return openSqlite(options['data-dir'], options['database-busy-timeout'], expected);
  }
  // Only now: who runs on SQLite need not load the other driver.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(options);
};

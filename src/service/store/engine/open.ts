/** Opens the service's database: SQLite in the data folder (sqlite.ts), or the PostgreSQL of `--database-url` (postgres.ts). */
import type { Store, StoreOptions } from './db.ts';

/**
 * Opens the database and migrates it to the newest schema.
 * @param importing true while an `import` runs; if omitted, statements do not wait for imports
 */
export const openStore = async (
  options: StoreOptions,
  importing?: () => boolean,
): Promise<Store> => {
  if (options['database-url'] === '') {
    const { openSqlite } = await import('./sqlite/sqlite.ts');
    const expected = importing && { patience: options['import-wait'], is: importing };
    return openSqlite(options['data-dir'], options['database-busy-timeout'], expected);
  }
  // Loaded on demand: SQLite users need no PostgreSQL driver.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(options);
};

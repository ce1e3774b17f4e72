/**
 * Once for all files of the project `service-postgres`: starts PostgreSQL, and makes the database that every test's own
 * is copied from, migrated and empty. The workers learn of it by their environment.
 */
import pg from 'pg';
import { withDefaults } from '../../src/service/options.ts';
import { openStore } from '../../src/service/store/open.ts';
import { SOCKET_VARIABLE, TEMPLATE } from './database.ts';
import { databaseUrl, startPostgres } from './postgres-server.ts';

export const setup = async (): Promise<() => Promise<void>> => {
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: databaseUrl(server.socket, 'postgres') });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const store = await openStore(
    withDefaults({ 'database-url': databaseUrl(server.socket, TEMPLATE) }),
  );
  await store.close();
  process.env[SOCKET_VARIABLE] = server.socket;
  return () => server.stop();
};

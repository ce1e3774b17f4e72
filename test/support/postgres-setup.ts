/**
 * Global setup of the project `service-postgres`: starts PostgreSQL once and creates the migrated, empty template database.
 * Workers find it through the environment.
 */
import pg from 'pg';
import { withDefaults } from '../../src/service/options.ts';
import { openStore } from '../../src/service/store/engine/open.ts';
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

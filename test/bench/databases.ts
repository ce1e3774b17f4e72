/**
 * Our service on both databases, with as many near misses as a measurement needs: SQLite in a folder, and a durable PostgreSQL
 * from npm, which starts before the cores are assigned, so that it may use both. `BENCH_POSTGRES`: socket folder of a running
 * PostgreSQL, for a short form with meaningless figures.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { withDefaults } from '../../src/service/options.ts';
import { openStore } from '../../src/service/store/engine/open.ts';
import { databaseUrl, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { seedNearMisses } from '../support/seed.ts';
import { pinSelf } from './machine.ts';
import { startDistance, startService, type Running, type ServiceLine } from './processes.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

export interface Databases {
  /** Our service with `count` near misses in its project besides the demo's few. */
  ours(engine: Engine, count: number): Promise<Running<ServiceLine>>;
  /** The address of an empty PostgreSQL database. */
  empty(): Promise<string>;
  folder(): string;
  end(): Promise<void>;
}

const openServer = (): Promise<Pick<PostgresServer, 'socket' | 'stop'>> => {
  const socket = process.env['BENCH_POSTGRES'];
  return socket === undefined
    ? startPostgres(true)
    : Promise.resolve({ socket, stop: () => Promise.resolve() });
};

/** @param delay extra round-trip time to PostgreSQL, milliseconds */
export const openDatabases = async (delay = 0): Promise<Databases> => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const server = await openServer();
  const distance =
    delay === 0 ? null : await startDistance(join(server.socket, '.s.PGSQL.5432'), delay);
  pinSelf(0);
  const empty = async (): Promise<string> => {
    const client = new pg.Client({ connectionString: databaseUrl(server.socket, 'postgres') });
    await client.connect();
    const name = `bench_${randomUUID().replaceAll('-', '')}`;
    await client.query(`create database ${name}`);
    await client.end();
    return distance
      ? `postgres://postgres@127.0.0.1:${distance.first.port}/${name}`
      : databaseUrl(server.socket, name);
  };
  const seed = async (data_dir: string, url: string, seat: ServiceLine, count: number) => {
    const store = await openStore(withDefaults({ 'data-dir': data_dir, 'database-url': url }));
    await seedNearMisses(store, seat, count);
    await store.close();
  };
  const fresh = (): string => mkdtempSync(join(folder, 'ours-'));
  return {
    empty,
    folder: fresh,
    ours: async (engine, count) => {
      const data_dir = fresh();
      const url = engine === 'SQLite' ? '' : await empty();
      const more = url === '' ? [] : ['--database-url', url];
      const first = await startService(data_dir, 0, more);
      if (count === 0) return first;
      await first.end();
      await seed(data_dir, url, first.first, count);
      return startService(data_dir, 0, more);
    },
    end: async () => {
      await distance?.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Headers of every request of our signed-in client. */
export const headersOf = ({ token, company_id }: ServiceLine): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'service-company-id': String(company_id),
});

export const listOf = ({ project_id }: ServiceLine): string =>
  `/rest/v1.0/projects/${project_id}/incidents/near_misses`;

/**
 * B5: a list of 100 and one of 10,000 near misses, newest first, with a token, all rules and all headers, on SQLite and
 * PostgreSQL. The peer is Fastify that keeps the same records, rendered once by ours, in an array and serialises a slice with
 * JSON.stringify; and the same from one jsonb row each of PostgreSQL. Neither authenticates, sorts, counts or joins.
 */
import { headersOf, listOf, openDatabases, type Engine } from './databases.ts';
import { load } from './load.ts';
import { compare, type Side } from './machine.ts';
import { startRecords, type Running } from './processes.ts';

const RECORDS = Number(process.env['BENCH_RECORDS'] ?? 11_200);
const COUNT = Number(process.env['BENCH_COUNT'] ?? 1000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CONNECTIONS = 4;
const OURS_ONLY = process.env['BENCH_OURS'] === '1';

interface Server {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const sideOf = ({ name, url, path, headers }: Server, size: number, count: number): Side => ({
  name,
  round: async () => {
    const request = { method: 'GET', path: `${path}?per_page=${size}`, headers } as const;
    const { rate, p50, bytes } = await load(url, CONNECTIONS, count, 200, () => request);
    console.log(`    ${name}: half within ${p50.toFixed(1)} ms, ${(bytes / 1024).toFixed(0)} KiB`);
    return rate;
  },
});

export const page = async (): Promise<void> => {
  const databases = await openDatabases();
  const running: Running<unknown>[] = [];
  const kept = async <T>(starting: Promise<Running<T>>): Promise<T> => {
    const one = await starting;
    running.push(one);
    return one.first;
  };
  const ours = async (engine: Engine): Promise<Server> => {
    const service = await kept(databases.ours(engine, RECORDS));
    const headers = headersOf(service);
    return { name: `Spotter on ${engine}`, url: service.url, path: listOf(service), headers };
  };
  const peer = async (name: string, records: string, address?: string): Promise<Server> => {
    const { url } = await kept(startRecords(address));
    const headers = { 'content-type': 'application/json' };
    const filled = await fetch(`${url}/fill`, { method: 'POST', headers, body: records });
    if (!filled.ok) throw new Error(`the peer took no records: ${await filled.text()}`);
    return { name, url, path: '/near_misses', headers: {} };
  };
  try {
    const sqlite = await ours('SQLite');
    const servers = [sqlite, await ours('PostgreSQL')];
    if (!OURS_ONLY) {
      const all = await fetch(`${sqlite.url}${sqlite.path}?per_page=10000`, sqlite);
      const records = await all.text();
      servers.push(await peer('Fastify in memory', records));
      servers.push(await peer('Fastify, jsonb rows', records, await databases.empty()));
    }
    for (const [size, count] of [
      [100, COUNT],
      [10_000, Math.ceil(COUNT / 50)],
    ] as const)
      await compare(
        `page-${size}`,
        'req/s',
        ROUNDS,
        servers.map((one) => sideOf(one, size, count)),
      );
  } finally {
    for (const one of running) await one.end();
    await databases.end();
  }
};

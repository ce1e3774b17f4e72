/**
 * Latency of a create and of `GET /me` while another client repeatedly sorts a project of 100,000 near misses by a name: on
 * SQLite and PostgreSQL, milliseconds from sending to the last byte. The peer is the same service without that client.
 */
import { headersOf, listOf, openDatabases, type Engine } from './databases.ts';
import { load, type Load, type Request } from './load.ts';
import { keep, machine, median, withNoise } from './machine.ts';

const RECORDS = Number(process.env['BENCH_RECORDS'] ?? 100_000);
const COUNT = Number(process.env['BENCH_COUNT'] ?? 100);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

export const beside = async (): Promise<void> => {
  const databases = await openDatabases();
  const figures = new Map<string, (Pick<Load, 'p50' | 'p99'> & { noise: number })[]>();
  const sorts = new Map<Engine, number[]>();
  const measure = async (name: string, asking: () => Promise<Load>): Promise<void> => {
    const { value, noise } = await withNoise(asking);
    const { p50, p99 } = value;
    figures.set(name, [...(figures.get(name) ?? []), { p50, p99, noise }]);
    console.log(
      `  ${name.padEnd(44)} half within ${p50.toFixed(1)} ms, 99 of 100 within ${p99.toFixed(1)} ms  (other load: ${noise} cores)`,
    );
  };
  try {
    for (const engine of ['SQLite', 'PostgreSQL'] satisfies Engine[]) {
      const { first, end } = await databases.ours(engine, RECORDS);
      const [headers, path] = [headersOf(first), listOf(first)];
      const catalog = await fetch(first.url + path.replace('incidents/near_misses', 'catalog'), {
        headers,
      });
      const { incidents } = (await catalog.json()) as { incidents: { id: number }[] };
      const near_miss = { incident_id: incidents[0]?.id, description: 'A board slid off' };
      const post: Request = {
        method: 'POST',
        path,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ near_miss }),
      };
      const me: Request = { method: 'GET', path: '/rest/v1.0/me', headers };
      const sort: Request = { method: 'GET', path: `${path}?sort=harm_source`, headers };
      const both = async (how: string) => {
        await measure(`${engine}, create, ${how}`, () =>
          load(first.url, 1, COUNT, 201, () => post),
        );
        await measure(`${engine}, /me, ${how}`, () => load(first.url, 1, COUNT, 200, () => me));
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        await both('alone');
        let going = true;
        const sorting = (async () => {
          while (going) {
            const { p50 } = await load(first.url, 1, 1, 200, () => sort);
            sorts.set(engine, [...(sorts.get(engine) ?? []), p50]);
          }
        })();
        await both('beside a sort');
        going = false;
        await sorting;
      }
      await end();
    }
    const rows = [...figures].map(([name, all]) => ({
      name,
      p50: median(all.map(({ p50 }) => p50)),
      p99: median(all.map(({ p99 }) => p99)),
      noise: median(all.map(({ noise }) => noise)),
    }));
    for (const [engine, times] of sorts)
      rows.push({
        name: `${engine}, the sort itself`,
        p50: median(times),
        p99: Math.max(...times),
        noise: 0,
      });
    for (const { name, p50, p99 } of rows)
      console.log(`${name.padEnd(46)} ${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms`);
    keep('beside', { machine: machine(), records: RECORDS, rounds: ROUNDS, rows });
  } finally {
    await databases.end();
  }
};

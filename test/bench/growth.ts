/**
 * B6: latency of one request when a project holds 10,000, 100,000 and a million near misses, on SQLite and PostgreSQL: first
 * page, page 100, the last but one page, sorts, filters and searches, milliseconds. The peer is the same service with the
 * fewest records. `BENCH_SIZES`: other sizes.
 */
import { headersOf, listOf, openDatabases, type Engine } from './databases.ts';
import { load } from './load.ts';
import { keep, machine, median, usage } from './machine.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,100000,1000000').split(',').map(Number);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

const questions: Readonly<Record<string, string>> = {
  'first page': 'per_page=100',
  'page 100': 'per_page=100&page=100',
  'page 90 of 100': 'per_page=100&page=DEEP',
  'sort=number': 'per_page=100&sort=number',
  'sort=harm_source': 'per_page=100&sort=harm_source',
  'created_at, half a year':
    'per_page=100&filters[created_at]=2025-01-01T00:00:00Z...2025-06-30T00:00:00Z',
  'query, a fifth': 'per_page=100&filters[query]=formwork',
  'query, one': 'per_page=100&filters[query]=record 77.',
  'query, none': 'per_page=100&filters[query]=zeppelin',
};

export const growth = async (): Promise<void> => {
  const databases = await openDatabases();
  const figures: Record<string, { median: number; min: number; max: number; times: number }> = {};
  try {
    for (const engine of ['SQLite', 'PostgreSQL'] satisfies Engine[]) {
      const first = new Map<string, number>();
      for (const size of SIZES) {
        const service = await databases.ours(engine, size);
        for (const [name, query] of Object.entries(questions)) {
          const deep = String(Math.max(1, Math.floor((size * 0.9 * 0.9) / 100)));
          const path = `${listOf(service.first)}?${encodeURI(query.replace('DEEP', deep))}`;
          const request = { method: 'GET', path, headers: headersOf(service.first) } as const;
          const times: number[] = [];
          for (let round = 0; round < ROUNDS; round += 1)
            times.push((await load(service.first.url, 1, 1, 200, () => request)).p50);
          const middle = median(times);
          const base = first.get(name) ?? middle;
          first.set(name, base);
          const [min, max] = [Math.min(...times), Math.max(...times)];
          figures[`${engine}, ${size}, ${name}`] = {
            median: middle,
            min,
            max,
            times: middle / base,
          };
          console.log(
            `  ${engine.padEnd(11)} ${String(size).padStart(8)}  ${name.padEnd(26)} ${middle.toFixed(1).padStart(8)} ms (${min.toFixed(1)}-${max.toFixed(1)})  ${(middle / base).toFixed(2)} x the smallest`,
          );
        }
        console.log(`  ${engine}, ${size}: ${usage(service.child.pid ?? 0).rss_mb} MB resident`);
        await service.end();
      }
    }
    keep('growth', { machine: machine(), sizes: SIZES, rounds: ROUNDS, figures });
  } finally {
    await databases.end();
  }
};

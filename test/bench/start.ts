/**
 * B9: from spawning the service to its first line, and its memory after it was idle: the demo without photos on a fresh SQLite
 * folder, from the sources and as shipped, and on a fresh PostgreSQL; again on the data of the first start; and the host as
 * shipped, without a window. The service's peers are a bare Fastify, which loads none of our code, and json-server on a file of
 * the demo's near misses.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { buildForNode } from '../../src/setup/node-build.ts';
import { headersOf, listOf, openDatabases } from './databases.ts';
import { installPeers } from './install-peers.ts';
import { keep, machine, median, root, usage } from './machine.ts';
import {
  startPeer,
  startRecords,
  startService,
  startShippedHost,
  type Running,
} from './processes.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Idle time in milliseconds: longer than the cleanup after a start (src/disk/after-start.ts). */
const IDLE = Number(process.env['BENCH_IDLE'] ?? 7000);

const OURS_ONLY = process.env['BENCH_OURS'] === '1';

/** Writes the demo's near misses in the peer's format. Returns the file. */
const recordsFile = async (folder: string): Promise<string> => {
  installPeers();
  const { first, end } = await startService(folder);
  const all = await fetch(`${first.url}${listOf(first)}?per_page=1000`, {
    headers: headersOf(first),
  });
  const near_misses: unknown = await all.json();
  await end();
  const file = join(folder, 'near-misses.json');
  writeFileSync(file, JSON.stringify({ near_misses }));
  return file;
};

export const start = async (): Promise<void> => {
  const databases = await openDatabases();
  // As npm packs them, in a folder of this run, because another run may be packing at the same time.
  mkdirSync(join(root, 'out'), { recursive: true });
  const shipped = mkdtempSync(join(root, 'out/bench-node-'));
  await buildForNode(shipped);
  const records = OURS_ONLY ? '' : await recordsFile(databases.folder());
  const figures = new Map<string, { ms: number; rss_mb: number }[]>();
  const measure = async (
    name: string,
    starting: () => Promise<Running<unknown>>,
  ): Promise<void> => {
    const began = performance.now();
    const one = await starting();
    const ms = performance.now() - began;
    await pass(IDLE);
    const { rss_mb } = usage(one.child.pid ?? 0);
    await one.end();
    figures.set(name, [...(figures.get(name) ?? []), { ms, rss_mb }]);
    console.log(`  ${name.padEnd(32)} ${ms.toFixed(0).padStart(6)} ms, ${rss_mb} MB`);
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const data_dir = databases.folder();
      await measure('Spotter on SQLite, fresh', () => startService(data_dir));
      await measure('Spotter on SQLite, again', () => startService(data_dir));
      const built = databases.folder();
      await measure('Spotter as it ships, fresh', () =>
        startService(built, 0, [], join(shipped, 'service.js')),
      );
      await measure('Spotter as it ships, again', () =>
        startService(built, 0, [], join(shipped, 'service.js')),
      );
      const more = ['--database-url', await databases.empty()];
      const shared = databases.folder();
      await measure('Spotter on PostgreSQL, fresh', () => startService(shared, 0, more));
      await measure('Spotter on PostgreSQL, again', () => startService(shared, 0, more));
      await measure('Fastify in memory', () => startRecords());
      if (!OURS_ONLY) await measure('json-server', () => startPeer(1, 'json-server.js', [records]));
      await measure('the host', () => startShippedHost(shipped, databases.folder()));
    }
    const rows = [...figures].map(([name, all]) => {
      const [times, sizes] = [all.map(({ ms }) => ms), all.map(({ rss_mb }) => rss_mb)];
      const [min, max] = [Math.min(...times), Math.max(...times)];
      return { name, ms: median(times), min, max, rss_mb: median(sizes) };
    });
    for (const { name, ms, min, max, rss_mb } of rows)
      console.log(
        `${name.padEnd(34)} ${ms.toFixed(0)} ms (${min.toFixed(0)}-${max.toFixed(0)}), ${rss_mb} MB idle`,
      );
    keep('start', { machine: machine(), rounds: ROUNDS, idle_ms: IDLE, rows });
  } finally {
    rmSync(shipped, { recursive: true, force: true });
    await databases.end();
  }
};

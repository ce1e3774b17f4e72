/**
 * B3: 1,000 near misses queued in real Chromium and drained through the host into the service: batches in which each record has
 * its key and its answer, each settled in IndexedDB and the journal. Peers in the same Chromium: Workbox's queue, which sends
 * one request per record but keeps no journal and stores no answer; PouchDB's replication, 100 records a request.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { installPeers } from './install-peers.ts';
import { commandOf, compare, descendants, pinSelf, usage } from './machine.ts';
import {
  buildPage,
  openChromium,
  startHostProcess,
  startPeers,
  startService,
} from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 1_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const OURS_ONLY = process.env['BENCH_OURS'] === '1';
/** Where to write a CPU profile of the window, for Chromium's developer tools. */
const PROFILE = process.env['BENCH_PROFILE'];

/** The globals of the two pages. */
interface Bench {
  queue(server: unknown, count: number): Promise<void>;
  drain(): Promise<{ ms: number; left: number; journal: number }>;
  workbox(name: string, count: number): Promise<number>;
  pouch(name: string, count: number): Promise<number>;
}
type Global = { readonly bench: Bench };

/** CPU time in seconds: of the page, of the rest of Chromium with its controller, and of our processes. */
interface Spent {
  readonly window: number;
  readonly browser: number;
  readonly host: number;
  readonly service: number;
}

const spentBy = (host = 0, service = 0): Spent => {
  const of = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + usage(pid).cpu_s, 0);
  const all = [process.pid, ...descendants(process.pid)];
  const pages = all.filter((pid) => commandOf(pid).includes('--type=renderer'));
  const others = all.filter((pid) => pid !== host && pid !== service && !pages.includes(pid));
  return { window: of(pages), browser: of(others), host: of([host]), service: of([service]) };
};

const ready = (page: Page) => page.waitForFunction(() => 'bench' in globalThis);

const ours = async (context: BrowserContext, files: string, folder: string): Promise<number> => {
  const service = await startService(join(folder, 'service'));
  const host = await startHostProcess(join(folder, 'host'), files);
  const page = await context.newPage();
  try {
    await page.goto(host.first.address);
    await page.waitForURL((url) => url.pathname === '/');
    await ready(page);
    await page.evaluate(
      ([server, count]) => (globalThis as unknown as Global).bench.queue(server, count),
      [service.first, COUNT] as const,
    );
    await page.reload();
    await ready(page);
    const before = spentBy(host.child.pid, service.child.pid);
    const profiler = PROFILE === undefined ? null : await context.newCDPSession(page);
    await profiler?.send('Profiler.enable');
    await profiler?.send('Profiler.start');
    const done = await page.evaluate(() => (globalThis as unknown as Global).bench.drain());
    if (profiler !== null && PROFILE !== undefined) {
      const { profile } = await profiler.send('Profiler.stop');
      writeFileSync(PROFILE, JSON.stringify(profile));
    }
    const after = spentBy(host.child.pid, service.child.pid);
    const each = (of: keyof Spent) =>
      `${of} ${(((after[of] - before[of]) / COUNT) * 1000).toFixed(2)} ms`;
    console.log(
      `    processor time each: ${each('window')}, ${each('browser')}, ${each('host')}, ${each('service')}`,
    );
    if (done.left + done.journal > 0) throw new Error(`not settled: ${JSON.stringify(done)}`);
    const { url, token, company_id, project_id } = service.first;
    const listed = await fetch(
      `${url}/rest/v1.0/projects/${project_id}/incidents/near_misses?per_page=1&filters[query]=Bench%20record`,
      { headers: { authorization: `Bearer ${token}`, 'service-company-id': String(company_id) } },
    );
    if (listed.headers.get('total') !== String(COUNT))
      throw new Error(`the service has ${listed.headers.get('total')} of ${COUNT}`);
    return COUNT / (done.ms / 1000);
  } finally {
    await page.close();
    await host.end();
    await service.end();
  }
};

export const drain = async (): Promise<void> => {
  if (!OURS_ONLY) installPeers();
  pinSelf(0);
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const window = await buildPage('window');
  const context = await openChromium(join(folder, 'profile'));
  const peers = OURS_ONLY ? null : await startPeers(folder, await buildPage('peers'));
  const peer = async (side: 'workbox' | 'pouch', round: number): Promise<number> => {
    const page = await context.newPage();
    await page.goto(peers?.first.url ?? '');
    await ready(page);
    const ms = await page.evaluate(
      ([side, name, count]) => (globalThis as unknown as Global).bench[side](name, count),
      [side, `${side}${round}`, COUNT] as const,
    );
    await page.close();
    return COUNT / (ms / 1000);
  };
  try {
    await compare('drain', 'rec/s', ROUNDS, [
      {
        name: 'Spotter, an answer per record',
        round: (index) => ours(context, window, join(folder, `round-${index}`)),
      },
      ...(OURS_ONLY
        ? []
        : [
            {
              name: 'Workbox Queue, one at a time',
              round: (index: number) => peer('workbox', index),
            },
            {
              name: 'PouchDB -> express-pouchdb, 100 per request',
              round: (index: number) => peer('pouch', index),
            },
          ]),
    ]);
  } finally {
    await context.close();
    await peers?.end();
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * B8: the list screen over 100,000 cached near misses in the real window: time from pressing "Near misses" to its first rows,
 * from a key in the search to the matches, the longest task while scrolling, and until the insights have counted everything.
 * The peer is a raw IndexedDB cursor over the same database in the same page without a screen: its first 50 rows by index, and
 * a full scan for the text. Rounds alternate.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import { call, measures, type Global } from './list-page.ts';
import { keep, machine, median, withNoise } from './machine.ts';
import { appFiles } from './open-app.ts';
import { openChromium, startHostProcess, startService } from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

const measure = async (context: BrowserContext, folder: string, files: string): Promise<void> => {
  const service = await startService(join(folder, 'service'));
  const host = await startHostProcess(join(folder, 'host'), files);
  const page = await context.newPage();
  const figures: Record<string, { value: number; noise: number }[]> = {};
  const say = async (name: string, work: () => Promise<number>): Promise<void> => {
    const { value, noise } = await withNoise(work);
    (figures[name] ??= []).push({ value, noise });
    console.log(
      `  ${name.padEnd(44)} ${value.toFixed(1).padStart(8)} ms  (other load: ${noise} cores)`,
    );
  };
  try {
    await page.goto(host.first.address);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(new URL('/bench/index.html', page.url()).href);
    await page.waitForFunction(() => 'bench' in globalThis);
    await page.evaluate(
      ([server, count]) => (globalThis as unknown as Global).bench.cache(server, count),
      [service.first, COUNT] as const,
    );
    // Without a server nothing refreshes, so only cached data is measured.
    await service.end();
    await page.addInitScript(measures);
    for (let round = 0; round < ROUNDS; round += 1) {
      const home = new URL('/', page.url()).href;
      await page.goto(`${home}#/settings`);
      if (round > 0) await page.reload();
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor({ timeout: 120_000 });
      // The index is still empty: the first page comes in the database's own order.
      await say('first page, pressed as the window opens', () =>
        call(page, 'first', 'nav a[href$="/near-misses"]'),
      );
      await page.goto(`${home}#/near-misses`);
      await page.reload({ waitUntil: 'commit' });
      await say('the window opens, until its list is there', () => call(page, 'opened'));
      await page.goto(`${home}#/settings`);
      await page.reload();
      await page.waitForFunction(() => performance.getEntriesByName('list read ahead').length > 0);
      await say('first page, the list opened first', () =>
        call(page, 'first', 'nav a[href$="/near-misses"]'),
      );
      await say('raw cursor: first 50 by the index', () => call(page, 'rawFirst'));
      const began = performance.now();
      await say('the index has read everything after', async () => {
        // The newest record is read last.
        await call(page, 'search', `record ${COUNT - 1}.`, 1);
        await call(page, 'search', '', COUNT);
        return performance.now() - began;
      });
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
      await say('first page, the list opened again', () =>
        call(page, 'first', 'nav a[href$="/near-misses"]'),
      );
      const one = `record ${COUNT - 2 - round}.`;
      await say('search, one fits', () => call(page, 'search', one, 1));
      await call(page, 'search', '', COUNT);
      await say('raw cursor: search, one fits', () => call(page, 'rawSearch', one));
      const many = 'sling of the formwork';
      await say('search, a fifth fits', () => call(page, 'search', many, COUNT / 5));
      await call(page, 'search', '', COUNT);
      await say('raw cursor: search, a fifth fits', () => call(page, 'rawSearch', many));
      const { value, noise } = await withNoise(() => call(page, 'scroll', 400));
      for (const [name, ms] of Object.entries(value)) {
        (figures[`scroll: ${name}`] ??= []).push({ value: ms, noise });
        console.log(`  scroll: ${name.padEnd(36)} ${String(ms).padStart(8)} ms`);
      }
      await say('insights, the list was open before', () => call(page, 'insights'));
      await page.goto(`${home}#/settings`);
      await page.reload();
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor({ timeout: 120_000 });
      await say('insights, opened first', () => call(page, 'insights'));
    }
  } finally {
    await page.close();
    await host.end();
    await service.end();
  }
  const rows = Object.entries(figures).map(([name, all]) => {
    const values = all.map(({ value }) => value);
    return { name, median: median(values), min: Math.min(...values), max: Math.max(...values) };
  });
  const of = (name: string) => rows.find((row) => row.name === name)?.median ?? Number.NaN;
  const ratios = {
    'first page': of('raw cursor: first 50 by the index') / of('first page, the list opened again'),
    'search, one fits': of('raw cursor: search, one fits') / of('search, one fits'),
    'search, a fifth fits': of('raw cursor: search, a fifth fits') / of('search, a fifth fits'),
  };
  console.log(`list: ${COUNT} cached near misses, ${ROUNDS} rounds; ${machine()}`);
  for (const row of rows)
    console.log(
      `  ${row.name.padEnd(44)} ${row.median.toFixed(1)} ms (${row.min.toFixed(1)}-${row.max.toFixed(1)})`,
    );
  for (const [name, ratio] of Object.entries(ratios))
    console.log(`  ${name.padEnd(44)} the screen is ${ratio.toFixed(2)} x the raw cursor`);
  keep('list', { machine: machine(), records: COUNT, rounds: ROUNDS, rows, ratios, figures });
};

export const list = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const files = await appFiles();
  const context = await openChromium(join(folder, 'profile'));
  try {
    await measure(context, folder, files);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

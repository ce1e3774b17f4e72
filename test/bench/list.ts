/**
 * B8: the list screen over 100,000 cached near misses in the real window: how long from pressing "Near misses" to its first
 * rows, from a key in the search to what fits, and the longest task while it is scrolled through. The peer is a raw
 * IndexedDB cursor over the same database in the same page, which draws no screen: its first 50 rows by the index, and
 * every row looked into for the text. In turns.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { bringWindow } from '../../src/setup/window.ts';
import { keep, machine, median, results, root, withNoise } from './machine.ts';
import { buildPage, openChromium, startHostProcess, startService } from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

interface Measures {
  /** From pressing the link to the first row on the screen. */
  first(link: string): Promise<number>;
  /** From the key to the rows that fit. */
  search(text: string, fitting: number): Promise<number>;
  /** Scrolls from top to end and back in steps; the longest task, and the longest time a row was blank. */
  scroll(steps: number): Promise<{ longest_task_ms: number; longest_blank_ms: number }>;
  rawFirst(): Promise<number>;
  rawSearch(text: string): Promise<number>;
}
type Global = {
  readonly bench: { cache(server: unknown, count: number): Promise<void> };
  readonly measures: Measures;
};

/** Put into the page: times are taken where the person is, not across the debugger's wire. */
const measures = (): void => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** What was drawn is on the screen after the frame that follows. */
  const painted = async (holds: () => boolean): Promise<number> => {
    while (!holds()) await frame();
    await frame();
    return performance.now();
  };
  const rows = () => [...document.querySelectorAll<HTMLElement>('.scroller [aria-posinset]')];
  const told = () => rows().length > 0 && rows().every((row) => row.querySelector('b') !== null);
  const sought = () => document.querySelector<HTMLInputElement>('header input[type=search]');
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('spotter');
      request.onerror = () => reject(new Error('no database'));
      request.onsuccess = () => resolve(request.result);
    });
  const walk = (source: IDBIndex | IDBObjectStore, each: (row: unknown) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const cursor = source.openCursor(null, 'prev');
      cursor.onerror = () => reject(new Error('the cursor broke'));
      cursor.onsuccess = () => {
        const at = cursor.result;
        if (at === null || !each(at.value)) resolve();
        else at.continue();
      };
    });
  const made: Measures = {
    async first(link) {
      const began = performance.now();
      document.querySelector<HTMLAnchorElement>(link)?.click();
      return (await painted(told)) - began;
    },
    async search(text, fitting) {
      const input = sought();
      if (input === null) throw new Error('there is no search');
      const began = performance.now();
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      const fits = () => rows()[0]?.getAttribute('aria-setsize') === String(fitting) && told();
      return (await painted(fits)) - began;
    },
    async scroll(steps) {
      const scroller = document.querySelector<HTMLElement>('.scroller');
      if (scroller === null) throw new Error('there is no list');
      let longest_task_ms = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          longest_task_ms = Math.max(longest_task_ms, Math.round(entry.duration));
      });
      observer.observe({ type: 'longtask' });
      let longest_blank_ms = 0;
      const end = scroller.scrollHeight - scroller.clientHeight;
      for (let step = 0; step < steps; step += 1) {
        // A wheel's hundred pixels most of the time, the thumb dragged far now and then.
        const far = step % 20 === 19;
        scroller.scrollTop = far ? ((step * 7919) % 1000) * (end / 1000) : scroller.scrollTop + 100;
        const began = performance.now();
        await frame();
        if (!far) continue;
        while (!told()) await frame();
        longest_blank_ms = Math.max(longest_blank_ms, Math.round(performance.now() - began));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      scroller.scrollTop = 0;
      return { longest_task_ms, longest_blank_ms };
    },
    async rawFirst() {
      const db = await open();
      const began = performance.now();
      const index = db
        .transaction('near_misses')
        .objectStore('near_misses')
        .index('[account+project_id+bin+created_at]');
      let left = 50;
      await walk(index, () => (left -= 1) > 0);
      const ms = performance.now() - began;
      db.close();
      return ms;
    },
    async rawSearch(text) {
      const db = await open();
      const began = performance.now();
      const wanted = text.toLowerCase();
      let found = 0;
      await walk(db.transaction('near_misses').objectStore('near_misses'), (row) => {
        if ((row as { search: string }).search.includes(wanted)) found += 1;
        return true;
      });
      const ms = performance.now() - began;
      db.close();
      if (found === 0) throw new Error(`the cursor found nothing of ${text}`);
      return ms;
    },
  };
  Object.assign(globalThis, { measures: made });
};

const call = <K extends keyof Measures>(page: Page, name: K, ...args: Parameters<Measures[K]>) =>
  page.evaluate(
    ([which, given]) =>
      (
        (globalThis as unknown as Global).measures[which as K] as (
          ...all: unknown[]
        ) => ReturnType<Measures[K]>
      )(...given),
    [name as string, args as unknown[]] as const,
  );

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
    // Without a server nothing refreshes: only what is cached is measured.
    await service.end();
    await page.addInitScript(measures);
    for (let round = 0; round < ROUNDS; round += 1) {
      const home = new URL('/', page.url()).href;
      await page.goto(`${home}#/settings`);
      if (round > 0) await page.reload();
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor({ timeout: 120_000 });
      // The index has read nothing yet: the first page comes from the database's own order.
      await say('first page, the list opened first', () =>
        call(page, 'first', 'nav a[href$="/near-misses"]'),
      );
      await say('raw cursor: first 50 by the index', () => call(page, 'rawFirst'));
      const began = performance.now();
      await say('the index has read everything after', async () => {
        // The youngest is read last.
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
  await bringWindow(root, console.log);
  const bench = await buildPage('window');
  const files = join(results, 'app');
  rmSync(files, { recursive: true, force: true });
  cpSync(join(root, 'out/renderer'), files, { recursive: true });
  cpSync(bench, join(files, 'bench'), { recursive: true });
  const context = await openChromium(join(folder, 'profile'));
  try {
    await measure(context, folder, files);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

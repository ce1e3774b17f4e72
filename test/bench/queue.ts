/**
 * A29: the real window over a full queue of 10,000 near misses with 2 GB of photos in the spool. Measures how long the window
 * takes to open, to type and save one more, to show the list and the waiting screen, and to search; the longest task of each;
 * and the memory of window, host and service before, during and after the drain. Only figures:
 * test/renderer/outbox/full.long.test.ts has the conditions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright';
import { descendants, keep, machine, usage } from './machine.ts';
import { appFiles } from './open-app.ts';
import { openChromium, startHostProcess, startService } from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 10_000);
const PHOTOS = Number(process.env['BENCH_PHOTOS'] ?? 500);
const SIZE = Number(process.env['BENCH_SIZE'] ?? 4 * 1024 * 1024);
/** Interval of memory samples during the drain, milliseconds. */
const EVERY = Number(process.env['BENCH_EVERY'] ?? 5_000);
const PATIENCE = 900_000;

type Global = {
  readonly bench: {
    queue(server: unknown, count: number, photos: number, size: number): Promise<void>;
  };
  longest: number;
};

/** The longest block of the page since the last call, milliseconds. */
const watchTasks = (page: Page) =>
  page.addInitScript(() => {
    const global = globalThis as unknown as Global;
    global.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        global.longest = Math.max(global.longest, entry.duration);
    }).observe({ type: 'longtask' });
  });
const longest = (page: Page) =>
  page.evaluate(() => {
    const global = globalThis as unknown as Global;
    const was = Math.round(global.longest);
    global.longest = 0;
    return was;
  });

const heap = async (cdp: CDPSession, collect: boolean): Promise<number> => {
  if (collect) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  return Math.round(used / 1024 / 1024);
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
};

const settled = (page: Page) =>
  page.getByText('Bench record').first().waitFor({ timeout: 120_000 });

const entries = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const open = indexedDB.open('spotter');
        open.onerror = () => reject(new Error('no database'));
        open.onsuccess = () => {
          const db = open.result;
          const count = db.transaction('operations').objectStore('operations').count();
          count.onsuccess = () => {
            db.close();
            resolve(count.result);
          };
        };
      }),
  );

const useWindow = async (page: Page, say: (name: string, ms: number, task: number) => void) => {
  const step = async (name: string, work: () => Promise<unknown>) => {
    const ms = await timed(work);
    say(name, ms, await longest(page));
  };
  await step('open the window, until the list shows', async () => {
    await page.reload();
    await settled(page);
  });
  await step('open the window again', async () => {
    await page.reload();
    await settled(page);
  });
  await step('search, until one is left', async () => {
    await page.getByRole('searchbox').fill(`record ${COUNT >> 1}.`);
    await page
      .getByText(`Bench record ${COUNT >> 1}.`)
      .first()
      .waitFor();
  });
  await page.getByRole('searchbox').fill('');
  await settled(page);
  await longest(page);
  await step('open what waits', async () => {
    await page
      .getByRole('link', { name: /^Waiting/ })
      .first()
      .click();
    await settled(page);
  });
  await page.getByRole('link', { name: 'New near miss' }).click();
  const text = page.getByLabel('What happened?');
  await text.waitFor();
  await longest(page);
  await step('type 60 characters', () =>
    text.pressSequentially('Ladder without feet on the wet slab beside the north core, A'),
  );
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  await longest(page);
  await step('save, until it is said', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/#\/near-misses\//);
    await page.getByText('Saved on this laptop.').first().waitFor();
  });
};

const measure = async (context: BrowserContext, folder: string, files: string): Promise<void> => {
  let service = await startService(join(folder, 'service'));
  const host = await startHostProcess(join(folder, 'host'), files);
  const page = await context.newPage();
  const steps: { name: string; ms: number; longest_task_ms: number }[] = [];
  const memory: object[] = [];
  try {
    await watchTasks(page);
    await page.goto(host.first.address);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(new URL('/bench/index.html', page.url()).href);
    await page.waitForFunction(() => 'bench' in globalThis);
    const idle = usage(host.child.pid ?? 0).rss_mb;
    const filled = await timed(() =>
      page.evaluate(
        ([server, count, photos, size]) =>
          (globalThis as unknown as Global).bench.queue(server, count, photos, size),
        [service.first, COUNT, PHOTOS, SIZE] as const,
      ),
    );
    const spooled = usage(host.child.pid ?? 0).rss_mb;
    console.log(
      `  queued in ${(filled / 1000).toFixed(1)} s; host ${idle} MB before, ${spooled} MB after ${((PHOTOS * SIZE) / 1e9).toFixed(1)} GB of photos`,
    );
    const port = Number(new URL(service.first.url).port);
    await service.end();
    await page.goto(new URL('/', page.url()).href);
    await settled(page);
    await useWindow(page, (name, ms, task) => {
      steps.push({ name, ms, longest_task_ms: task });
      console.log(`  ${name.padEnd(40)} ${String(ms).padStart(6)} ms   longest task ${task} ms`);
    });
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    const windowPids = () =>
      descendants(process.pid).filter((pid) => pid !== host.child.pid && pid !== service.child.pid);
    const sample = async (when: string, collect: boolean) => {
      const row = {
        when,
        entries: await entries(page),
        heap_mb: await heap(cdp, collect),
        host_mb: usage(host.child.pid ?? 0).rss_mb,
        service_mb: usage(service.child.pid ?? 0).rss_mb,
        chromium_mb: windowPids().reduce((sum, pid) => sum + usage(pid).rss_mb, 0),
        longest_task_ms: await longest(page),
      };
      memory.push(row);
      console.log(`  ${JSON.stringify(row)}`);
      return row.entries;
    };
    await sample('full, offline', true);
    service = await startService(join(folder, 'service'), port);
    await page
      .getByRole('link', { name: /^Waiting/ })
      .first()
      .click();
    const began = performance.now();
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    for (let left = 1; left > 0 && performance.now() - began < PATIENCE;) {
      await new Promise((resolve) => setTimeout(resolve, EVERY));
      left = await sample(
        `${Math.round((performance.now() - began) / 1000)} s into the drain`,
        false,
      );
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    await sample('empty', true);
    keep('queue', {
      machine: machine(),
      records: COUNT,
      photos: PHOTOS,
      photo_bytes: SIZE,
      host_idle_mb: idle,
      host_spooled_mb: spooled,
      steps,
      memory,
      drained_in_s: seconds,
    });
  } finally {
    await page.close();
    await host.end();
    await service.end();
  }
};

export const queue = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const files = await appFiles();
  const context = await openChromium(join(folder, 'profile'));
  try {
    console.log(`queue: ${COUNT} near misses, ${PHOTOS} photos of ${SIZE} bytes; ${machine()}`);
    await measure(context, folder, files);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

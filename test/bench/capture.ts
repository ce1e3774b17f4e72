/**
 * B7: from pressing Save to "Saved on this laptop", in the real window over the real host without a server: record, queue entry
 * and journal line durable, and the confirmation painted. The peer, in the same page: one put of a record of that size with
 * durability `strict`.
 */
import type { Page } from 'playwright';
import { keep, machine, withNoise } from './machine.ts';
import { openApp } from './open-app.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 30);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

interface Measures {
  save(): Promise<number>;
  rawPut(): Promise<number>;
}
type Global = { measures: Measures };

/** Injected into the page, so that times are taken where the person is. */
const measures = (): void => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rows = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('bench-raw', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('rows');
    request.onerror = () => reject(new Error('no database'));
    request.onsuccess = () => resolve(request.result);
  });
  let put = 0;
  const made: Measures = {
    async save() {
      const button = [...document.querySelectorAll('button')].find(
        (one) => one.textContent.trim() === 'Save',
      );
      if (button === undefined) throw new Error('there is no Save');
      const began = performance.now();
      button.click();
      const said = () =>
        location.hash.startsWith('#/near-misses/') &&
        document.body.textContent.includes('Saved on this laptop.');
      while (!said()) await frame();
      await frame();
      return performance.now() - began;
    },
    async rawPut() {
      const db = await rows;
      const began = performance.now();
      await new Promise<void>((resolve, reject) => {
        const transaction = db.transaction('rows', 'readwrite', { durability: 'strict' });
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => reject(new Error('not put'));
        put += 1;
        transaction
          .objectStore('rows')
          .put({ id: put, description: 'A plank slid off. '.repeat(100) }, put);
      });
      return performance.now() - began;
    },
  };
  Object.assign(globalThis, { measures: made });
};

const call = (page: Page, name: keyof Measures) =>
  page.evaluate((which) => (globalThis as unknown as Global).measures[which](), name);

const report = async (page: Page, n: number): Promise<number> => {
  await page.evaluate(() => (location.hash = '#/new'));
  const text = page.getByLabel('What happened?');
  await text.waitFor();
  await text.fill(`A plank slid off the scaffold, ${n}`);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  return call(page, 'save');
};

const at = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;

export const capture = async (): Promise<void> => {
  const app = await openApp(250);
  const { page } = app;
  const figures: Record<string, number[]> = {};
  const noises: number[] = [];
  try {
    await page.addInitScript(measures);
    await page.reload();
    await page.getByRole('heading').first().waitFor({ timeout: 120_000 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { noise } = await withNoise(async () => {
        for (let n = 0; n < COUNT; n += 1) {
          (figures['save, until it is said'] ??= []).push(await report(page, round * COUNT + n));
          (figures['raw put, strict'] ??= []).push(await call(page, 'rawPut'));
        }
      });
      noises.push(noise);
    }
    const rows = Object.entries(figures).map(([name, all]) => ({
      name,
      p50: at(all, 0.5),
      p95: at(all, 0.95),
      min: Math.min(...all),
      max: Math.max(...all),
    }));
    for (const { name, p50, p95 } of rows)
      console.log(
        `${name.padEnd(28)} half within ${p50.toFixed(1)} ms, 95 of 100 within ${p95.toFixed(1)} ms`,
      );
    keep('capture', { machine: machine(), rounds: ROUNDS, saves: COUNT, noises, rows });
  } finally {
    await app.end();
  }
};

/**
 * Thousands of near misses deleted at once offline: progress shown, cancelled, and interrupted by a host that dies midway.
 * Whenever it ends, a record is in the bin if and only if its entry is pending, and the next start has every entry in the
 * journal.
 */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { connectToServer } from './steps.ts';

interface Stored {
  readonly key: string;
  readonly server_id: number;
  readonly created_at: number;
  readonly bin: 0 | 1;
  readonly lane: string;
  readonly journaled: 0 | 1;
}

/** Reads a whole table, bypassing the window's code. `copies` adds copies. */
const table = (page: Page, name: 'near_misses' | 'operations', copies = 0): Promise<Stored[]> =>
  page.evaluate(
    ([store, times]) =>
      new Promise<Stored[]>((resolve, reject) => {
        const opening = indexedDB.open('spotter');
        opening.onerror = () => reject(new Error('no database'));
        opening.onsuccess = () => {
          const db = opening.result;
          const work = db.transaction(store, times > 0 ? 'readwrite' : 'readonly');
          const reading = work.objectStore(store).getAll() as IDBRequest<Stored[]>;
          reading.onsuccess = () => {
            for (let n = 1; n <= times; n += 1)
              for (const row of reading.result)
                work.objectStore(store).put({
                  ...row,
                  key: `${row.key}-${n}`,
                  server_id: row.server_id + n * 1_000_000,
                  created_at: row.created_at - n * 1000,
                });
          };
          work.onerror = () => reject(new Error('the table could not be read'));
          work.oncomplete = () => {
            db.close();
            resolve(reading.result);
          };
        };
      }),
    [name, copies] as const,
  );

/** Keys of the records newly in the bin, which must equal the pending entries. */
const sent = async (page: Page, before: ReadonlySet<string>): Promise<readonly string[]> => {
  const rows = (await table(page, 'near_misses')).filter(
    ({ bin, key }) => bin === 1 && !before.has(key),
  );
  const entries = await table(page, 'operations');
  expect(entries.map((entry) => entry.lane).sort()).toEqual(rows.map((row) => row.key).sort());
  return rows.map((row) => row.key);
};

const sendAll = async (page: Page, count: string): Promise<void> => {
  await page.locator('.scroller [data-stop]').first().focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByText(`${count} selected`)).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(/^Moving to the recycle bin: [\d,]+ of/)).toBeVisible();
};

test('outbox promise 1: thousands sent to the bin, stopped, then cut off by a crash: rows, queue and journal say the same', async ({
  app,
  server,
}) => {
  test.slow();
  let page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.locator('.scroller [aria-posinset]').first()).toBeVisible();
  await expect(page.getByText(/^Updated/)).toBeVisible();
  await server.stop();
  await table(page, 'near_misses', 12);
  const had = await table(page, 'near_misses');
  const rows = had.filter((row) => row.bin === 0).length;
  const before = new Set(had.filter((row) => row.bin === 1).map((row) => row.key));
  const said = (n: number) => n.toLocaleString('en-GB');
  const all = (n: number) => page.getByRole('button', { name: `All ${said(n)}`, exact: true });
  await page.reload();
  await expect(all(rows)).toBeVisible();

  await sendAll(page, said(rows));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(
    page.getByText(/moved to the recycle bin\. Stopped\. [\d,]+ were not changed/),
  ).toBeVisible();
  const stopped = await sent(page, before);
  expect(stopped.length).toBeGreaterThan(0);
  expect(stopped.length).toBeLessThan(rows);
  await expect(all(rows - stopped.length)).toBeVisible();

  await sendAll(page, said(rows - stopped.length));
  await expect
    .poll(async () => (await table(page, 'operations')).length)
    .toBeGreaterThan(stopped.length + 100);
  await app.kill();
  page = await app.open();
  await expect(page.getByRole('link', { name: 'Photos', exact: true })).toBeVisible();
  const cut = await sent(page, before);
  expect(cut.length).toBeGreaterThan(stopped.length);
  await expect
    .poll(async () => (await table(page, 'operations')).filter((entry) => entry.journaled === 0))
    .toEqual([]);
});

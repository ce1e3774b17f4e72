/** The list's first page after a start, when nothing of the window before is left. test/renderer/screens/list.test.ts has the rest. */
import type { Page } from 'playwright/test';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { connectToServer } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  return page;
};
const rows = (page: Page) => page.locator('.scroller [aria-posinset]');
const all = (page: Page, n: number) =>
  expect(page.getByRole('button', { name: `All ${n}`, exact: true })).toBeVisible();

test('measures B8: after a start the list’s first page is there at once, while the database has other things to do', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await server.stop();
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('list read ahead').length > 0);
  // A long write transaction on the near misses: readers wait until it ends.
  await page.evaluate(async () => {
    const opened = indexedDB.open('spotter');
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const store = opened.result.transaction('near_misses', 'readwrite').objectStore('near_misses');
    const global = globalThis as unknown as { over?: true; read?: true };
    const goOn = (): void => {
      if (!global.over) store.count('nobody').onsuccess = goOn;
    };
    goOn();
    const reader = opened.result.transaction('near_misses').objectStore('near_misses');
    reader.count().onsuccess = () => {
      global.read = true;
      opened.result.close();
    };
  });
  const read = () => page.evaluate(() => 'read' in globalThis);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(rows(page).first().locator('b')).not.toBeEmpty();
  expect(await read()).toBe(false);
  await page.evaluate(() => Object.assign(globalThis, { over: true }));
  await expect.poll(read).toBe(true);
  await all(page, 250);
});

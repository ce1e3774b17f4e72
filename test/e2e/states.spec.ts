/**
 * What the screens say when this laptop's store cannot be read. Try again reloads the window, so it is a journey; the other
 * states are in test/renderer/screens/states.test.ts.
 */
import type { Page } from 'playwright/test';
import { startServer, type Server } from '../support/server.ts';
import { toCompany } from './company-steps.ts';
import { expect, test as base } from './fixtures.ts';
import { look } from './looks.ts';
import { askServer } from './steps.ts';

interface Given {
  /** Like `world.open`, but does not wait for records. */
  readonly connect: () => Promise<Page>;
}

const test = base.extend<Given, { furnished: Server }>({
  // Drawing the photos takes most of a start, so all tests share one service.
  furnished: [
    async ({}, use) => {
      const server = await startServer([], true);
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  server: ({ furnished }, use) => use(furnished),
  connect: async ({ app, server, chaos }, use) => {
    await use(async () => {
      const page = await app.open();
      page.setDefaultTimeout(60_000);
      await askServer(page, { url: chaos.url, first: server.first });
      await page.getByRole('combobox').click();
      await page.getByRole('option', { name: 'Harbour Bridge East' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      return page;
    });
  },
});

test.use({ apart: false });

const go = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
test('no search, no figures, no store: each says that nothing is lost, and is tried again', async ({
  connect,
}) => {
  const page = await connect();
  const content = page.locator('#content');
  await expect(content.getByText(/^Updated/)).toBeVisible({ timeout: 120_000 });
  await page.route(/near-miss-index-worker/, (route) => route.abort());
  await page.reload();
  await expect(page.locator('.scroller [aria-posinset]').first()).toBeVisible();
  await expect(content.getByRole('alert')).toContainText('could not be read');
  await look(page, 'error-index');
  // It recovers in place, with the text typed meanwhile.
  await page.getByRole('searchbox').first().fill('no such thing anywhere');
  await page.unroute(/near-miss-index-worker/);
  await content.getByRole('button', { name: 'Try again' }).click();
  await expect(content.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await expect(content.getByRole('alert')).toHaveCount(0);
  await content.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();

  await page.route(/near-miss-index-worker/, (route) => route.abort());
  await page.reload();
  await go(page, 'Insights');
  await expect(content.getByRole('alert')).toContainText('could not be counted');
  await look(page, 'error-insights');
  await page.unroute(/near-miss-index-worker/);
  await content.getByRole('button', { name: 'Try again' }).click();
  await expect(content.getByText(/^\d+ near misses(\.| since)/)).toBeVisible();

  await page.evaluate(() => {
    const broken = (): never => {
      throw new DOMException('the disk does not answer', 'UnknownError');
    };
    for (const name of ['getAll', 'openCursor', 'openKeyCursor', 'getAllKeys'] as const)
      IDBIndex.prototype[name] = broken;
  });
  await go(page, 'Photos');
  await expect(content.getByRole('alert')).toContainText('Nothing was deleted');
  await look(page, 'error-photos');
  // The company's screens say the same and offer a retry too.
  for (const place of ['Members', 'Webhooks']) {
    await toCompany(page, place);
    await expect(content.getByRole('alert')).toContainText('Nothing was deleted');
    await expect(content.getByRole('button', { name: 'Try again' })).toBeVisible();
  }
  await go(page, 'Photos');
  await content.getByRole('button', { name: 'Try again' }).click();
  await expect(content.getByRole('button', { name: /^IMG_/ }).first()).toBeVisible();
});

/**
 * What the near-miss screens say when there is nothing to show: of an empty project, while the first records are on their way, when
 * they could not be fetched, without a connection, and when this laptop's store cannot be read. Nothing says "none" of what is
 * only not here yet.
 */
import type { Page } from 'playwright/test';
import type { Seen } from '../support/chaos.ts';
import { startServer, type Server } from '../support/server.ts';
import { expect, test as base } from './fixtures.ts';
import { look } from './looks.ts';
import { askServer } from './steps.ts';

interface Given {
  /** As `world.open`, but does not wait for records. */
  readonly connect: () => Promise<Page>;
}

const test = base.extend<Given, { furnished: Server }>({
  // Drawing the photos takes most of a start: one for all.
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
const isList = ({ method, path }: Seen): boolean =>
  method === 'GET' && /\/near_misses(\?|$)/.test(path);
const none = {
  kind: 'answer',
  status: 200,
  headers: { 'content-type': 'application/json', total: '0', 'per-page': '100' },
  body: '[]',
} as const;
const refused = {
  kind: 'answer',
  status: 503,
  headers: { 'content-type': 'application/json' },
  body: '{"errors":["Down for a moment."]}',
} as const;

test('a new project says on every screen what will be there, and where to begin', async ({
  chaos,
  connect,
}) => {
  chaos.plan = (seen) => (isList(seen) ? none : null);
  const page = await connect();
  await expect(page.getByRole('heading', { name: 'No near misses yet' })).toBeVisible({
    timeout: 60_000,
  });
  await look(page, 'empty-list');
  for (const [link, said] of [
    ['Photos', 'No photos yet'],
    ['Recycle bin', 'The recycle bin is empty'],
    ['Insights', 'Nothing to count yet'],
    ['Waiting', 'Nothing is waiting'],
  ] as const) {
    await go(page, link);
    await expect(page.getByRole('heading', { name: said })).toBeVisible();
  }
  await look(page, 'empty-waiting');
  await go(page, 'Near misses');
  await page.locator('#content').getByRole('button', { name: 'New near miss' }).click();
  await expect(page.getByLabel('What happened?')).toBeFocused();
});

test('while records are fetched no screen says there are none; what failed says what works and is tried again', async ({
  chaos,
  connect,
}) => {
  let let_go = (): void => undefined;
  const held = new Promise<void>((resolve) => (let_go = resolve));
  chaos.plan = (seen) =>
    isList(seen) ? { kind: 'hold_reply', until: () => held.then(() => 'cut' as const) } : null;
  const page = await connect();
  const content = page.locator('#content');
  const coming = content.getByText('Downloading this project’s near misses…');
  for (const link of ['Near misses', 'Photos', 'Recycle bin', 'Insights']) {
    await go(page, link);
    await expect(coming).toBeVisible();
    await expect(
      content.getByText(/No near misses yet|No photos yet|is empty|Nothing to/),
    ).toBeHidden();
  }
  chaos.plan = (seen) => (isList(seen) ? refused : null);
  let_go();
  for (const link of ['Photos', 'Recycle bin', 'Insights', 'Near misses']) {
    await go(page, link);
    await expect(
      content.getByRole('heading', { name: 'Nothing on this laptop yet' }),
    ).toBeVisible();
  }
  await expect(content.getByText('Could not update.')).toBeVisible();
  await look(page, 'error-list');
  chaos.plan = () => null;
  await content.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await expect(content.getByText(/^Updated/)).toBeVisible();
});

test('list, bin, photos and insights say what still works; a photo kept elsewhere says what it needs', async ({
  chaos,
  connect,
}) => {
  const page = await connect();
  const content = page.locator('#content');
  await expect(content.getByText(/^Updated/)).toBeVisible({ timeout: 120_000 });
  await page.getByRole('button', { name: /^Could have killed \d+/ }).click();
  await page.getByRole('searchbox').first().fill('no such thing anywhere');
  await expect(content.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await content.getByRole('button', { name: 'Show all' }).click();

  await chaos.reachable(false);
  await expect(page.getByRole('link', { name: 'Offline · nothing waiting' })).toBeVisible({
    timeout: 120_000,
  });
  await expect(content.getByText(/^Updated/)).toBeVisible();
  await look(page, 'offline-list');
  await go(page, 'Recycle bin');
  await expect(content.getByText(/^Offline. Showing the copy/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'All 6', exact: true })).toBeVisible();
  await go(page, 'Insights');
  await expect(content.getByText(/^Counted on this laptop from \d+ near misses/)).toBeVisible();
  await go(page, 'Photos');
  await expect(content.getByText(/^Offline. Only photos on this laptop/)).toBeVisible();
  await look(page, 'offline-photos');
  await content.getByRole('button', { name: /^IMG_/ }).first().click();
  await expect(page.getByText('this is the small version')).toBeVisible();
});

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
  // There and then, and on what was typed meanwhile.
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
  await expect(content.getByText(/^Counted on this laptop/)).toBeVisible();

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
  // The company's screens say the same, and may be tried again too.
  for (const link of ['Members', 'Webhooks']) {
    await go(page, link);
    await expect(content.getByRole('alert')).toContainText('Nothing was deleted');
    await expect(content.getByRole('button', { name: 'Try again' })).toBeVisible();
  }
  await go(page, 'Photos');
  await content.getByRole('button', { name: 'Try again' }).click();
  await expect(content.getByRole('button', { name: /^IMG_/ }).first()).toBeVisible();
});

test('failures A16: a disk that is almost full is told above every screen, and no longer when there is room', async ({
  connect,
}) => {
  const page = await connect();
  let free = 320_000_000;
  // The host's own answer is the real disk's; here it is nearly full.
  await page.route(/\/host\/app\.disk$/u, (route) =>
    route.fulfill({ json: { ok: true, value: { free } } }),
  );
  await page.reload();
  const told = page.getByRole('complementary', { name: 'The disk is almost full: 320 MB left.' });
  await expect(told).toBeVisible();
  await expect(told).toContainText('Free up some space');
  await look(page, 'disk-almost-full');
  await go(page, 'Settings');
  await expect(told).toBeVisible();
  await expect(page.getByText(/Space left on this disk\s*320 MB/)).toBeVisible();
  free = 8_000_000_000;
  await page.reload();
  await expect(page.getByText(/Space left on this disk\s*8 GB/)).toBeVisible();
  await expect(told).toBeHidden();
});

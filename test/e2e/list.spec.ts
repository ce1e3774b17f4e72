/**
 * The list of near misses and the recycle bin as a supervisor uses them, with the server and without: filters that stay,
 * every order, the keyboard, many at once, what is new. That list and server answer alike is test/renderer/data/alike.test.ts.
 */
import type { Page } from 'playwright/test';
import { startServer, type Server } from '../support/server.ts';
import { expect, test, type App } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer } from './steps.ts';

let service: Server;
test.beforeEach(async () => {
  service = await startServer();
});
test.afterEach(() => service.remove());

const open = async (app: App): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(15_000);
  await connectToServer(page, service, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  return page;
};
const rows = (page: Page) => page.locator('.scroller [aria-posinset]');
const all = (page: Page, n: number) =>
  expect(page.getByRole('button', { name: `All ${n}`, exact: true })).toBeVisible();

test('filters offer what is in use, are shown and taken away one by one, survive screens, restarts and the loss of the network', async ({
  app,
}) => {
  const page = await open(app);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  const electricity = dialog.getByRole('checkbox', { name: /^Electricity, \d+$/ });
  const count = Number(/\d+$/.exec((await electricity.getAttribute('aria-label')) ?? '')?.[0]);
  await electricity.check();
  await expect(dialog.getByRole('button', { name: `Show ${count} near misses` })).toBeVisible();
  await look(page, 'list-filters');
  await dialog.getByRole('button', { name: `Show ${count} near misses` }).click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count));
  await expect(rows(page).first()).toContainText('Electricity');
  await service.stop();
  await page.reload();
  const chosen = page.getByRole('group', { name: 'Filters in use' });
  await expect(chosen.getByRole('button', { name: /Harm source: Electricity/ })).toBeVisible();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count));

  await page.getByRole('button', { name: 'Filters, 1 in use' }).click();
  const incident = dialog.getByRole('group', { name: 'Incident' }).getByRole('radio').nth(1);
  await incident.check();
  await dialog.getByText('Today', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filters, 3 in use' })).toBeVisible();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await chosen.getByRole('button', { name: /Reported: Today/ }).click();
  await expect(page.getByRole('button', { name: 'Filters, 2 in use' })).toBeVisible();
  await look(page, 'list-chosen');
  await chosen.getByRole('button', { name: 'Clear all' }).click();
  await expect(chosen).toBeHidden();
  await all(page, 250);
});

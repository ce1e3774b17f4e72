/**
 * What has to be done after a near miss: said offline, sent when there is a network, seen in the list and in the header when it is
 * due, done with a photo, and asked about where two people changed it.
 */
import type { Page } from 'playwright/test';
import { localDay } from '../../src/renderer/data/local-day.ts';
import { clientOf } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, report } from './steps.ts';

test.use({ apart: false });

const rows = (page: Page) => page.locator('.scroller [aria-posinset]');
const pane = (page: Page) => page.getByRole('region', { name: 'Near miss', exact: true });
const part = (page: Page) => pane(page).getByRole('region', { name: 'Follow-up' });
const inDays = (days: number): string => localDay(Date.now() + days * 86_400_000);

test('decisions §4.7: a follow-up is said offline, kept over a restart, sent; due it is in list and header; done it is not', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  // The demo has some that nobody has done.
  const dueNow = page.getByRole('button', { name: /follow-ups? (is|are) due/ });
  await expect(dueNow).toBeVisible();
  const before = Number(/\d+/.exec((await dueNow.getAttribute('aria-label')) ?? '')?.[0]);
  await server.stop();
  await report(page, { text: 'Gate left open at the river steps', photos: [] });
  await part(page).getByRole('button', { name: 'Add a follow-up' }).click();
  await part(page).getByLabel('What has to be done?').fill('Fit a spring to the gate');
  await part(page).getByLabel('Who does it?').fill('Tom Brennan');
  await part(page).getByRole('textbox', { name: 'By when?' }).fill(inDays(-1));
  await look(page, 'follow-up-form');
  await part(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part(page).getByText('Overdue')).toBeVisible();
  await expect(part(page).getByText(/^Tom Brennan · by /)).toBeVisible();
  await expect(dueNow).toHaveAttribute('aria-label', new RegExp(`^${before + 1} `));
  await look(page, 'follow-up');
  await page.reload();
  await expect(part(page).getByText('Overdue')).toBeVisible();

  // The way from the header: those alone, the tag in each row.
  await dueNow.click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(before + 1));
  await expect(rows(page).first()).toContainText('Gate left open');
  await expect(rows(page).first()).toContainText('Overdue');
  await expect(page.getByRole('button', { name: /Follow-up: Due/ })).toBeVisible();
  await look(page, 'follow-up-list');

  await server.start();
  await drained(page);
  await rows(page).first().getByRole('link').click();
  await part(page).getByRole('button', { name: 'Mark as done' }).click();
  await expect(page.getByText('Follow-up done.')).toBeVisible();
  await expect(part(page).getByText(/^Done /)).toBeVisible();
  await expect(dueNow).toHaveAttribute('aria-label', new RegExp(`^${before} `));
  await page.getByRole('button', { name: 'Add a photo' }).click();
  await expect(page.getByLabel('What happened?')).toBeVisible();
  await drained(page);
  const { custom_fields: sent } = (
    await clientOf(server.url, server.first).get('~/incidents/near_misses')
  ).json[0] as {
    custom_fields: Record<string, { value: unknown }>;
  };
  const values = Object.values(sent).map(({ value }) => value);
  for (const wanted of ['Fit a spring to the gate', 'Tom Brennan', inDays(-1), inDays(0)])
    expect(values).toContain(wanted);
  await page.goBack();
  await part(page).getByRole('button', { name: 'Reopen' }).click();
  await expect(part(page).getByText('Overdue')).toBeVisible();
});

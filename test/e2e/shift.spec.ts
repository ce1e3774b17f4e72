/** The start of a shift: what is new since yesterday, the worst of it and what is due, each one press from its list. */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer } from './steps.ts';

test.use({ apart: false });

const rows = (page: Page) => page.locator('.scroller [aria-posinset]');

test('a shift begins with what is new, the worst and what is due; hidden on a narrow window until tomorrow', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Hook swung over the walkway');
  await page.getByText('Could have killed').click();
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved on this laptop.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();

  const card = page.getByRole('region', { name: 'Since yesterday' }).and(page.locator('.start'));
  await expect(card.getByRole('link', { name: /Hook swung over/ })).toBeVisible();
  const figure = (name: RegExp) => card.getByRole('button', { name });
  const countOf = async (name: RegExp) => Number.parseInt(await figure(name).innerText(), 10);
  const fresh = await countOf(/new near miss/);
  const due = await countOf(/follow-ups? due/);
  expect(fresh).toBeGreaterThan(0);
  expect(due).toBeGreaterThan(0);
  await look(page, 'shift');

  await figure(/new near miss/).click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(fresh));
  await expect(rows(page).first()).toContainText('Hook swung over the walkway');
  await figure(/follow-ups? due/).click();
  await expect(page.getByRole('button', { name: /Follow-up: Due/ })).toBeVisible();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(due));
  await card.getByRole('link', { name: /Hook swung over/ }).click();
  await expect(page.getByRole('heading', { name: 'Hook swung over the walkway' })).toBeVisible();

  // One line over the list where there is no room beside it.
  await page.setViewportSize({ width: 1024, height: 640 });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  const line = page.getByRole('region', { name: 'Since yesterday' }).and(page.locator('.line'));
  await expect(line).toContainText(`${fresh} new near miss`);
  await look(page, 'shift-narrow');
  await page.setViewportSize({ width: 1024, height: 640 });
  await line.getByRole('button', { name: 'Hide until tomorrow' }).click();
  await expect(line).toBeHidden();
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(line).toBeHidden();
});

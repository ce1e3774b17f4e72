/** The tasks of every day, in presses of the mouse: what is typed is not counted. */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { countPresses } from './presses.ts';
import { connectToServer, drained } from './steps.ts';

const rows = (page: Page) => page.locator('.scroller [aria-posinset]');

test('a typo is fixed in three presses; last week’s scaffold reports are found in two and a word', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(rows(page).first()).toBeVisible();
  const presses = await countPresses(page);

  await rows(page).first().getByRole('link').click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  const what = page.getByLabel('What happened?');
  const said = await what.inputValue();
  await what.fill(`${said} Put right.`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(presses()).toBe(3);
  await drained(page);
  await expect(
    page
      .getByRole('region', { name: 'Near miss', exact: true })
      .getByText(/Put right\.$/)
      .first(),
  ).toBeVisible();

  await page.keyboard.press('/');
  await page.keyboard.type('scaffold');
  // The last of what was found is the list itself.
  const inList = page.getByRole('option', { name: 'Show “scaffold” in the list' });
  await expect(inList).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(inList).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Any time' }).click();
  await page.getByRole('menuitem', { name: 'Last week' }).click();
  expect(presses()).toBe(2);
  await expect(page.getByRole('button', { name: 'Reported: Last week' })).toBeVisible();
  await expect(rows(page).first()).toContainText(/scaffold/i);
  const shown = Number(await rows(page).first().getAttribute('aria-setsize'));
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(30);
});

/** The tasks of every day, in presses of the mouse, and of keys that write no word. */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { countKeys, countPresses } from './presses.ts';
import { connectToServer, drained } from './steps.ts';

test.use({ apart: false });

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

  const keys = await countKeys(page);
  const lastWeek = async () => {
    const find = page.getByRole('combobox', { name: 'Near miss, screen or action' });
    await expect(find).toBeFocused();
    await page.keyboard.type('scaffold');
    // Told of it first, then what has it in another field.
    await expect(page.getByRole('option').first()).toContainText(/scaffold/i);
    await page.getByRole('option', { name: 'Show last week’s “scaffold” in the list' }).click();
  };
  await page.getByRole('button', { name: /^Find anything/ }).click();
  await lastWeek();
  expect({ presses: presses(), keys: keys() }).toEqual({ presses: 2, keys: 0 });
  await expect(page.getByRole('button', { name: 'Reported: Last week' })).toBeVisible();
  await expect(rows(page).first()).toContainText(/scaffold/i);
  const shown = Number(await rows(page).first().getAttribute('aria-setsize'));
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(30);

  // The key that opens the finder counts as a press; what the list was narrowed by before gives way.
  await page.getByRole('button', { name: /^Could have killed/ }).click();
  await page.getByRole('link', { name: 'Photos', exact: true }).click();
  presses();
  await page.keyboard.press('/');
  await lastWeek();
  expect({ presses: presses(), keys: keys() }).toEqual({ presses: 1, keys: 1 });
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(shown));
});

test('a trade fills in harm source, work activity and likely action in two presses, and takes them out again', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  const what = page.getByLabel('What happened?');
  await what.fill('Ledger slipped off its cup');
  const presses = await countPresses(page);
  const choose = async (trade: string) => {
    await page.getByRole('button', { name: 'By trade' }).click();
    await page.getByRole('menuitem', { name: trade }).click();
  };
  const harm = page.getByRole('combobox', { name: /^Harm source/ });
  const activity = page.getByRole('combobox', { name: /^Work activity/ });
  const action = page.getByLabel('Immediate action');

  await choose('Scaffold');
  expect(presses()).toBe(2);
  await expect(harm).toHaveValue('Working at height');
  await expect(activity).toHaveValue('Scaffold erection');
  await expect(action).toHaveValue(/tagged out of use/);
  await expect(page.getByText('Filled in for scaffold. Check what was done.')).toBeVisible();
  // Typing goes on where it was.
  await expect(what).toBeFocused();
  await page.getByRole('button', { name: 'By trade' }).click();
  await look(page, 'trades');
  await page.keyboard.press('Escape');

  // Another trade takes its place; what was written by hand stays when it is taken out.
  await choose('Lifting');
  await expect(activity).toHaveValue('Crane lift');
  await expect(action).toHaveValue('Lift stopped, area under the load cleared.');
  await action.fill('Lift stopped, slings cut up.');
  await choose('Lifting');
  await expect(harm).toHaveValue('');
  await expect(activity).toHaveValue('');
  await expect(action).toHaveValue('Lift stopped, slings cut up.');

  await choose('Scaffold');
  await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const detail = page.getByRole('region', { name: 'Near miss', exact: true });
  await expect(detail.getByText('Scaffold erection')).toBeVisible();
  await expect(detail.getByText('Lift stopped, slings cut up.')).toBeVisible();
});

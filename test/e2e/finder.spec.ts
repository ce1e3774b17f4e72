/**
 * The finder and the keys, by keys alone: `/` or Ctrl+K finds a screen, an action, a near miss, and Enter opens it; Escape gives the
 * focus back; in a text box the keys write. `?` lists the keys. A list behind the finder goes on as it was.
 */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { report } from './steps.ts';

test.use({ apart: false });

const box = (page: Page) => page.getByRole('combobox', { name: 'Near miss, screen or action' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
/** The row that Enter takes is the one that readers are told of. */
const chosen = async (page: Page, name: string | RegExp): Promise<void> => {
  await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveCount(1);
  await expect(page.locator('[role="option"][aria-selected="true"]')).toContainText(name);
  const id = await page.locator('[role="option"][aria-selected="true"]').getAttribute('id');
  await expect(box(page)).toHaveAttribute('aria-activedescendant', id ?? '');
};

test('the finder: by keys alone to a screen, an action, a setting, a near miss; text boxes keep their keys', async ({
  world,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await report(page, { text: 'Grinder guard missing (findme)', photos: [] });
  await page.getByRole('link', { name: 'Waiting' }).first().click();
  await expect(page.getByRole('heading', { name: 'Waiting', level: 1 })).toBeVisible();

  const rail = page.getByRole('link', { name: 'Photos', exact: true });
  await rail.focus();
  await page.keyboard.press('/');
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue('');
  await chosen(page, 'New near miss');
  await look(page, 'finder-empty');
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveCount(0);
  await expect(rail).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type('insig');
  await chosen(page, 'Insights');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Insights', level: 1 })).toBeVisible();

  await page.keyboard.press('/');
  await expect(box(page)).toHaveValue('');
  await page.keyboard.type('findme');
  await expect(option(page, /Grinder guard missing/)).toBeVisible();
  await chosen(page, 'Grinder guard missing');
  await look(page, 'finder-near-miss');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/near-misses\/./);
  await expect(page.getByRole('heading', { name: /Grinder guard missing/ })).toBeVisible();

  // Round the list with the arrows: the last is above the first.
  await page.keyboard.press('/');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type('storage');
  await chosen(page, 'Storage on this laptop');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await chosen(page, 'Storage on this laptop');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/settings\/storage$/);

  await page.keyboard.press('/');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type('qqqq no such thing');
  await expect(page.getByRole('status').filter({ hasText: 'No matches' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box(page)).toBeFocused();
  await box(page).fill('new near');
  await chosen(page, 'New near miss');
  await page.keyboard.press('Enter');
  const what = page.getByLabel('What happened?');
  await expect(what).toBeFocused();
  await page.keyboard.type('and/or? k');
  await expect(what).toHaveValue('and/or? k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
  // Over a dialog no other one is opened.
  await page.keyboard.press('Escape');
  await expect(what).toBeFocused();
});

test('the list behind the finder can be scrolled and chosen from after many searches', async ({
  world,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  // A question of the list's own: from here on it stands on an answer of the index.
  await page.getByRole('searchbox').first().fill('a');
  const rows = page.locator('.scroller [data-stop]');
  await expect(rows.first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /\d/ }).first()).toBeAttached();
  await rows.first().focus();
  await page.keyboard.press('/');
  for (const text of ['l', 'la', 'lad', 'ladd', 'ladde', 'ladder', 'plank', 'hook']) {
    await box(page).fill(text);
    await expect(page.getByText('Searching near misses…')).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.locator('.scroller [data-stop]:focus')).toHaveCount(1);
  await expect(page.locator('.scroller li:has([data-stop]:focus)')).toHaveAttribute(
    'aria-posinset',
    /^\d{2,}$/,
  );
});

test('help: `?` lists the keys and what they do is true; it is in the rail too', async ({
  world,
  shell,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await page.getByRole('link', { name: 'Near misses', exact: true }).focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help and keys' });
  await expect(help).toBeVisible();
  await expect(help.getByText('Find anything: near misses, screens, actions')).toBeVisible();
  await expect(help.getByText('In the desktop app')).toHaveCount(shell === 'browser' ? 0 : 1);
  await look(page, 'help');
  // While it is open no other key of the frame counts but Escape.
  await page.keyboard.press('/');
  await expect(box(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Near misses', exact: true })).toBeFocused();

  await page.keyboard.press('Alt+n');
  await page.waitForURL(/#\/new/);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await help.getByRole('button', { name: 'Show the three cards again' }).click();
  await page.waitForURL(/#\/tour$/);
  await page.getByRole('button', { name: /^Find anything/ }).click();
  await expect(box(page)).toBeFocused();
});

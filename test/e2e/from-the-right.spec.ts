/** Texts in Hebrew and Arabic in a window that is read from the left: each in its own direction, and nothing beside it is torn. */
import type { Locator } from 'playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const TITLE = 'פיגום התמוטט בקומה 3 (ליד המעלית)!';
const PLACE = 'שער 2, בניין 7';

const directionOf = (one: Locator): Promise<string> =>
  one.first().evaluate((element) => getComputedStyle(element).direction);

/** Where a part of a line begins and ends on the screen. */
const ends = (line: Locator, part: string) =>
  line.evaluate((element, wanted) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    }
    throw new Error(`${wanted} is not in the line`);
  }, part);

test('Hebrew is typed and shown from the right, and the date beside a Hebrew place stays whole', async ({
  world,
}) => {
  const page = await world.open();
  await page.getByRole('link', { name: 'New near miss' }).click();
  const what = page.getByLabel('What happened?');
  const where = page.getByLabel(/^Where/);
  expect(await directionOf(what)).toBe('ltr');
  await what.fill(TITLE);
  expect(await directionOf(what)).toBe('rtl');
  await where.fill(PLACE);
  expect(await directionOf(where)).toBe('rtl');
  await page.getByText('Could have killed').click();
  await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  const head = page.getByRole('heading', { level: 1, name: TITLE });
  await expect(head).toBeVisible();
  expect(await directionOf(head)).toBe('rtl');
  const row = page.locator('.scroller b');
  await expect(row.first()).toHaveText(TITLE);
  expect(await directionOf(row)).toBe('rtl');
  expect(await directionOf(row.nth(1))).toBe('ltr');

  await page.getByRole('link', { name: 'Insights' }).click();
  await page.getByRole('link', { name: 'The week on a page' }).click();
  const line = page.getByRole('listitem').filter({ hasText: TITLE }).locator('small').first();
  await expect(line).toContainText(PLACE);
  const day = /\d+ \p{L}+ \d{4}/u.exec(await line.innerText())?.[0] ?? '';
  const [place, date] = [await ends(line, PLACE), await ends(line, day)];
  expect(date.left).toBeGreaterThanOrEqual(place.right);
});

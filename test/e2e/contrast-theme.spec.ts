/** A contrast theme of the system (Windows' high contrast): what is chosen is told apart where no ground of the window's own is drawn. */
import type { Locator } from 'playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const groundOf = (one: Locator): Promise<string> =>
  one.first().evaluate((element) => getComputedStyle(element).backgroundColor);

test('in a contrast theme what is chosen stands out: place, chip, row, answer, menu, bar; buttons have an edge', async ({
  world,
}) => {
  const page = await world.open();
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const apart = async (chosen: Locator, other: Locator, where: string) =>
    expect.soft(await groundOf(chosen), where).not.toBe(await groundOf(other));
  const chips = page.getByRole('group', { name: 'Filters' }).first();
  await apart(
    chips.locator('[aria-pressed=true]'),
    chips.locator('[aria-pressed=false]'),
    'a chip',
  );
  const rail = page.getByRole('navigation').first();
  await apart(rail.locator('[aria-current]'), rail.locator('a:not([aria-current])'), 'the place');
  const rows = page.locator('.scroller');
  await rows.locator('a').first().click();
  await expect(rows.locator('[aria-current]')).toHaveCount(1);
  await apart(rows.locator('[aria-current]'), rows.locator('a:not([aria-current])'), 'the row');
  await chips.getByRole('button', { name: /^Reported:/ }).click();
  await page.keyboard.press('ArrowDown');
  const item = page.getByRole('menuitem');
  await apart(item.and(page.locator('[data-highlighted]')), item.last(), 'a menu');
  await page.keyboard.press('Escape');

  const add = page.getByRole('link', { name: 'New near miss' });
  const { edge, ground } = await add.evaluate((element) => {
    const { borderTopColor, borderTopStyle, backgroundColor } = getComputedStyle(element);
    return { edge: `${borderTopStyle} ${borderTopColor}`, ground: backgroundColor };
  });
  expect.soft(edge).toMatch(/^solid rgb\(/);
  expect.soft(edge).not.toContain(ground);
  await add.click();
  const answers = page.getByRole('group', { name: /^Potential severity/ });
  await answers.getByText('Serious').click();
  await apart(answers.locator('label.on'), answers.locator('label:not(.on)'), 'an answer');

  await page.getByRole('link', { name: 'Insights' }).click();
  await apart(page.locator('.fill'), page.locator('.track'), 'a bar');
});

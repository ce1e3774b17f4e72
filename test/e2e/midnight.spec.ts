/** A window that stays open over midnight, as a laptop's on site does: no screen goes on telling of the day before as today. */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { report } from './steps.ts';

test.use({ apart: false });

const DAY = 24 * 60 * 60_000;

const choose = async (page: Page, when: string): Promise<void> => {
  await page.getByRole('button', { name: /^Reported:/ }).click();
  await page.getByRole('menuitem', { name: when }).click();
};
/** The clock goes on, and whatever fell due meanwhile runs. */
const pass = (page: Page, days: number): Promise<void> => page.clock.fastForward(days * DAY);
/** The clock goes on, and the laptop slept: no timer runs before somebody looks at the window. */
const sleep = async (page: Page, days: number): Promise<void> => {
  const at = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(at + 60_000);
  await page.clock.setSystemTime(at + days * DAY);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
};

test('the list of today, the week on a page and insights are of another day after midnight', async ({
  world,
}) => {
  const page = await world.open();
  await page.clock.install();
  await page.reload();
  await report(page, { text: 'Ladder slipped on the wet slab', photos: [] });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await choose(page, 'Today');
  const row = page.locator('.scroller').getByText('Ladder slipped on the wet slab');
  await expect(row).toBeVisible();
  await pass(page, 1);
  await expect(row).toBeHidden();
  await choose(page, 'This week');
  // Wherever in the week it is: seven days on it is another one.
  await pass(page, 7);
  await expect(row).toBeHidden();

  await page.getByRole('link', { name: 'Insights' }).click();
  const weeks = page.getByRole('slider', { name: 'Near misses reported per week' });
  await weeks.focus();
  await page.keyboard.press('End');
  const told = (await weeks.getAttribute('aria-valuetext')) ?? '';
  await pass(page, 7);
  await page.keyboard.press('End');
  await expect(weeks).not.toHaveAttribute('aria-valuetext', told);

  await page.getByRole('link', { name: 'The week on a page' }).click();
  const range = page.getByRole('heading', { level: 1 }).locator('+ p');
  const next = page.getByRole('button', { name: 'Next week' });
  await expect(next).toBeDisabled();
  const [before] = [await range.innerText()];
  await pass(page, 7);
  await expect(range).not.toHaveText(before);
  await expect(next).toBeDisabled();
  // One that was chosen stays, and this week is where it leads on to.
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(range).toHaveText(before);
  await pass(page, 7);
  await next.click();
  await expect(next).toBeEnabled();
  await next.click();
  await expect(next).toBeDisabled();
});

test('after a night with the lid closed the list of today is right as soon as the window is looked at', async ({
  world,
}) => {
  const page = await world.open();
  await page.clock.install();
  await page.reload();
  await report(page, { text: 'Gas bottle stored beside the stove', photos: [] });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await choose(page, 'Today');
  const row = page.locator('.scroller').getByText('Gas bottle stored beside the stove');
  await expect(row).toBeVisible();
  await sleep(page, 1);
  await expect(row).toBeHidden();
});

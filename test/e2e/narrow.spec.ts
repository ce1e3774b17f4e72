/**
 * A window too narrow for list and record side by side: one takes the place of the other, and the focus goes along. What has it when
 * a record is deleted is gone with the record; it may not fall to the page, from where the next key would begin at the top.
 */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { connectToServer, drained, report } from './steps.ts';

test.use({ apart: false });

/** Is the focus on a row of the list, or on the list's heading? */
const inList = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return 'body';
    if (!(at instanceof HTMLElement) || !at.checkVisibility()) return 'something hidden';
    return at.closest('.scroller') ? 'row' : at.tagName.toLowerCase();
  });
const lands = (page: Page): Promise<void> =>
  expect.poll(() => inList(page), { timeout: 60_000 }).toMatch(/^(row|h1)$/);
/** From there the keyboard gets to the rows, and opens one. */
const openNext = async (page: Page): Promise<void> => {
  await expect(page.locator('.scroller [data-stop]').first()).toBeVisible();
  for (let steps = 0; steps < 40 && (await inList(page)) !== 'row'; steps += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/near-misses\/./);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
};

test('on a narrow window the focus is in the list when the open near miss was deleted, sent or not', async ({
  app,
  server,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.setViewportSize({ width: 1050, height: 700 });
  const rows = page.locator('.scroller [data-stop]');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await openNext(page);
  const bin = page.getByRole('button', { name: 'Send to recycle bin' });

  for (const way of ['sent', 'sent again'] as const) {
    await test.step(way, async () => {
      await bin.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/near-misses$/);
      await lands(page);
      // What comes back from the service draws the rows anew.
      await drained(page);
      await lands(page);
      await openNext(page);
    });
  }

  await server.stop();
  await report(page, { text: 'Never sent: a plank across the stair', photos: [] });
  await bin.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete for good' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/near-misses$/);
  await lands(page);
  await openNext(page);
});

/** A window that stays open past midnight, as on a laptop on site: no screen keeps calling the previous day today. */
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const DAY = 24 * 60 * 60_000;

// A Wednesday. Only the clock that the window reads days from is faked; everything else runs in real time.
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(2026, 10, 25, 10),
  });
});
afterEach(() => void vi.useRealTimers());

/** The clock advances during sleep: no timer runs before a person looks at the window. */
const sleep = (days: number): void => {
  vi.setSystemTime(Date.now() + days * DAY);
  document.dispatchEvent(new Event('visibilitychange'));
};
/** The clock advances, and each timer that became due runs. */
const pass = (days: number): void => {
  vi.setSystemTime(Date.now() + days * DAY);
  vi.advanceTimersByTime(30_000);
};
const choose = async (when: string): Promise<void> => {
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('dialog').getByText(when, { exact: true }).click();
  await userEvent.keyboard('{Escape}');
};
const TEXT = 'Ladder slipped on the wet slab';
// In the list; the shift card shows it too.
const row = page.getByRole('link', { name: new RegExp(`${TEXT}.*reported`) });
const openList = async (): Promise<void> => {
  await openApp({ host: siteHost([reported(TEXT, 0)]) });
  await expect.element(row).toBeVisible();
  await choose('Today');
  await expect.element(row).toBeVisible();
};

slow(
  'the list of today, the week on a page and insights are of another day after midnight',
  async () => {
    await openList();
    pass(1);
    await expect.element(row).not.toBeInTheDocument();
    await choose('This week');
    await expect.element(row).toBeVisible();
    pass(7);
    await expect.element(row).not.toBeInTheDocument();

    await page.getByRole('link', { name: 'Insights' }).click();
    const weeks = page.getByRole('slider', { name: 'Near misses reported per week' });
    await expect.element(weeks).toBeVisible();
    const lastWeek = async (): Promise<string | null> => {
      (weeks.element() as HTMLElement).focus();
      await userEvent.keyboard('{End}');
      return weeks.element().getAttribute('aria-valuetext');
    };
    const told = await lastWeek();
    pass(7);
    await expect.poll(lastWeek).not.toBe(told);

    await page.getByRole('link', { name: 'The week on a page' }).click();
    const range = () => document.querySelector('h1 + p')?.textContent.trim() ?? '';
    const next = page.getByRole('button', { name: 'Next week' });
    await expect.element(next).toBeDisabled();
    const before = range();
    expect(before).toMatch(/2026/);
    pass(7);
    await expect.poll(range).not.toBe(before);
    await expect.element(next).toBeDisabled();
    // A chosen week stays, and the current week is its successor.
    await page.getByRole('button', { name: 'Previous week' }).click();
    await expect.poll(range).toBe(before);
    pass(7);
    await next.click();
    await expect.element(next).toBeEnabled();
    await next.click();
    await expect.element(next).toBeDisabled();
  },
);

slow(
  'after a night with the lid closed the list of today is right as soon as the window is looked at',
  async () => {
    await openList();
    sleep(1);
    await expect.element(row).not.toBeInTheDocument();
  },
);

/** Counts the presses of a real mouse that a task takes. */
import type { Page } from 'playwright/test';

interface Counted {
  presses: number;
}

/**
 * Starts counting. Each call of the returned function gives the count since the previous call. The page counts, because its
 * message to this process may come after the answer to the press.
 */
export const countPresses = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const counted = window as unknown as Counted;
    counted.presses = 0;
    const count = (event: Event) => void (counted.presses += event.isTrusted ? 1 : 0);
    addEventListener('pointerdown', count, { capture: true });
  });
  return () =>
    page.evaluate(() => {
      const counted = window as unknown as Counted;
      const now = counted.presses;
      counted.presses = 0;
      return now;
    });
};

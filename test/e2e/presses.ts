/** Counts what a task takes: the presses of a real mouse. */
import type { Page } from 'playwright/test';

/** Counts what a real mouse presses, from now on; the page tells each press by itself. */
export const countPresses = async (page: Page): Promise<() => number> => {
  let presses = 0;
  await page.exposeFunction('pressed', () => (presses += 1));
  await page.evaluate(() => {
    const told = (window as unknown as { pressed: () => void }).pressed;
    addEventListener('pointerdown', (event) => event.isTrusted && told(), { capture: true });
  });
  return () => {
    const so_far = presses;
    presses = 0;
    return so_far;
  };
};

/** How a screen is judged wherever it is opened: axe with the stricter contrast, both themes, small and zoomed windows. */
import AxeBuilder from '@axe-core/playwright';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/**
 * axe with the stricter contrast and target sizes finds nothing. What fades in or out is not looked at half way. The window has
 * no frame of another origin: axe runs in its page alone (the library calls that legacy) and tells of violations only; a page
 * of its own for the results, and all that passed, cost more than the judging. Once in a page, it stays there until that is left.
 * @param rules where not all of them
 */
export const axe = async (page: Page, where: string, rules?: readonly string[]): Promise<void> => {
  // Painted anew in the theme of now, and nothing half way from one colour to the next.
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)));
    await frame();
  });
  const isThere = await page.evaluate(() => 'axe' in window);
  const found = await new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) })
    .options({
      ...(rules === undefined
        ? {
            rules: {
              'color-contrast-enhanced': { enabled: true },
              'target-size': { enabled: true },
            },
          }
        : { runOnly: { type: 'rule', values: [...rules] } }),
      resultTypes: ['violations'],
    })
    .setLegacyMode()
    .analyze();
  const told = found.violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id} ${node.target.join(' ')} ${node.failureSummary}`,
    ),
  );
  expect.soft(told, where).toEqual([]);
};

/** Menus and months find their place anew after the window's size has changed: what is judged is where they come to rest. */
const soft = expect.configure({ soft: true });

/** What stands beside the window. */
const wide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const out = [...document.querySelectorAll('button, a[href], input')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr, .skip'))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 90));
    return scrollWidth > clientWidth ? [`sideways: ${scrollWidth}`, ...out] : out;
  });

/** At 200 % zoom of the smallest laptop a dialog's title and buttons are in the window, wherever its middle is scrolled to. */
const framed = async (page: Page, name: string): Promise<void> => {
  await page.setViewportSize({ width: 683, height: 430 });
  for (const to of [0, 1_000_000]) {
    const out = () =>
      page.evaluate((top) => {
        const frame = [...document.querySelectorAll('.dialog-frame')].at(-1);
        if (!frame) return [];
        for (const one of [frame, ...frame.querySelectorAll('.middle')]) one.scrollTop = top;
        return [...frame.querySelectorAll('.top, .bottom, .bottom button')]
          .filter((one) => {
            const box = one.getBoundingClientRect();
            return box.top < 0 || box.bottom > innerHeight;
          })
          .map((one) => one.textContent.trim());
      }, to);
    await soft.poll(out, `${name}, 683, scrolled away`).toEqual([]);
  }
};

/** What axe asks of colours. The rest it asks of the page's parts, which are the same in both themes. */
const COLOURS = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'];

/** axe in both themes: every rule in one, those of colours in the other. Leaves the window dark. */
export const axeInBoth = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await axe(page, `${name}, ${colorScheme}`, colorScheme === 'dark' ? COLOURS : undefined);
    const shots = process.env['SPOTTER_LOOKS'];
    if (shots) await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
  }
};

/** The same, and at 1024 x 640 and zoomed nothing is wider than the window. */
export const look = async (page: Page, name: string): Promise<void> => {
  await axeInBoth(page, name);
  for (const size of [
    { width: 1024, height: 640 },
    { width: 683, height: 430 },
    { width: 512, height: 320 },
  ]) {
    await page.setViewportSize(size);
    await soft.poll(() => wide(page), `${name}, ${size.width}`).toEqual([]);
    const shots = process.env['SPOTTER_LOOKS'];
    if (shots) await page.screenshot({ path: join(shots, `${name}-${size.width}.png`) });
  }
  await framed(page, name);
  await page.setViewportSize({ width: 1280, height: 860 });
};

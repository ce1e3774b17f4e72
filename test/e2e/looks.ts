/**
 * How a screen is judged wherever it is opened: axe with the stricter contrast rules, both themes, small and zoomed windows.
 */
import AxeBuilder from '@axe-core/playwright';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/**
 * Expects no axe violation, with the stricter contrast and target sizes. Waits for fades to end. axe runs in this page only
 * (its legacy mode) because the window has no frames of another origin, and reports violations only: a results page and the
 * passed rules would cost more than the check. Once injected, it stays until the page is left. @param rules default: all rules
 */
export const axe = async (page: Page, where: string, rules?: readonly string[]): Promise<void> => {
  // A list draws its rows a moment after it was scrolled or filled.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.scroller')].every(
      (list) => list.scrollHeight <= list.clientHeight || list.querySelector('a, button') !== null,
    ),
  );
  // Waits until the current theme is painted and no colour transition runs.
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
              'color-contrast': { enabled: false },
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

/** Menus and months are repositioned after a resize, so poll for their final place. */
const soft = expect.configure({ soft: true });

/** Elements that extend beyond the window's width. */
const wide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const out = [...document.querySelectorAll('button, a[href], input')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr, .skip'))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 90));
    return scrollWidth > clientWidth ? [`sideways: ${scrollWidth}`, ...out] : out;
  });

/** At 200 % zoom of the smallest laptop a dialog's title and buttons stay in the window, however far its middle is scrolled. */
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

/**
 * axe rules about colours. The other rules concern the structure, which is the same in both themes. The enhanced rule (7:1)
 * includes `color-contrast` (4.5:1), which would compute the same colours again.
 */
const COLOURS = ['color-contrast-enhanced', 'link-in-text-block'];

/** Runs axe in both themes: all rules in light, only colour rules in dark. Leaves the window dark. */
export const axeInBoth = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await axe(page, `${name}, ${colorScheme}`, colorScheme === 'dark' ? COLOURS : undefined);
    const shots = process.env['SPOTTER_LOOKS'];
    if (shots) await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
  }
};

/** Runs `axeInBoth`; also, at 1024 x 640 and zoomed, nothing may be wider than the window. */
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

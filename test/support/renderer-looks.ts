/**
 * Judges a screen in a component test as `e2e/looks.ts` does: axe with the stricter contrast rules, both themes, small and
 * zoomed windows.
 */
import axe from 'axe-core';
import { expect } from 'vitest';
import { cdp, page } from 'vitest/browser';

/** The part of the browser's interface used here. */
interface Browser {
  send(
    method: 'Emulation.setEmulatedMedia',
    how: { features: { name: string; value: string }[] },
  ): Promise<unknown>;
}
const emulate = (value: '' | 'light' | 'dark') =>
  (cdp() as unknown as Browser).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value }],
  });

/** Waits until the current theme is painted and no colour transition runs. */
const painted = async (): Promise<void> => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)));
  await frame();
};

/**
 * axe rules about colours. The other rules concern the structure, which is the same in both themes. The enhanced rule (7:1)
 * includes `color-contrast` (4.5:1), which would compute the same colours again.
 */
const COLOURS = ['color-contrast-enhanced', 'link-in-text-block'];
const ALL = {
  'color-contrast': { enabled: false },
  'color-contrast-enhanced': { enabled: true },
  'target-size': { enabled: true },
  // These concern Vitest's page around the window.
  'document-title': { enabled: false },
  'html-has-lang': { enabled: false },
};

/** Runs axe as the screen is. */
export const judge = async (where: string, rules?: readonly string[]): Promise<void> => {
  await painted();
  const { violations } = await axe.run(document, {
    ...(rules === undefined ? { rules: ALL } : { runOnly: { type: 'rule', values: [...rules] } }),
    resultTypes: ['violations'],
  });
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
  );
  expect.soft(found, where).toEqual([]);
};

/** Elements that extend beyond the window's width. */
const wide = (): readonly string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const out = [...document.querySelectorAll('button, a[href], input')]
    .filter((element) => element.checkVisibility() && !element.closest('.sr, .skip'))
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 90));
  return scrollWidth > clientWidth ? [`sideways: ${scrollWidth}`, ...out] : out;
};

/** Title and buttons of a dialog that are outside the window while its middle is scrolled to `top`. */
const unframed = (top: number): readonly string[] => {
  const frame = [...document.querySelectorAll('.dialog-frame')].at(-1);
  if (!frame) return [];
  for (const one of [frame, ...frame.querySelectorAll('.middle')]) one.scrollTop = top;
  return [...frame.querySelectorAll('.top, .bottom, .bottom button')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.top < 0 || box.bottom > innerHeight;
    })
    .map((one) => one.textContent.trim());
};

/**
 * Runs axe in both themes. At 1024 x 640 and at 200 % zoom on small laptops, nothing may be wider than the window and a dialog
 * must keep its buttons visible.
 */
export const look = async (name: string): Promise<void> => {
  const size = [innerWidth, innerHeight] as const;
  for (const theme of ['light', 'dark'] as const) {
    await emulate(theme);
    await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme);
    await judge(`${name}, ${theme}`, theme === 'dark' ? COLOURS : undefined);
  }
  await emulate('');
  for (const [width, height] of [
    [1024, 640],
    [683, 430],
    [512, 320],
  ] as const) {
    await page.viewport(width, height);
    await expect.poll(wide, { message: `${name}, ${width}` }).toEqual([]);
  }
  await page.viewport(683, 430);
  for (const top of [0, 1_000_000])
    await expect.poll(() => unframed(top), { message: `${name}, scrolled` }).toEqual([]);
  await page.viewport(...size);
};

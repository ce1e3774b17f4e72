/** Counts what a task takes: the presses of a real mouse, and of keys that write nothing. */
import type { Page } from 'playwright/test';

/** Counts from now on; the page tells each press by itself. The answered function says how many since it was last asked. */
const counter = async (page: Page, name: string, listen: (name: string) => void) => {
  let presses = 0;
  await page.exposeFunction(name, () => (presses += 1));
  await page.evaluate(listen, name);
  return (): number => {
    const so_far = presses;
    presses = 0;
    return so_far;
  };
};

/** What a real mouse presses. */
export const countPresses = (page: Page): Promise<() => number> =>
  counter(page, 'pressed', (name) => {
    const tell = (window as unknown as Record<string, () => void>)[name];
    addEventListener('pointerdown', (event) => event.isTrusted && tell?.(), { capture: true });
  });

/** Keys, a chord as one; not those that write a letter into a box. */
export const countKeys = (page: Page): Promise<() => number> =>
  counter(page, 'struck', (name) => {
    const tell = (window as unknown as Record<string, () => void>)[name];
    const held = new Set(['Shift', 'Control', 'Alt', 'Meta']);
    addEventListener(
      'keydown',
      ({ key, ctrlKey, altKey, metaKey, target, isTrusted }) => {
        const into = target instanceof Element && target.matches('input, textarea');
        const writes = into && key.length === 1 && !ctrlKey && !altKey && !metaKey;
        if (isTrusted && !writes && !held.has(key)) tell?.();
      },
      { capture: true },
    );
  });

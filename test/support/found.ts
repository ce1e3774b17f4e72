/** Waits for an element that a test is about to press or focus. A missing one would be skipped in silence by `?.`. */
import { eventually } from './eventually.ts';

export const found = <T extends Element>(find: () => T | null | undefined): Promise<T> =>
  eventually(() => {
    const element = find();
    if (!element) throw new Error(`There is no element: ${String(find)}`);
    return element;
  });

/** Counts the effort of a task in a component test: presses of a real mouse, and keys that type no text. */
import { onTestFinished } from 'vitest';

type Heard = 'pointerdown' | 'keydown';

/** Starts counting. Each call of the returned function gives the count since the previous call. */
const counter = <K extends Heard>(
  name: K,
  counts: (event: WindowEventMap[K]) => boolean,
): (() => number) => {
  let so_far = 0;
  const hear = (event: WindowEventMap[K]) => {
    if (event.isTrusted && counts(event)) so_far += 1;
  };
  addEventListener(name, hear, { capture: true });
  onTestFinished(() => removeEventListener(name, hear, { capture: true }));
  return () => {
    const now = so_far;
    so_far = 0;
    return now;
  };
};

export const countPresses = (): (() => number) => counter('pointerdown', () => true);

const HELD = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Counts keys, a chord as one; keys that type a character into a box do not count. */
export const countKeys = (): (() => number) =>
  counter('keydown', ({ key, ctrlKey, altKey, metaKey, target }) => {
    const into = target instanceof Element && target.matches('input, textarea');
    const writes = into && key.length === 1 && !ctrlKey && !altKey && !metaKey;
    return !writes && !HELD.has(key);
  });

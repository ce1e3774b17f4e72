/** The time and the day as reactive state, updated only while something shows them. */
import { createSubscriber } from 'svelte/reactivity';
import { beginningOf } from '../data/model/near-miss-query.ts';
import { onSightChange } from '../data/model/in-sight.ts';

/**
 * Polls the value, also when the window becomes visible, and notifies on changes. A timer until midnight would pause while the
 * laptop sleeps.
 */
const readEvery = (ms: number, read: () => number) => {
  const subscribe = createSubscriber((update) => {
    let last = read();
    const look = () => {
      if (read() === last) return;
      last = read();
      update();
    };
    const timer = setInterval(look, ms);
    const unhear = onSightChange(look);
    return () => {
      clearInterval(timer);
      unhear();
    };
  });
  return (): number => {
    subscribe();
    return read();
  };
};

/** For texts such as "today" or "at 14:32". Wakes an idle computer only twice a minute. */
export const now = readEvery(30_000, () => Date.now());
/** For countdowns only: "next try in 28 seconds". */
export const everySecond = readEvery(1_000, () => Date.now());
/** Midnight at the start of the local day. Notifies only when the day changes, so that database queries may depend on it. */
export const today = readEvery(30_000, () => beginningOf('today', Date.now()));

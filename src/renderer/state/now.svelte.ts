/** The time of day and the day as runes, while something on screen shows them. */
import { createSubscriber } from 'svelte/reactivity';
import { beginningOf } from '../data/near-miss-query.ts';

/**
 * Read again so often and when the window is in sight again, and told where it has changed. A timer until midnight would stand still
 * while the laptop sleeps.
 */
const readEvery = (ms: number, read: () => number) => {
  const subscribe = createSubscriber((update) => {
    let told = read();
    const look = () => {
      if (read() === told) return;
      told = read();
      update();
    };
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  });
  return (): number => {
    subscribe();
    return read();
  };
};

/** For what is said by days and minutes: "today", "at 14:32". A window that nobody touches wakes the computer twice a minute. */
export const now = readEvery(30_000, () => Date.now());
/** For what counts down, and for nothing else: "next try in 28 seconds". */
export const everySecond = readEvery(1_000, () => Date.now());
/** 00:00 of this computer's day. Told again only when it is another day, so that a question to the database may stand on it. */
export const today = readEvery(30_000, () => beginningOf('today', Date.now()));

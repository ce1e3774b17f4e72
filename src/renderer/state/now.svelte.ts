/** The time of day and the day as runes, while something on screen shows them. */
import { createSubscriber } from 'svelte/reactivity';
import { beginningOf } from '../data/near-miss-query.ts';

/** Milliseconds since the epoch by this computer's clock, read again so often and when the window is in sight again. */
const readEvery = (ms: number) => {
  const subscribe = createSubscriber((update) => {
    const timer = setInterval(update, ms);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  });
  return (): number => {
    subscribe();
    return Date.now();
  };
};

const OFTEN = 30_000;
/** For what is said by days and minutes: "today", "at 14:32". A window that nobody touches wakes the computer twice a minute. */
export const now = readEvery(OFTEN);
/** For what counts down, and for nothing else: "next try in 28 seconds". */
export const everySecond = readEvery(1_000);

const midnight = (at = Date.now()): number => beginningOf('today', at);
/** Longer than any day: what is left of it lies in the next one. */
const nextMidnight = (): number => midnight(midnight() + 26 * 3_600_000);

const subscribeToDays = createSubscriber((update) => {
  let day = midnight();
  let timer: ReturnType<typeof setTimeout>;
  const look = (): void => {
    clearTimeout(timer);
    // Never asleep until midnight: a timer stands still while the laptop does.
    timer = setTimeout(look, Math.min(OFTEN, nextMidnight() - Date.now()));
    if (midnight() === day) return;
    day = midnight();
    update();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
});

/**
 * 00:00 of this computer's day, milliseconds. Told again only when it is another day, so that a question to the database may stand on
 * it: at midnight, and at once after a night with the lid closed.
 */
export const today = (): number => {
  subscribeToDays();
  return midnight();
};

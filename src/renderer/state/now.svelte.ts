/** The time of day as a rune, while something on screen shows it. */
import { createSubscriber } from 'svelte/reactivity';

/** Milliseconds since the epoch by this computer's clock, read again so often. */
const readEvery = (ms: number) => {
  const subscribe = createSubscriber((update) => {
    const timer = setInterval(update, ms);
    return () => clearInterval(timer);
  });
  return (): number => {
    subscribe();
    return Date.now();
  };
};

/** For what is said by days and minutes: "today", "at 14:32". A window that nobody touches wakes the computer twice a minute. */
export const now = readEvery(30_000);
/** For what counts down, and for nothing else: "next try in 28 seconds". */
export const everySecond = readEvery(1_000);

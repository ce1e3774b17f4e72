/** The time of day as a rune, once a second while something on screen shows it: "next try in 28 seconds", "today". */
import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** Milliseconds since the epoch by this computer's clock, read again every second. */
export const now = (): number => {
  subscribe();
  return Date.now();
};

/** Time as the host sees it. Passed in, so that a test can move it: nothing in the host calls `Date.now` by itself. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. Not trusted for order or for elapsed time (outbox promise 6). */
  now(): number;
  /** Milliseconds that only ever count up. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The host's source of time. Injected so that tests can control it. */
export interface Clock {
  /** Wall clock, in milliseconds since the epoch. Never use it for ordering or elapsed time (outbox promise 6). */
  now(): number;
  /** Monotonic clock, in milliseconds. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

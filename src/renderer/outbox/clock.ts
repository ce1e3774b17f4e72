/**
 * The window's clock. The device's time is not trusted (outbox promise 6). The offset to the server's `Date` is stored
 * and survives a restart. Waits use the monotonic clock, so that a clock change neither wakes nor stalls the queue.
 */
import type { Clock, SpotterDb } from '../data/db/db.ts';

/**
 * Smaller differences, in milliseconds, are ignored: they come from the network, or from the whole seconds of `Date`.
 */
const WORTH_KEEPING = 5_000;

export interface WindowClock extends Clock {
  /** Records the server's time, if the answer has one. */
  heard(server_time: number | null): void;
}

export const windowClock = async (db: SpotterDb): Promise<WindowClock> => {
  const kept = (await db.meta.get('clock_offset'))?.value;
  let offset = typeof kept === 'number' && Number.isFinite(kept) ? kept : 0;
  let ticked = 0;
  return {
    now: () => Date.now() + offset,
    tick: () => (ticked = Math.max(ticked + 1, Date.now())),
    monotonic: () => performance.now(),
    after(ms, fn) {
      const timer = setTimeout(fn, Math.min(ms, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    heard(server_time) {
      if (server_time === null) return;
      const next = server_time - Date.now();
      if (Math.abs(next - offset) < WORTH_KEEPING) return;
      offset = next;
      void db.meta.put({ name: 'clock_offset', value: offset }).catch(() => {
        // Optional: the next answer repeats it.
      });
    },
  };
};

/**
 * The window's clock. The device's time is not trusted (outbox promise 6): the offset to the server's `Date` is kept and
 * survives a restart; what waits is measured with the monotonic clock, so that a jump of the time of day neither
 * wakes nor stalls the queue.
 */
import type { Clock, SpotterDb } from '../data/db.ts';

/** Smaller differences are the network's, or the whole second that `Date` is cut to. */
const WORTH_KEEPING = 5_000;

export interface WindowClock extends Clock {
  /** The server said what time it is. */
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
        // Only a comfort: the next answer says it again.
      });
    },
  };
};

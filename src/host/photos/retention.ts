/**
 * Deletes delivered photos after the retention period (setting: days on this laptop after delivery). Runs after the
 * start, daily, when the setting changes and after operations are settled. Only photos that were read back equal from the
 * server are deleted, and originals that no photo names. An interrupted run continues with the next one.
 */
import type { Clock } from '../lib/clock.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { Evicted } from './evicted.ts';
import type { Spool } from './spool/spool-types.ts';

const DAY = 86_400_000;
/** The metadata of a younger original may be in the middle of being written. */
const STRAY_AGE = DAY;
/** Delay after the start, in milliseconds, because the start has more urgent work. */
const AFTER_START = 10_000;
/** Delay after a settled operation, in milliseconds, because they arrive in bursts. */
const SOON = 1_000;

export interface KeeperParts {
  readonly spool: Spool;
  readonly checkpoints: Checkpoints;
  readonly freed: Evicted;
  readonly clock: Clock;
  readonly keep_days: () => number;
  readonly needed: (photoId: string) => boolean;
  /** True if a queued operation names the photo with these bytes. */
  readonly mentions: (sha256: string) => boolean;
}

export const createRetention = (parts: KeeperParts) => {
  const { spool, checkpoints, freed, clock, keep_days, needed, mentions } = parts;
  let running: Promise<void> = Promise.resolve();
  let waiting: NodeJS.Timeout | null = null;
  let due = 0;
  let stopped = false;

  /** Drops originals without metadata, left by a power cut between the two writes. */
  const dropStrays = async (): Promise<void> => {
    for (const sha256 of await spool.strays(clock.now() - STRAY_AGE)) {
      if (mentions(sha256)) continue;
      await freed.add(1, await spool.dropStray(sha256));
    }
  };

  const look = async (): Promise<void> => {
    if (stopped) return;
    try {
      const swept = await spool.sweep(clock.now() - keep_days() * DAY, needed);
      for (const photoId of swept.photo_ids) await checkpoints.dropAll(photoId);
      await dropStrays();
      if (swept.photo_ids.length > 0) await freed.add(swept.photo_ids.length, swept.bytes);
    } catch {
      // The folder cannot be read now; the next run retries.
    }
  };
  const lookNow = (): void => {
    waiting = null;
    running = running.then(look);
  };
  /** Schedules a run; the earlier of two requests wins. */
  const after = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (stopped || (waiting !== null && due <= at)) return;
    if (waiting !== null) clearTimeout(waiting);
    due = at;
    waiting = setTimeout(lookNow, ms);
    waiting.unref();
  };
  const daily = setInterval(lookNow, DAY);
  daily.unref();
  after(AFTER_START);

  return {
    /** An operation was settled, or the setting changed. */
    soon: (): void => after(SOON),
    stop: (): Promise<void> => {
      stopped = true;
      clearInterval(daily);
      if (waiting !== null) clearTimeout(waiting);
      return running;
    },
  };
};

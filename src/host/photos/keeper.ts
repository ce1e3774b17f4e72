/**
 * Frees what was delivered and kept long enough (setting: days on this laptop after delivery): at start, once a day, when
 * the setting changes, and, where nothing is to be kept, as soon as the queue needs a photo no more. Only what was read back
 * equal from the server is ever dropped here, and originals that no photo names; what is interrupted goes on with the next look.
 */
import type { Clock } from '../clock.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { Freed } from './freed.ts';
import type { Spool } from './spool.ts';

const DAY = 86_400_000;
/** A younger original may be one whose facts are just being written. */
const STRAY_AGE = DAY;
/** The start of the app has better things to do than to tidy up, milliseconds. */
const AFTER_START = 10_000;
/** How long after a settled entry, milliseconds: they come in heaps. */
const SOON = 1_000;

export interface KeeperParts {
  readonly spool: Spool;
  readonly checkpoints: Checkpoints;
  readonly freed: Freed;
  readonly clock: Clock;
  readonly keep_days: () => number;
  readonly needed: (photoId: string) => boolean;
  /** Does a queued entry name the photo with these bytes? */
  readonly mentions: (sha256: string) => boolean;
}

export const createKeeper = (parts: KeeperParts) => {
  const { spool, checkpoints, freed, clock, keep_days, needed, mentions } = parts;
  let running: Promise<void> = Promise.resolve();
  let waiting: NodeJS.Timeout | null = null;
  let due = 0;
  let stopped = false;

  /** An original whose photo's facts are gone: a power cut between the two, or a refusal of an older version. */
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
      // A folder that cannot be read today: tomorrow's look tries again.
    }
  };
  const lookNow = (): void => {
    waiting = null;
    running = running.then(look);
  };
  /** The earlier of two wishes counts. */
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
    /** An entry was settled or the setting changed. */
    soon: (): void => after(SOON),
    stop: (): Promise<void> => {
      stopped = true;
      clearInterval(daily);
      if (waiting !== null) clearTimeout(waiting);
      return running;
    },
  };
};

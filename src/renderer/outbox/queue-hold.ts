/**
 * Why something stands still, and for how long: the whole queue, or all photos (engine.ts). How long is measured with the
 * monotonic clock; `next_try_at` is for showing only. What the queue's hold says is on disk, so that every window shows the
 * same banner.
 *
 * A hold ends in one of two ways. Where the network failed (`of: 'reach'`), any answer ends it. Where the server answered and
 * writes failed (`of: 'write'`), an answer to a question says nothing: only a write can tell. That write is an entry of the
 * queue itself, one at a time, the oldest that has not failed meanwhile. It is the best probe there is: of the kind that
 * failed, known to every server of this API with or without our additions, harmless when its answer is lost (its key is
 * the same on every try, or its record is looked for first), and when it succeeds nothing was done but what was wanted.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Clock, Deps } from '../data/db.ts';
import { backoff } from './backoff.ts';
import type { QueueHold } from './queue.ts';
import { type HoldOf, retryAfter } from './judge-problem.ts';

export interface Hold {
  /** Milliseconds to wait before the next try; 0 when there is no hold; Infinity when only a person can end it. */
  remaining(): number;
  /** When its wait is over, by the monotonic clock; null when there is no hold. */
  until(): number | null;
  problem(): Problem | null;
  of(): HoldOf | null;
  set(account: string, problem: Problem, until: 'later' | 'user', of: HoldOf): Promise<void>;
  /** The hold's wait is over: one entry may be sent to see whether the server takes it. */
  try(): void;
  /** Is that entry looked for, or on its way? */
  trying(): boolean;
  /** Ends the wait, so that the next look may try. What the server asked for is waited for all the same. */
  hurry(): void;
  /** A person wants it tried: as `hurry`, and the next wait is a first one again. */
  reset(): void;
  /** The hold is over. */
  lift(): Promise<void>;
  /** Something got through: what is counted begins anew. */
  succeeded(): void;
}

/** @param show puts what stands still before the user; left out: it is not shown */
export const createHold = (
  clock: Clock,
  random: () => number,
  show: (value: QueueHold | null) => Promise<unknown> = async () => {},
): Hold => {
  let current: { problem: Problem; until: number; of: HoldOf; trying: boolean } | null = null;
  /** Failures in a row since the last success. */
  let tries = 0;
  const asked = (): boolean =>
    current !== null &&
    (current.problem.kind === 'busy' || retryAfter(current.problem) !== null) &&
    current.until > clock.monotonic();
  const hold: Hold = {
    remaining: () => (current === null ? 0 : Math.max(0, current.until - clock.monotonic())),
    until: () => current?.until ?? null,
    problem: () => current?.problem ?? null,
    of: () => current?.of ?? null,
    async set(account, problem, until, of) {
      // What fails together with the first one is the same event, not another failure.
      if (current !== null && current.until > clock.monotonic()) return;
      tries += 1;
      const wait = until === 'user' ? Infinity : backoff(tries, random, retryAfter(problem));
      current = { problem, of, until: clock.monotonic() + wait, trying: false };
      await show({
        account,
        problem,
        tries,
        since: clock.now(),
        next_try_at: wait === Infinity ? null : clock.now() + wait,
      });
    },
    try() {
      if (current !== null) current.trying = true;
    },
    trying: () => current?.trying ?? false,
    hurry() {
      if (current !== null && !asked()) current = { ...current, until: -Infinity, trying: false };
    },
    reset() {
      tries = 0;
      hold.hurry();
    },
    async lift() {
      if (current === null) return;
      current = null;
      await show(null);
    },
    succeeded() {
      tries = 0;
    },
  };
  return hold;
};

/** The whole queue's, shown in every window. */
export const createQueueHold = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  random: () => number,
): Hold => createHold(clock, random, (value) => db.meta.put({ name: 'hold', value }));

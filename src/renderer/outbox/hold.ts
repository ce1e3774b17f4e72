/**
 * Why the whole queue stands still: one state, on disk so that every window shows the same banner. How long is
 * measured with the monotonic clock; `next_try_at` is for showing only.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Deps } from '../data/db.ts';
import { backoff } from './backoff.ts';
import type { QueueHold } from './queue.ts';
import { retryAfter } from './verdict.ts';

export interface Hold {
  /** Milliseconds to wait before the next try; 0 when there is no hold; Infinity when only a person can end it. */
  remaining(): number;
  problem(): Problem | null;
  /** Failures in a row since the last success. */
  set(account: string, problem: Problem, until: 'later' | 'user'): Promise<void>;
  /** Ends the wait, so that the next look may try. The count stays: only a success proves that it is over. */
  hurry(): void;
  /** The server answers. */
  lift(): Promise<void>;
  succeeded(): void;
}

export const createHold = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  random: () => number,
): Hold => {
  let current: { problem: Problem; until: number } | null = null;
  let tries = 0;
  const write = (value: QueueHold | null) => db.meta.put({ name: 'hold', value });
  return {
    remaining: () => (current === null ? 0 : Math.max(0, current.until - clock.monotonic())),
    problem: () => current?.problem ?? null,
    async set(account, problem, until) {
      // What fails together with the first one is the same event, not another failure.
      if (current !== null && current.until > clock.monotonic()) return;
      tries += 1;
      const wait = until === 'user' ? Infinity : backoff(tries, random, retryAfter(problem));
      current = { problem, until: clock.monotonic() + wait };
      await write({
        ...{ account, problem, tries, since: clock.now() },
        next_try_at: wait === Infinity ? null : clock.now() + wait,
      });
    },
    hurry() {
      if (current !== null) current = { ...current, until: -Infinity };
    },
    async lift() {
      if (current === null) return;
      current = null;
      await write(null);
    },
    succeeded() {
      tries = 0;
    },
  };
};

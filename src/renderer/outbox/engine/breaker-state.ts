/**
 * Breaker state: why the whole queue, or all photos, stands still and for how long (engine.ts). Waits use the monotonic
 * clock; `next_try_at` is only shown. The queue's state is also stored, so that every window shows the same banner.
 *
 * An open breaker closes in one of two ways. If the network failed (`closed_by: 'reach'`), any answer closes it. If the server
 * answered but writes failed (`closed_by: 'write'`), only a successful write closes it. The half-open probe is therefore an
 * operation of the queue: one at a time, the oldest that has not failed during this outage. Such a probe exercises what
 * failed, and every server knows it, with or without our extension. It is safe if its answer is lost, because its key
 * stays the same or its record is looked up first.
 */
import type { Problem } from '../../../contract/problem.ts';
import type { Clock, Deps } from '../../data/db/db.ts';
import { backoff } from './backoff.ts';
import type { OpenBreaker } from '../queue/queue.ts';
import { type ClosedBy, retryAfter } from './classify-error.ts';

export interface BreakerState {
  /** Milliseconds until the next attempt. 0 while closed; Infinity if only a person can end it. */
  remainingMs(): number;
  /** The end of the wait, by the monotonic clock; null while closed. */
  endsAt(): number | null;
  problem(): Problem | null;
  closedBy(): ClosedBy | null;
  open(
    account: string,
    problem: Problem,
    until: 'later' | 'user',
    closed_by: ClosedBy,
  ): Promise<void>;
  /** Half-open: the wait has ended, and one operation may be sent as a probe. */
  halfOpen(): void;
  /** True while the probe is being chosen or sent. */
  isHalfOpen(): boolean;
  /** Ends the wait so that the next look may probe. A wait that the server asked for is kept. */
  endWait(): void;
  /** A person asks for a retry: like `endWait`, and the backoff starts from the beginning. */
  reset(): void;
  /** Closes the breaker. */
  close(): Promise<void>;
  /** A request succeeded. */
  resetFailures(): void;
}

/** @param show stores the state for the banner; by default nothing is shown */
export const createBreakerState = (
  clock: Clock,
  random: () => number,
  show: (value: OpenBreaker | null) => Promise<unknown> = async () => {},
): BreakerState => {
  let current: {
    problem: Problem;
    ends_at: number;
    closed_by: ClosedBy;
    half_open: boolean;
  } | null = null;
  /** Failures in a row since the last success. */
  let tries = 0;
  const asked = (): boolean =>
    current !== null &&
    (current.problem.kind === 'busy' || retryAfter(current.problem) !== null) &&
    current.ends_at > clock.monotonic();
  const state: BreakerState = {
    remainingMs: () => (current === null ? 0 : Math.max(0, current.ends_at - clock.monotonic())),
    endsAt: () => current?.ends_at ?? null,
    problem: () => current?.problem ?? null,
    closedBy: () => current?.closed_by ?? null,
    async open(account, problem, until, closed_by) {
      // Concurrent failures belong to the same outage and count once.
      if (current !== null && current.ends_at > clock.monotonic()) return;
      tries += 1;
      const wait = until === 'user' ? Infinity : backoff(tries, random, retryAfter(problem));
      current = { problem, closed_by, ends_at: clock.monotonic() + wait, half_open: false };
      await show({
        account,
        problem,
        tries,
        since: clock.now(),
        next_try_at: wait === Infinity ? null : clock.now() + wait,
      });
    },
    halfOpen() {
      if (current !== null) current.half_open = true;
    },
    isHalfOpen: () => current?.half_open ?? false,
    endWait() {
      if (current !== null && !asked())
        current = { ...current, ends_at: -Infinity, half_open: false };
    },
    reset() {
      tries = 0;
      state.endWait();
    },
    async close() {
      if (current === null) return;
      current = null;
      await show(null);
    },
    resetFailures() {
      tries = 0;
    },
  };
  return state;
};

/** The breaker of the whole queue; its state is stored for every window. */
export const createQueueBreakerState = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  random: () => number,
): BreakerState =>
  createBreakerState(clock, random, (value) => db.meta.put({ name: 'hold', value }));

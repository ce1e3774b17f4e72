/**
 * Claims operations before they are sent: the first of each free lane, many in one durable write. A claimed operation
 * is `sending` in the database. One that cannot be sent after all is released.
 */
import type { Clock, OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import { sendsBytes } from '../../operations/operation.ts';
import { claim, type ClaimInput, unclaim } from '../queue/lanes.ts';
import type { UploadPolicy } from '../queue/upload-policy.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { LaneBackoffs } from './lane-backoffs.ts';

/** The minimum number of operations per claim, because one durable write costs the same for one as for many. */
const CLAIMED_AT_LEAST = 48;
/** The most photos in flight. Further photos wait without delaying the texts. */
const PHOTOS = 6;
/**
 * Failures after which independent operations may overtake this one. Earlier failures may be the connection's, and order
 * matters more.
 */
const PASSED_AFTER = 3;

export interface ClaimerParts {
  readonly db: SpotterDb;
  readonly clock: Clock;
  /** The breaker of the queue, and that of photos. */
  readonly records: CircuitBreaker;
  readonly photos: CircuitBreaker;
  readonly backoffs: LaneBackoffs;
  /** Null until this window leads. */
  readonly policy: () => UploadPolicy | null;
  /** The most lanes sent at once, now. */
  readonly limit: () => number;
  /** The account that operations are claimed for; null if nobody is signed in. */
  readonly account: () => string | null;
  readonly isStopped: () => boolean;
  readonly failed: (error: unknown) => Promise<void>;
  /** Called when a claim has ended, because there may be operations to send. */
  readonly claimed: () => void;
}

export interface Claimer {
  /** The next claimed operation. Its lane is busy until `free`. */
  take(): OutboxOperation | undefined;
  isEmpty(): boolean;
  /** The last claim may be stale: the next `fill` reads again. */
  setStale(): void;
  /** Claims in the background while operations are sent, because a durable write takes longer than a request. */
  fill(account: string): Promise<void>;
  /** The operation's attempt has ended: its lane may go on. */
  free(operation: OutboxOperation): void;
  endProbe(operation: OutboxOperation): void;
  /** The database refused the write that ends the operation's attempt. The operation is released once it accepts writes. */
  releaseLater(operation: OutboxOperation): void;
  /** Puts back what was claimed and not taken, because the breaker opened or this window stops. */
  putBackAll(): Promise<void>;
  /** Start of the last claim, by the monotonic clock. Backoffs that end later were not seen by it. */
  lastLookAt(): number;
  /** Nobody is signed in, so nothing is claimed. */
  lookedInVain(): void;
  /** The end of a running claim. */
  idle(): Promise<void>;
}

export function createClaimer(parts: ClaimerParts): Claimer {
  const { db, clock, records, photos, backoffs } = parts;
  const breaker = records.state;
  let stale = true;
  let ready: OutboxOperation[] = [];
  /** The claimed operations, by lane. */
  const busy = new Map<string, OutboxOperation>();
  /** Operations left in `sending` because the database refused the write that releases them. */
  const unreleased = new Set<string>();
  /** The operation that probes whether the server accepts writes again. */
  let probe: string | null = null;
  let filling: Promise<void> | null = null;
  let last_look_at = -Infinity;

  const putBack = async (operations: readonly OutboxOperation[]): Promise<void> => {
    try {
      await unclaim(db, operations);
    } catch (error) {
      for (const { id } of operations) unreleased.add(id);
      throw error;
    }
  };

  const releaseUnreleased = async (): Promise<void> => {
    if (unreleased.size === 0) return;
    const ids = [...unreleased];
    const sending = db.operations.where('id').anyOf(ids);
    await sending.and(({ state }) => state === 'sending').modify({ state: 'waiting' });
    for (const id of ids) unreleased.delete(id);
  };

  const claimOf = (account: string, max: number, more: Partial<ClaimInput>) =>
    claim(db, {
      account,
      now: clock.now(),
      busy: new Set(busy.keys()),
      max,
      bulky: sendsBytes,
      bulky_max: photos.room(PHOTOS, [...busy.values()].filter(sendsBytes).length),
      held: (operation) => parts.policy()?.pauses(operation) ?? false,
      // An operation that keeps failing is passed during its backoff, if nothing behind it depends on it.
      passed: (operation) =>
        (sendsBytes(operation) && photos.isOpen()) ||
        (operation.consecutive_failures >= PASSED_AFTER && !backoffs.hasEnded(operation)),
      rested: (operation) =>
        (parts.policy()?.isKnown() === true || !sendsBytes(operation)) &&
        backoffs.hasEnded(operation) &&
        !photos.hasFailed(operation),
      ...more,
    });

  /**
   * Half-open probe: the oldest write that has not failed in this outage. Starts over once all have; with none, the
   * breaker closes.
   */
  const claimProbe = async (account: string): Promise<readonly OutboxOperation[]> => {
    const ofRecord = {
      bulky_max: 0,
      rested: (operation: OutboxOperation) =>
        !records.hasFailed(operation) && !backoffs.isAskedToWait(operation),
    };
    let claimed = await claimOf(account, 1, ofRecord);
    if (claimed.length === 0 && records.forgetFailed())
      claimed = await claimOf(account, 1, ofRecord);
    if (claimed.length > 0) return claimed;
    await breaker.close();
    stale = true;
    return [];
  };

  const claimAhead = async (account: string): Promise<void> => {
    last_look_at = clock.monotonic();
    await releaseUnreleased();
    const probing = breaker.isHalfOpen();
    const max = probing ? 1 : Math.max(CLAIMED_AT_LEAST, 2 * parts.limit());
    const claimed = probing ? await claimProbe(account) : await claimOf(account, max, {});
    // A breaker that opened, or a new session that came meanwhile, applies to these operations too.
    const opened = breaker.problem() !== null && !(probing && breaker.isHalfOpen());
    if (parts.isStopped() || opened || parts.account() !== account) {
      await putBack(claimed);
      return;
    }
    for (const operation of claimed) busy.set(operation.lane, operation);
    ready.push(...claimed);
    if (probing) probe = claimed[0]?.id ?? null;
    // A full claim means that there may be more.
    else if (claimed.length === max) stale = true;
    // All photos have failed in this outage: probe from the oldest again.
    if (photos.isHalfOpen() && ![...busy.values()].some(sendsBytes) && photos.forgetFailed())
      stale = true;
  };

  return {
    take: () => ready.shift(),
    isEmpty: () => ready.length === 0,
    setStale() {
      stale = true;
    },
    fill(account) {
      if (!stale || filling !== null || ready.length >= parts.limit())
        return filling ?? Promise.resolve();
      if (breaker.isHalfOpen() && probe !== null) return Promise.resolve();
      stale = false;
      filling = claimAhead(account)
        .catch((error: unknown) => parts.failed(error))
        .finally(() => {
          filling = null;
          // A look was requested during the read, so the result may be stale.
          if (ready.length > 0 || stale) parts.claimed();
        });
      return filling;
    },
    free: ({ lane }) => busy.delete(lane),
    endProbe({ id }) {
      if (probe === id) probe = null;
    },
    releaseLater: ({ id }) => unreleased.add(id),
    async putBackAll() {
      const back = ready;
      ready = [];
      for (const operation of back) busy.delete(operation.lane);
      if (back.some(({ id }) => id === probe)) probe = null;
      await putBack(back);
    },
    lastLookAt: () => last_look_at,
    lookedInVain() {
      last_look_at = clock.monotonic();
    },
    idle: async () => {
      await filling;
    },
  };
}

/**
 * Sends claimed operations concurrently, one per lane, and draws the conclusion of each attempt for the queue. The number
 * in flight adapts: it falls to a few after a failure and grows with each success.
 */
import type { Deps, OutboxOperation } from '../../data/db/db.ts';
import { sendsBytes } from '../../operations/operation.ts';
import type { UploadPolicy } from '../queue/upload-policy.ts';
import { attempt, type AttemptResult, type AttemptTools } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Claimer } from './claimer.ts';
import { retryAfter } from './classify-error.ts';
import type { LaneBackoffs } from './lane-backoffs.ts';
import { createPrefetch } from './prefetch-uploads.ts';
import type { PauseQueue } from './send-gate.ts';

/** The limit at first and after a failure, so that a lost network wastes few attempts. Each success raises it by one. */
const PARALLEL_FIRST = 6;
/** The most operations sent but not yet written locally: backpressure from the database. */
const UNWRITTEN = 200;
/** Backoff in milliseconds after an attempt that threw, because of the database or a bug. */
const AFTER_THROWN = 1_000;

export interface SenderParts {
  readonly deps: Deps;
  readonly tools: AttemptTools;
  readonly claimer: Claimer;
  readonly records: CircuitBreaker;
  readonly photos: CircuitBreaker;
  readonly backoffs: LaneBackoffs;
  readonly policy: () => UploadPolicy | null;
  readonly pauseQueue: PauseQueue;
  /** Called when a request was answered, because the next may start. */
  readonly answered: () => void;
  /** Called when an attempt has ended and its result is written. */
  readonly ended: () => void;
}

export interface Sender {
  /** Starts attempts of the claimed operations, up to the limit. */
  startAll(): void;
  /** True if a request is in flight. */
  isSending(): boolean;
  /** True if an attempt has not ended: its result may still be written. */
  isBusy(): boolean;
  /** The most lanes sent at once, now. */
  limit(): number;
  /** A failure of the network or the server: start over with few requests. */
  resetLimit(): void;
  /** The end of all attempts. */
  idle(): Promise<void>;
}

/** @param most the upper limit of lanes sent at once */
export function createSender(parts: SenderParts, most: number): Sender {
  const { claimer, records, photos, backoffs, pauseQueue } = parts;
  const first = Math.min(most, PARALLEL_FIRST);
  let limit = first;
  /** The number of attempts with a request in flight. */
  let sending = 0;
  const attempts = new Set<Promise<void>>();
  const prefetch = createPrefetch(
    parts.deps,
    (operation) => parts.policy()?.pauses(operation) ?? false,
  );

  const setBackoff = (operation: OutboxOperation, result: AttemptResult): void => {
    if (!('wait' in result) || result.wait <= 0) return backoffs.end(operation);
    const asked = 'problem' in result && retryAfter(result.problem) !== null;
    backoffs.start(operation, result.wait, asked);
  };

  /** Runs before the attempt's slot is free, so that nothing is sent between a failure and an open breaker. */
  const conclude = async (operation: OutboxOperation, result: AttemptResult): Promise<void> => {
    const own = sendsBytes(operation) ? photos : records;
    setBackoff(operation, result);
    switch (result.what) {
      case 'settled':
        limit = Math.min(most, limit + 1);
        records.state.resetFailures();
        await own.recordSuccess();
        // The last step of a delivery attaches the photo to its record, which is a write like any other.
        if (own === photos) await records.recordSuccess();
        return;
      case 'progressed':
        return photos.recordSuccess();
      case 'failed':
        if (!own.recordFailure(operation)) return;
        if (own === photos) await photos.state.open('', result.problem, 'later', 'write');
        else await pauseQueue(result.problem, 'later', 'write');
        return;
      case 'pause':
        if (result.closed_by === 'write') own.recordFailure(operation);
        return pauseQueue(result.problem, result.until, result.closed_by);
    }
  };

  const run = async (operation: OutboxOperation): Promise<void> => {
    let in_flight = true;
    const sent = (): void => {
      if (!in_flight) return;
      in_flight = false;
      sending -= 1;
      parts.answered();
    };
    sending += 1;
    try {
      void prefetch(operation).catch(() => {
        // Prefetching is only a head start.
      });
      const result = await attempt(parts.tools, operation, sent);
      claimer.free(operation);
      await conclude(operation, result);
    } finally {
      claimer.endProbe(operation);
      sent();
    }
  };

  const start = (operation: OutboxOperation): void => {
    const work: Promise<void> = run(operation)
      .catch(() => {
        claimer.free(operation);
        claimer.releaseLater(operation);
        backoffs.start(operation, AFTER_THROWN, false);
      })
      .finally(() => {
        attempts.delete(work);
        parts.ended();
      });
    attempts.add(work);
  };

  return {
    startAll() {
      while (sending < limit && attempts.size < UNWRITTEN) {
        const operation = claimer.take();
        if (operation === undefined) return;
        start(operation);
      }
    },
    isSending: () => sending > 0,
    isBusy: () => attempts.size > 0,
    limit: () => limit,
    resetLimit() {
      limit = first;
    },
    idle: async () => {
      await Promise.all(attempts);
    },
  };
}

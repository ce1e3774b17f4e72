/**
 * A queued write as stored: the fields common to every kind, and unvalidated content (`operationOf` in operation.ts validates
 * it).
 */
import type { Problem } from '../../contract/problem.ts';

export type OperationState = 'waiting' | 'sending' | 'parked';

/**
 * When attempts with an unknown outcome were sent, by the server's clock. `before`: the second newest; null if there is
 * none.
 */
export interface Tries {
  readonly first: number;
  readonly before: number | null;
  readonly last: number;
}

/** The fields of every queued write. See outbox/queue/operation-life.ts for its life. */
export interface Envelope {
  /** ULID and idempotency key, the same on every attempt. */
  readonly id: string;
  /** Insertion order on this laptop, independent of the clock. A replacement keeps its predecessor's. */
  readonly seq: number;
  readonly account: string;
  readonly version: number;
  /**
   * The ordering key: operations of one lane are sent in order, lanes run concurrently. A near miss's lane is its key.
   */
  readonly lane: string;
  readonly created_at: number;
  /** 1 once the host's journal has it (fsynced); only then may it be sent. */
  readonly journaled: 0 | 1;
  readonly state: OperationState;
  /** Number of started attempts. 0: the server cannot know of it. */
  readonly attempts: number;
  /** Null: no attempt with an unknown outcome. */
  readonly tries: Tries | null;
  /** Failures since its last progress while the server answered. They lengthen its backoff and never park it. */
  readonly consecutive_failures: number;
  /** The next attempt, in milliseconds since the epoch, for display only; null: as soon as the queue moves. */
  readonly next_try_at: number | null;
  readonly last_problem: Problem | null;
  /**
   * For operations with a photo's bytes: paused by a person, or sent regardless of the setting
   * (outbox/queue/upload-policy.ts).
   */
  readonly photo_pace?: 'paused' | 'now';
}

/**
 * A stored operation. Its kind, version or payload may come from a newer version of Spotter or be damaged (failures
 * A20, A28).
 */
export interface OutboxOperation extends Envelope {
  readonly kind: string;
  readonly payload: unknown;
  /** The progress of its operation, so that a restart resumes there. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
}

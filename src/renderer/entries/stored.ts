/** A queued write as the store has it: what every kind has in common, and content that nothing has read yet (`entryOf` in entry.ts). */
import type { Problem } from '../../contract/problem.ts';

export type EntryState = 'waiting' | 'sending' | 'parked';

/** What every queued write has, whatever its kind. See outbox/entry-life.ts for its life. */
export interface Envelope {
  /** ULID = idempotency key, the same on every try. */
  readonly id: string;
  /** Order of entry on this laptop, independent of the clock. A replacement keeps its predecessor's. */
  readonly seq: number;
  readonly account: string;
  readonly version: number;
  /** Entries of one lane are sent in order; lanes run side by side. A near miss's lane is its key. */
  readonly lane: string;
  readonly created_at: number;
  /** 1 once the host's journal has it (fsynced): only then may it be sent. */
  readonly journaled: 0 | 1;
  readonly state: EntryState;
  /** Times its sending began. 0: the server cannot know of it. */
  readonly attempts: number;
  /** Failures since it last got on, while the server answered questions: they make its wait longer, and never park it. */
  readonly strikes: number;
  /** When it is tried again, milliseconds since the epoch, for showing only; null: as soon as the queue moves. */
  readonly next_try_at: number | null;
  readonly last_problem: Problem | null;
  /** Of what sends a photo's bytes, as a person said: not now, or now whatever the setting says (outbox/photo-pace.ts). */
  readonly photo_pace?: 'paused' | 'now';
}

/** A row of the store. Its kind, version or payload may be those of a newer Spotter, or damaged (failures A20, A28). */
export interface OutboxEntry extends Envelope {
  readonly kind: string;
  readonly payload: unknown;
  /** What an operation has already done, so that a restart goes on from there. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
}

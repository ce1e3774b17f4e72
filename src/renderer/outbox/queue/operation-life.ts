/**
 * Creates a queued write, decides when it may be replaced, and gives its form in the host's journal. An operation's ULID is
 * its idempotency key on every attempt (decisions §1.5). Changed content is always a new operation in the old one's place,
 * because the server refuses the same key with another body.
 */
import { ulid } from 'ulid';
import type { JournalOperation } from '../../../contract/host.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { traitsOf, commonCheckpointOf } from '../../operations/operation.ts';
import type { CommonCheckpoint } from '../../operations/spec.ts';
import type { Envelope, OutboxOperation, Tries } from '../../operations/stored.ts';

export type { OutboxOperation } from '../../operations/stored.ts';

/**
 * Builds the row of an operation. `input` comes from this version of Spotter, or from a journal line that another
 * version may have written.
 */
export const makeOperation = (
  input: Pick<OutboxOperation, 'kind' | 'version' | 'lane' | 'payload'> & { readonly id?: string },
  account: string,
  seq: number,
  now: number,
): OutboxOperation => ({
  id: input.id ?? ulid(),
  seq,
  account,
  kind: input.kind,
  version: input.version,
  lane: input.lane,
  created_at: now,
  payload: input.payload,
  journaled: 0,
  state: 'waiting',
  attempts: 0,
  tries: null,
  consecutive_failures: 0,
  next_try_at: null,
  last_problem: null,
  checkpoint: {},
});

/**
 * True if the server provably did not execute the operation: it was never sent, or it was permanently refused. An exported
 * or imported operation may have been sent by the other laptop, under the same key.
 */
export const provablyNotSent = (operation: OutboxOperation): boolean => {
  if (operation.state === 'sending') return false;
  if (operation.attempts === 0) return commonCheckpointOf(operation).exported !== true;
  const facts = traitsOf(operation.kind);
  if (facts?.only_bytes(operation.checkpoint)) return true;
  const problem = operation.last_problem?.kind;
  return (
    operation.state === 'parked' &&
    (problem === 'refused' ||
      problem === 'gone' ||
      problem === 'bad_input' ||
      // A create parked with a conflict may have a duplicate on the server; a disputed update was not executed.
      (problem === 'conflict' && facts?.disputed === true))
  );
};

/**
 * One day less than every service keeps a key (decisions §1.5), because two clocks are compared. A service keeps it for 30 days unless its
 * office chose less; 7 days is the least.
 */
const KEY_COUNTS_MS = 6 * 86_400_000;

/** Adds an attempt that starts now. */
export const withTry = ({ tries }: Pick<OutboxOperation, 'tries'>, now: number): Tries =>
  tries === null
    ? { first: now, before: null, last: now }
    : { first: tries.first, before: tries.last, last: now };

/** Removes the newest attempt, which had no effect. */
export const withoutTry = ({ tries }: Pick<OutboxOperation, 'tries'>): Tries | null =>
  tries === null || tries.before === null ? null : { ...tries, before: null, last: tries.before };

/** When the server may first have received the operation; null if nothing was tried before the current attempt. */
export const triedSince = (
  operation: Pick<Envelope, 'tries' | 'created_at'> & { readonly checkpoint: CommonCheckpoint },
): number | null => {
  // This laptop does not know when the other laptop, or the lost database, sent it.
  if (operation.checkpoint.restored === true || operation.checkpoint.exported === true)
    return operation.created_at;
  const { tries } = operation;
  return tries === null || tries.before === null ? null : tries.first;
};

/**
 * True if the server may have executed the operation under a key that it has since forgotten. Then the key prevents no
 * duplicate.
 */
export const isKeyOver = (operation: Parameters<typeof triedSince>[0], now: number): boolean => {
  const since = triedSince(operation);
  return since !== null && Math.abs(now - since) > KEY_COUNTS_MS;
};

/**
 * True if a person imported the operation from a file. An earlier end of the operation on this laptop, such as a cancel, no
 * longer counts.
 */
export const isImported = (operation: Pick<OutboxOperation, 'checkpoint'>): boolean =>
  commonCheckpointOf(operation).imported === true;

/** The journal's snapshot of the record, enough to show it again after the database is lost. */
export interface RecordSnapshot {
  readonly near_miss: NearMissRow | null;
  /** The operation that this one replaced. If both are found, the replaced one is obsolete. */
  readonly replaces: string | null;
}

export const journalForm = (
  operation: OutboxOperation,
  record: RecordSnapshot,
): JournalOperation => ({
  id: operation.id,
  seq: operation.seq,
  account: operation.account,
  kind: operation.kind,
  version: operation.version,
  lane: operation.lane,
  created_at: operation.created_at,
  payload: operation.payload,
  record,
  ...(isImported(operation) ? { again: true } : {}),
});

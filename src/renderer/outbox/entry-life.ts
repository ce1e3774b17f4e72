/**
 * One queued write: how it is made, when it may be replaced, and its form in the host's journal. An entry's ULID is
 * its idempotency key on every try (decisions §1.5), so changed content is always a new entry that takes the place of
 * the old one: same key with another body would be refused.
 */
import { ulid } from 'ulid';
import type { JournalEntry } from '../../contract/host.ts';
import type { NearMissRow } from '../data/db.ts';
import { factsOf, marksOf } from '../entries/entry.ts';
import type { OutboxEntry } from '../entries/stored.ts';

export type { OutboxEntry } from '../entries/stored.ts';

/** As the store has it from now on. `input`: of this Spotter, or a line of the journal that may be another's. */
export const makeEntry = (
  input: Pick<OutboxEntry, 'kind' | 'version' | 'lane' | 'payload'> & { readonly id?: string },
  account: string,
  seq: number,
  now: number,
): OutboxEntry => ({
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
  strikes: 0,
  next_try_at: null,
  last_problem: null,
  checkpoint: {},
});

/**
 * The server cannot have executed it: it was never sent, or it was refused for good. What was exported (or came from an
 * export) may have been sent by the other laptop, under the same key.
 */
export const neverDone = (entry: OutboxEntry): boolean => {
  if (entry.state === 'sending') return false;
  if (entry.attempts === 0) return marksOf(entry).exported !== true;
  const facts = factsOf(entry.kind);
  if (facts?.only_bytes(entry.checkpoint)) return true;
  const problem = entry.last_problem?.kind;
  return (
    entry.state === 'parked' &&
    (problem === 'refused' ||
      problem === 'gone' ||
      problem === 'bad_input' ||
      // A create parked with it may have its double on the server; a disputed update was not executed.
      (problem === 'conflict' && facts?.disputed === true))
  );
};

/** A person took it in from a file: that it was over here before, taken back for instance, ends it no more. */
export const isImported = (entry: Pick<OutboxEntry, 'checkpoint'>): boolean =>
  marksOf(entry).imported === true;

/** What the journal keeps beside an entry, enough to show the record again when the database is gone. */
export interface RecordSnapshot {
  readonly near_miss: NearMissRow | null;
  /** The entry whose place this one took: where both are found, the other is over. */
  readonly replaces: string | null;
}

export const journalForm = (entry: OutboxEntry, record: RecordSnapshot): JournalEntry => ({
  id: entry.id,
  seq: entry.seq,
  account: entry.account,
  kind: entry.kind,
  version: entry.version,
  lane: entry.lane,
  created_at: entry.created_at,
  payload: entry.payload,
  record,
  ...(isImported(entry) ? { again: true } : {}),
});

/**
 * How the files of time-and-material entries are changed, whatever the change is (tm-attach.ts, tm-removal.ts): one transaction
 * over the queue and the files, then the host's journal, then the answer. It works the same with no network.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import { queueChange, queueTables, tellJournal } from '../outbox/enqueue.ts';
import type { Deps, OutboxEntry, SpotterDb } from './db.ts';
import { storageProblem } from './near-misses.ts';

const tables = (db: SpotterDb) => [...queueTables(db), db.tm_attachments] as const;

/** What a change adds to the queue and takes out of it: the journal is told of that. */
export type Change = ReturnType<typeof queueChange>;

/** Fails where the store or the journal cannot be written. */
export const changeAttachments = async <T>(
  deps: Deps,
  work: (change: Change) => Promise<T>,
): Promise<Result<T>> => {
  const changed = queueChange();
  let value: T;
  try {
    value = await deps.db.transaction('rw', tables(deps.db), () => work(changed));
  } catch (error) {
    return fail(storageProblem(error));
  }
  const told = await tellJournal(deps, changed, () => null);
  return told.ok ? ok(value) : told;
};

/** What waits for the files of an entry, in the order it is sent. */
export const laneEntries = (db: SpotterDb, lane: string): Promise<OutboxEntry[]> =>
  db.entries.where('lane').equals(lane).sortBy('seq');

/** What waits for a record that is told by its lane: how an entry gets there, what is in it, how a row shows it. */
import type { Problem } from '../../contract/problem.ts';
import type { NewEntry } from '../entries/entry.ts';
import { addEntry, type QueueChange } from '../outbox/enqueue.ts';
import type { Deps, EntryState, OutboxEntry, SpotterDb } from './db.ts';
import type { RefreshScope } from './refresh.ts';

export type Place = Pick<RefreshScope, 'account' | 'project_id'>;

/** An entry as a row shows it. */
export interface WaitingBrief {
  readonly id: string;
  readonly kind: string;
  readonly state: EntryState;
  readonly problem: Problem | null;
}

export const briefOf = ({ id, kind, state, last_problem }: OutboxEntry): WaitingBrief => ({
  id,
  kind,
  state,
  problem: last_problem,
});

/** Did a form that was opened on these show what others wrote in the fields of this entry? */
export const isAskedAbout = (
  waiting: readonly WaitingBrief[],
  { id }: Pick<OutboxEntry, 'id'>,
): boolean => waiting.some((one) => one.id === id && one.problem?.kind === 'conflict');

/** Inside a transaction: an entry at the end of its lane. */
export const enqueueIn = (
  deps: Deps,
  change: QueueChange,
  account: string,
  entry: NewEntry,
): Promise<OutboxEntry> => addEntry(deps.db, change, account, deps.clock.now(), entry);

/** What waits in a lane, in the order it is sent. */
export const laneEntries = (db: SpotterDb, lane: string): Promise<OutboxEntry[]> =>
  db.entries.where('lane').equals(lane).sortBy('seq');

/** Entries of the lanes that begin so, in their order. */
export const entriesUnder = async (db: SpotterDb, prefix: string): Promise<OutboxEntry[]> =>
  (await db.entries.where('lane').startsWith(prefix).toArray()).sort((a, b) => a.seq - b.seq);

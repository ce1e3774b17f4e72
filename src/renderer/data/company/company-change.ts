/**
 * What insurances, members, webhooks and files of entries share: a change is one transaction over the queue, then the host's journal, then the
 * answer. What waits is never written into the cached rows; it is laid over them when they are read, so that a refresh, a
 * take-back or a rebuild from the journal has nothing to put right.
 */
import { addEntry, type QueueChange } from '../../outbox/enqueue.ts';
import type { NewEntry } from '../../entries/entry.ts';
import type { Deps, EntryState, OutboxEntry, OutcomeRow, SpotterDb } from '../db.ts';
import type { RefreshScope } from '../refresh.ts';
import type { Problem } from '../../../contract/problem.ts';

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

/** liveQuery: outcomes not yet put away, the newest first. */
export const listOutcomes = async ({ db }: Pick<Deps, 'db'>, lane: string): Promise<OutcomeRow[]> =>
  (await db.outcomes.where('lane').equals(lane).toArray()).sort((a, b) => b.at - a.at);

export const forgetOutcome = ({ db }: Pick<Deps, 'db'>, entry_id: string): Promise<void> =>
  db.outcomes.delete(entry_id);

const RECENT = 20;

/** liveQuery: numbers opened lately, the last one first; where a server offers no list they are the only way back. */
export const recentOf = async (
  { db }: Pick<Deps, 'db'>,
  what: string,
  { account, project_id }: Place,
): Promise<readonly number[]> => {
  const kept = (await db.meta.get(`${what} ${project_id} ${account}`))?.value;
  return Array.isArray(kept) ? kept.filter((id): id is number => typeof id === 'number') : [];
};

export const remember = async (
  deps: Pick<Deps, 'db'>,
  what: string,
  place: Place,
  id: number,
): Promise<void> => {
  const had = await recentOf(deps, what, place);
  const value = [id, ...had.filter((one) => one !== id)].slice(0, RECENT);
  await deps.db.meta.put({ name: `${what} ${place.project_id} ${place.account}`, value });
};

/**
 * To the recycle bin and out of it, one or many (bulk.ts): apart from what else a person does to a near miss, because the list that is
 * loaded first needs no more.
 */
import { addEntry, dropEntry, type QueueChange } from '../outbox/enqueue.ts';
import { overOf } from '../entries/entry.ts';
import { nearMiss } from '../entries/queued.ts';
import { neverDone, type OutboxEntry } from '../outbox/entry-life.ts';
import type { Deps, NearMissRow, SpotterDb } from './db.ts';

/** What a change of a record may write to. */
export const recordTables = (db: SpotterDb) =>
  [db.near_misses, db.photos, db.drafts, db.catalogs, db.links] as const;

/** The row as it is in the recycle bin, or out of it again. */
export const binRow = (row: NearMissRow, what: 'recycle' | 'restore', now: number): NearMissRow =>
  what === 'recycle'
    ? { ...row, removed_at: now, bin: 1, updated_at: now }
    : { ...row, removed_at: null, bin: 0 };

/** To the recycle bin or out of it; null for an entry that does neither. */
const binOf = (entry: OutboxEntry): 'in' | 'out' | null => {
  const over = overOf(entry);
  return over?.puts === 'fields' ? over.bin : null;
};

/** Inside a transaction. Delete and restore cancel each other while they wait; else the wanted one is queued. */
export const flipBin = async (
  deps: Deps,
  change: QueueChange,
  row: NearMissRow,
  lane: readonly OutboxEntry[],
  what: 'recycle' | 'restore',
): Promise<void> => {
  const wanted = what === 'recycle' ? 'in' : 'out';
  const last = lane.findLast((entry) => binOf(entry) !== null);
  const same = last !== undefined && binOf(last) === wanted;
  if (same && last.state !== 'sending' && last.state !== 'parked') return;
  if (last !== undefined && !same && neverDone(last)) {
    await deps.history.dropped(deps.db, last, deps.clock.now());
    return dropEntry(deps.db, change, last);
  }
  const made = what === 'recycle' ? nearMiss.delete : nearMiss.restore;
  const { key, project_id, server_id } = row;
  await addEntry(
    deps.db,
    change,
    row.account,
    deps.clock.now(),
    made({ key, project_id, server_id }),
  );
};

/**
 * Moves a near miss to the recycle bin and back; bulk.ts does it for many. Kept separate from the other changes,
 * because the first list loads nothing else of them.
 */
import { addOperation, dropOperation, type QueueChange } from '../../outbox/queue/enqueue.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { nearMiss } from '../../operations/queued.ts';
import { provablyNotSent, type OutboxOperation } from '../../outbox/queue/operation-life.ts';
import type { Deps, NearMissRow, SpotterDb } from '../db/db.ts';

/** Tables that a change of a record may write to. */
export const recordTables = (db: SpotterDb) =>
  [db.near_misses, db.photos, db.drafts, db.catalogs, db.links] as const;

export const binRow = (row: NearMissRow, what: 'recycle' | 'restore', now: number): NearMissRow =>
  what === 'recycle'
    ? { ...row, removed_at: now, bin: 1, updated_at: now }
    : { ...row, removed_at: null, bin: 0 };

/** The direction of an operation: into the bin, out of it, or null for neither. */
const binOf = (operation: OutboxOperation): 'in' | 'out' | null => {
  const over = optimisticPatchOf(operation);
  return over?.puts === 'fields' ? over.bin : null;
};

/**
 * Recycles or restores inside a transaction. A delete and a restore cancel each other while neither was sent;
 * otherwise the requested one is queued.
 */
export const toggleDeleted = async (
  deps: Deps,
  change: QueueChange,
  row: NearMissRow,
  lane: readonly OutboxOperation[],
  what: 'recycle' | 'restore',
): Promise<void> => {
  const wanted = what === 'recycle' ? 'in' : 'out';
  const last = lane.findLast((operation) => binOf(operation) !== null);
  const same = last !== undefined && binOf(last) === wanted;
  if (same && last.state !== 'sending' && last.state !== 'parked') return;
  if (last !== undefined && !same && provablyNotSent(last)) {
    await deps.history.dropped(deps.db, last, deps.clock.now());
    return dropOperation(deps.db, change, last);
  }
  const made = what === 'recycle' ? nearMiss.delete : nearMiss.restore;
  const { key, project_id, server_id } = row;
  await addOperation(
    deps.db,
    change,
    row.account,
    deps.clock.now(),
    made({ key, project_id, server_id }),
  );
};

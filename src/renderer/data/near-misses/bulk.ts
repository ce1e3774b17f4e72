/**
 * Recycles or restores many near misses. Each record becomes a separate change with its own queue operation, as if it was
 * changed alone. Small groups share one transaction and one journal write, so thousands take seconds. After a stop or
 * a crash every record is either unchanged or completely saved.
 */
import type { Problem } from '../../../contract/problem.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import type { Deps, NearMissRow } from '../db/db.ts';
import { binRow, toggleDeleted, recordTables } from './recycle.ts';

export interface BulkDone {
  /** Keys of the changed records, for undo. */
  readonly done: readonly string[];
  /** Records left out because no server has them: they could not be restored from a bin. */
  readonly never_sent: number;
  /** Records left out because the user may not change them. */
  readonly not_allowed: number;
  /** Records not reached because the user or a problem stopped the run. */
  readonly left: number;
  readonly problem: Problem | null;
}

export interface BulkOptions {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
  /** True for a record that the user may change so. The server would refuse the others one by one. */
  readonly allowed: (row: NearMissRow) => boolean;
}

type GroupDone = Omit<BulkDone, 'left'>;

type BulkKind = 'recycle' | 'restore';

/** Group size in records: small, so that other writes are not delayed noticeably. */
const GROUP = 40;

/** Changes one group in one transaction. Skips records that are gone or already changed. */
const changeGroup = async (
  deps: Deps,
  what: BulkKind,
  keys: readonly string[],
  allowed: BulkOptions['allowed'],
): Promise<GroupDone> => {
  const { db } = deps;
  const changed = new Map<string, NearMissRow>();
  let [never_sent, not_allowed] = [0, 0];
  const done = await changeQueue(deps, recordTables, async (change) => {
    const from = what === 'recycle' ? 0 : 1;
    const rows = (await db.near_misses.bulkGet([...keys])).filter((row) => row?.bin === from);
    const laneOf = ({ key }: NearMissRow) => db.operations.where('lane').equals(key).sortBy('seq');
    const found = rows.filter((row) => row !== undefined);
    const lanes = await Promise.all(found.map(laneOf));
    for (const [at, row] of found.entries()) {
      if (what === 'recycle' && row.server_id === null) never_sent += 1;
      else if (!allowed(row)) not_allowed += 1;
      else {
        const after = binRow(row, what, deps.clock.now());
        changed.set(row.key, after);
        change.rows.set(row.key, after);
        await toggleDeleted(deps, change, row, lanes[at] ?? [], what);
      }
    }
    await db.near_misses.bulkPut([...changed.values()]);
  });
  return done.ok
    ? { done: [...changed.keys()], never_sent, not_allowed, problem: null }
    : { done: [], never_sent, not_allowed, problem: done.problem };
};

export const changeMany = async (
  deps: Deps,
  what: BulkKind,
  keys: readonly string[],
  { progress, signal, allowed }: BulkOptions,
): Promise<BulkDone> => {
  const done: string[] = [];
  let [never_sent, not_allowed] = [0, 0];
  let problem: Problem | null = null;
  let over = 0;
  while (over < keys.length && !signal.aborted && problem === null) {
    const group = keys.slice(over, over + GROUP);
    const answer = await changeGroup(deps, what, group, allowed);
    done.push(...answer.done);
    never_sent += answer.never_sent;
    not_allowed += answer.not_allowed;
    problem = answer.problem;
    if (problem === null) over += group.length;
    progress(over);
  }
  return { done, never_sent, not_allowed, left: keys.length - over, problem };
};

/**
 * Something done to many near misses: each is its own change with its own entry on the queue, exactly as if it had been
 * done alone. They are written down in small groups, each group in one transaction and one write of the journal, so that
 * thousands take seconds; stopping half way, or a crash, leaves every record either as it was or saved as changed.
 */
import type { Problem } from '../../contract/problem.ts';
import { changeQueue } from '../outbox/change.ts';
import type { Deps, NearMissRow } from './db.ts';
import { binRow, flipBin, recordTables } from './recycle.ts';

export interface BulkDone {
  /** Keys of the records that were changed, for taking it back. */
  readonly done: readonly string[];
  /** On no server yet: there would be no bin to get them back from, so they are left out. */
  readonly never_sent: number;
  /** Not reached: stopped by the user or by the problem. */
  readonly left: number;
  readonly problem: Problem | null;
}

export interface BulkOptions {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
}

type BulkKind = 'recycle' | 'restore';

/** Records of one group: few enough that what else is written meanwhile waits for no longer than a blink. */
const GROUP = 40;

/** One group in one transaction, then the journal. Those that are gone, or were done meanwhile, are left as they are. */
const changeGroup = async (
  deps: Deps,
  what: BulkKind,
  keys: readonly string[],
): Promise<Pick<BulkDone, 'done' | 'never_sent' | 'problem'>> => {
  const { db } = deps;
  const changed = new Map<string, NearMissRow>();
  let never_sent = 0;
  const done = await changeQueue(deps, recordTables, async (change) => {
    const from = what === 'recycle' ? 0 : 1;
    const rows = (await db.near_misses.bulkGet([...keys])).filter((row) => row?.bin === from);
    const laneOf = ({ key }: NearMissRow) => db.entries.where('lane').equals(key).sortBy('seq');
    const found = rows.filter((row) => row !== undefined);
    const lanes = await Promise.all(found.map(laneOf));
    for (const [at, row] of found.entries()) {
      if (what === 'recycle' && row.server_id === null) never_sent += 1;
      else {
        const after = binRow(row, what, deps.clock.now());
        changed.set(row.key, after);
        change.rows.set(row.key, after);
        await flipBin(deps, change, row, lanes[at] ?? [], what);
      }
    }
    await db.near_misses.bulkPut([...changed.values()]);
  });
  return done.ok
    ? { done: [...changed.keys()], never_sent, problem: null }
    : { done: [], never_sent, problem: done.problem };
};

export const changeMany = async (
  deps: Deps,
  what: BulkKind,
  keys: readonly string[],
  { progress, signal }: BulkOptions,
): Promise<BulkDone> => {
  const done: string[] = [];
  let never_sent = 0;
  let problem: Problem | null = null;
  let over = 0;
  while (over < keys.length && !signal.aborted && problem === null) {
    const group = keys.slice(over, over + GROUP);
    const answer = await changeGroup(deps, what, group);
    done.push(...answer.done);
    never_sent += answer.never_sent;
    problem = answer.problem;
    if (problem === null) over += group.length;
    progress(over);
  }
  return { done, never_sent, left: keys.length - over, problem };
};

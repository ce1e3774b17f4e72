/**
 * A change of what is here: one transaction over the queue and the tables it touches, then the host's journal, then the answer. What
 * it answers with success is saved on this laptop, twice (outbox promise 1). Whatever a person puts into the queue or takes out of it goes
 * through here but a save, which also puts its draft back where the journal said no (data/near-misses.ts), and an import, which
 * is undone where the journal said no (import-commit.ts).
 */
import type { Table } from 'dexie';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, SpotterDb } from '../data/db.ts';
import { storageProblem } from '../data/storage-problem.ts';
import { queueChange, type QueueChange, queueTables, tellJournal } from './enqueue.ts';

/** @param tables what `work` touches besides the queue */
export const changeQueue = async <T>(
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  tables: (db: SpotterDb) => readonly Table[],
  work: (change: QueueChange) => Promise<T>,
): Promise<Result<T>> => {
  const { db } = deps;
  const change = queueChange(deps);
  const all = new Set<Table>([...queueTables(deps), ...tables(db)]);
  let value: T;
  try {
    // An async function of its own: Dexie keeps a transaction open over what such a one awaits, and over no other's.
    value = await db.transaction('rw', [...all], async () => await work(change));
  } catch (error) {
    return fail(storageProblem(error));
  }
  const told = await tellJournal(deps, change);
  return told.ok ? ok(value) : told;
};

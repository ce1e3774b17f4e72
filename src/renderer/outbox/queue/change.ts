/**
 * Changes the queue: one transaction over the queue and the tables it touches, then the host's journal, then the
 * result. A success means that the change is saved twice on this laptop (outbox promise 1).
 * Every change by a person goes through here, with two exceptions. A save also restores its draft if the journal
 * refuses (data/near-misses/near-misses.ts). An import is undone if the journal refuses (import-commit.ts).
 */
import type { Table } from 'dexie';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Deps, SpotterDb } from '../../data/db/db.ts';
import { storageProblem } from '../../data/db/storage-problem.ts';
import { queueChange, type QueueChange, queueTables, journalChange } from './enqueue.ts';

/** @param tables the tables that `work` touches besides the queue */
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
    // The wrapper must be an async function: Dexie keeps the transaction open only over an await inside such a
    // function.
    value = await db.transaction('rw', [...all], async () => await work(change));
  } catch (error) {
    return fail(storageProblem(error));
  }
  const appended = await journalChange(deps, change);
  return appended.ok ? ok(value) : appended;
};

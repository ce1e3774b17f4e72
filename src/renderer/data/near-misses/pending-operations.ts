/** Reads and queues operations by lane, and summarizes an operation for a row. */
import type { Problem } from '../../../contract/problem.ts';
import type { NewOperation } from '../../operations/operation.ts';
import { addOperation, type QueueChange } from '../../outbox/queue/enqueue.ts';
import type { Deps, OperationState, OutboxOperation, SpotterDb } from '../db/db.ts';
import type { RefreshScope } from './refresh-rows.ts';

export type Place = Pick<RefreshScope, 'account' | 'project_id'>;

export interface PendingSummary {
  readonly id: string;
  readonly kind: string;
  readonly state: OperationState;
  readonly problem: Problem | null;
}

export const briefOf = ({ id, kind, state, last_problem }: OutboxOperation): PendingSummary => ({
  id,
  kind,
  state,
  problem: last_problem,
});

/** True if the form was opened while this operation had a conflict, so that it showed the other person's changes. */
export const isAskedAbout = (
  waiting: readonly PendingSummary[],
  { id }: Pick<OutboxOperation, 'id'>,
): boolean => waiting.some((one) => one.id === id && one.problem?.kind === 'conflict');

/** Appends an operation to its lane, inside a transaction. */
export const enqueueIn = (
  deps: Deps,
  change: QueueChange,
  account: string,
  operation: NewOperation,
): Promise<OutboxOperation> => addOperation(deps.db, change, account, deps.clock.now(), operation);

/** The operations of a lane in sending order. */
export const laneOperations = (db: SpotterDb, lane: string): Promise<OutboxOperation[]> =>
  db.operations.where('lane').equals(lane).sortBy('seq');

/** The operations of all lanes with this prefix, in queue order. */
export const operationsUnder = async (db: SpotterDb, prefix: string): Promise<OutboxOperation[]> =>
  (await db.operations.where('lane').startsWith(prefix).toArray()).sort((a, b) => a.seq - b.seq);

/**
 * Resolves a report after its answer was lost, on a server without idempotency keys: it may already be there. The user
 * picks the matching record or says that none matches (outbox promise 2). The choice is on disk before the queue moves.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Deps, OutboxOperation } from '../../data/db/db.ts';
import type { Candidate, CreateNotes } from '../../operations/near-miss.ts';
import { nearMiss } from '../../operations/queued.ts';
import { changeQueue } from './change.ts';
import { taken } from '../handlers/find-existing-record.ts';

export type { Candidate } from '../../operations/near-miss.ts';

const kept = (operation: OutboxOperation): readonly Candidate[] =>
  nearMiss.create.read(operation)?.checkpoint.candidates ?? [];

/** liveQuery: the candidate records, without those already matched to other reports. */
export const candidatesOf = async (
  { db }: Pick<Deps, 'db'>,
  operation_id: string,
): Promise<readonly Candidate[]> => {
  const operation = await db.operations.get(operation_id);
  if (operation === undefined) return [];
  const all = kept(operation);
  const others = await taken(
    { db, operation },
    all.map((one) => one.server_id),
  );
  return all.filter((one) => !others.has(one.server_id));
};

const choose = async (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  operation_id: string,
  decide: (operation: OutboxOperation) => Promise<Partial<CreateNotes> | null>,
): Promise<Result<null>> => {
  const { db } = deps;
  const done = await changeQueue(
    deps,
    ({ near_misses }) => [near_misses],
    async () => {
      const operation = await db.operations.get(operation_id);
      if (operation?.state !== 'parked' || operation.last_problem?.kind !== 'outcome_unknown')
        return false;
      const patch = await decide(operation);
      if (patch === null) return false;
      await db.operations.update(operation_id, {
        state: 'waiting',
        consecutive_failures: 0,
        next_try_at: null,
        last_problem: null,
        checkpoint: { ...operation.checkpoint, ...patch },
      });
      return true;
    },
  );
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/**
 * "It is this one": settles the operation with that record, and its photos follow. Fails with `conflict` if another report
 * was matched to that record meanwhile.
 */
export const pickRecord = (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  operation_id: string,
  server_id: number,
): Promise<Result<null>> =>
  choose(deps, operation_id, async (operation) => {
    const others = await taken({ db: deps.db, operation }, [server_id]);
    return others.has(server_id) ? null : { server_id };
  });

/** "Send it as a new one": none of the shown records is it, nor may one become it after another lost answer. */
export const sendAsNew = (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  operation_id: string,
): Promise<Result<null>> =>
  choose(deps, operation_id, async (operation) => ({
    as_new: true,
    restored: false,
    exported: false,
    sent_from: null,
    sent_to: null,
    candidates: [],
    not_it: [
      ...(nearMiss.create.read(operation)?.checkpoint.not_it ?? []),
      ...kept(operation).map((one) => one.server_id),
    ],
  }));

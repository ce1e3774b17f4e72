/**
 * Defines a handler: how a kind of operation is sent, how its outcome is written, and which local rows it creates.
 * Everything else about a kind is pure and lives in operations/.
 * `send` talks to the host and may be called again after any crash. `settle` writes the outcome inside the one
 * transaction that removes the operation.
 */
import type { Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { catalogInside } from '../../data/db/catalog.ts';
import type { Deps, LinkRow, NearMissRow, OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import { answerFields } from '../../data/model/answer.ts';
import { isLater, overlay } from '../../data/model/near-miss-rows.ts';
import { markAnswer } from '../../data/near-misses/unseen.ts';
import { dropAnonymised } from '../../data/retention/anonymised.ts';
import { dropErased } from '../../data/retention/erased.ts';
import type { CommonCheckpoint } from '../../operations/spec.ts';
import type { Checkpoints, OperationOf, Kind, Payloads } from '../../operations/operation.ts';
import type { Envelope } from '../../operations/stored.ts';
import type { OptimisticRow } from './optimistic-rows.ts';

/** @template C the checkpoint fields of the operation */
export interface SendContext<C = CommonCheckpoint> extends Pick<Deps, 'db' | 'host' | 'clock'> {
  /** Includes this attempt in its count, and the progress of earlier attempts in `checkpoint`. */
  readonly operation: Envelope & { readonly checkpoint: C };
  /** Adds to the operation's checkpoint; resolves once it is on disk. */
  checkpoint(patch: { readonly [N in keyof C]?: C[N] }): Promise<void>;
  /** The server's id of a local record, or null until there is one. */
  serverId(key: string, known: number | null): Promise<number | null>;
}

/** @template O the outcome of `send` */
export interface Handler<K extends Kind, O> {
  /** The near miss, photo or file that exists locally because the operation is queued, built from the operation alone. */
  rows(operation: OperationOf<K>): readonly OptimisticRow[];
  send(payload: Payloads[K], context: SendContext<Checkpoints[K]>): Promise<Result<O>>;
  settle(
    payload: Payloads[K],
    outcome: O,
    inside: {
      readonly db: SpotterDb;
      readonly operation: OperationOf<K>;
      readonly seen_at: number;
    },
  ): Promise<readonly LinkRow[]>;
}

/** Writes the outcome inside the settling transaction and returns the new id mappings. */
type Write = (db: SpotterDb) => Promise<readonly LinkRow[]>;

/**
 * For kinds that create no local row: their record exists already, or the pending change is applied when the record is
 * read.
 */
export const noRows = (): readonly OptimisticRow[] => [];

/** A handler with its outcome type hidden, for the queue. */
export interface RunnableHandler<K extends Kind> {
  run(operation: OperationOf<K>, context: Omit<SendContext, 'operation'>): Promise<Result<Write>>;
  rows(operation: OperationOf<K>): readonly OptimisticRow[];
}

export const runnable = <K extends Kind, O>({
  send,
  settle,
  rows,
}: Handler<K, O>): RunnableHandler<K> => ({
  rows,
  async run(operation, given) {
    const { payload } = operation;
    const context: SendContext<Checkpoints[K]> = { ...given, operation };
    const sent = await send(payload, context);
    if (!sent.ok) return sent;
    const seen_at = context.clock.tick();
    return { ok: true, value: (db) => settle(payload, sent.value, { db, operation, seen_at }) };
  },
});

/** The queued operations of a record, read inside the settling transaction. */
export const laneOf = (db: SpotterDb, key: string): PromiseLike<readonly OutboxOperation[]> =>
  db.operations.where('lane').equals(key).toArray();

const isTime = (text: string | null | undefined): boolean => !Number.isNaN(Date.parse(text ?? ''));

/**
 * Stores the server's copy with pending edits applied, inside the settling transaction. An answer may come after a list with a
 * later change, which then stays. `lane`: the operations, if already read in this transaction.
 */
export const putServerCopy = async (
  db: SpotterDb,
  record: Pick<NearMissRow, 'key' | 'account' | 'company_id' | 'project_id' | 'server'>,
  answer: NearMiss,
  seen_at: number,
  lane?: readonly OutboxOperation[],
): Promise<void> => {
  const { key, account, project_id } = record;
  const server = record.server && isLater(record.server, answer) ? record.server : answer;
  const waiting = lane ?? (await laneOf(db, key));
  const catalog = await catalogInside(db, account, project_id);
  const had = await db.near_misses.get(key);
  if (had !== undefined && record.server !== null && !server.deleted_at)
    await markAnswer(db, had, server, answerFields(catalog?.custom_field_definitions ?? []));
  // The row adds nothing to the server's copy except its times, if that has none.
  const timed = isTime(server.created_at) && isTime(server.updated_at);
  const { created_at = seen_at, updated_at = seen_at } = (timed ? undefined : had) ?? {};
  const row = { ...record, created_at, updated_at };
  const shown = overlay(row, server, waiting, catalog, seen_at);
  await db.near_misses.put(shown);
  // The answer may be the first copy after an erasure. A refresh then finds nothing new in the record.
  await dropAnonymised(db, [shown]);
  await dropErased(db, [shown], new Map([[key, had?.server ?? null]]));
};

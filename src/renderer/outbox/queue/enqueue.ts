/**
 * Puts writes on the queue in two steps, always in this order. Operations are added and removed inside the caller's ONE
 * Dexie transaction. After its commit the change is appended to the journal (fsync), and only then is it called saved
 * or sent.
 * A crash between the two leaves operations with `journaled: 0` and tombstones, which `repairJournal` completes.
 */
import type { Table } from 'dexie';
import type { JournalOperation } from '../../../contract/host.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type {
  Deps,
  NearMissRow,
  OutboxOperation,
  QueueHistory,
  SpotterDb,
} from '../../data/db/db.ts';
import type { NewOperation } from '../../operations/operation.ts';
import { journalForm, makeOperation } from './operation-life.ts';

/** The queue changes of one transaction, collected inside it and written to the journal after it. */
export interface QueueChange {
  /** Records the change in the same transaction. */
  readonly history: QueueHistory;
  readonly added: { readonly operation: OutboxOperation; readonly replaces: string | null }[];
  readonly dropped: string[];
  /**
   * The records after the change, by key. The journal keeps them so that a record can be shown again after a rebuild.
   */
  readonly rows: Map<string, NearMissRow>;
}

export const queueChange = ({ history }: Pick<Deps, 'history'>): QueueChange => ({
  history,
  added: [],
  dropped: [],
  rows: new Map(),
});

/** The tables that a transaction must include for the functions below. */
export const queueTables = ({ db, history }: Pick<Deps, 'db' | 'history'>): readonly Table[] => [
  db.operations,
  db.tombstones,
  db.meta,
  ...history.tables(db),
];

const nextSeq = async (db: SpotterDb): Promise<number> => {
  const seq = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
  await db.meta.put({ name: 'seq', value: seq + 1 });
  return seq;
};

/** Adds an operation at the end, inside a transaction. `known`: fields that another laptop recorded. */
export const addOperation = async (
  db: SpotterDb,
  change: QueueChange,
  account: string,
  now: number,
  input: NewOperation,
  known: Partial<OutboxOperation> = {},
): Promise<OutboxOperation> => {
  const operation = { ...makeOperation(input, account, await nextSeq(db), now), ...known };
  await db.operations.put(operation);
  await change.history.queued(db, operation, now);
  change.added.push({ operation, replaces: null });
  return operation;
};

/** Removes an operation from the queue and the journal, inside a transaction. */
export const dropOperation = async (
  db: SpotterDb,
  change: QueueChange,
  operation: OutboxOperation,
): Promise<void> => {
  await db.operations.delete(operation.id);
  await db.tombstones.put({ operation_id: operation.id, links: [] });
  change.dropped.push(operation.id);
};

/** Puts new content in an operation's place in the order, under a new idempotency key. Runs inside a transaction. */
export const replaceOperation = async (
  db: SpotterDb,
  change: QueueChange,
  old: OutboxOperation,
  next: NewOperation,
  now: number,
): Promise<OutboxOperation> => {
  const operation = makeOperation(next, old.account, old.seq, now);
  await dropOperation(db, change, old);
  await db.operations.put(operation);
  await change.history.changed(db, old, operation, now);
  change.added.push({ operation, replaces: old.id });
  return operation;
};

/** The most operations per call, and their total size: a quarter of a call's limit if half of the text is escaped. */
const BATCH = 200;
const BATCH_WEIGHT = 2 * 1024 * 1024;

/** The approximate length of a value as JSON, without serializing it. */
const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + name.length + 4 + weightOf(inner),
    2,
  );
};

/** Appends operations in order, in batches that the host accepts: 200 long reports together exceed one call. */
export const appendToJournal = async (
  host: Deps['host'],
  operations: readonly JournalOperation[],
): Promise<Result<null>> => {
  let batch: JournalOperation[] = [];
  let weight = 0;
  for (const [index, operation] of operations.entries()) {
    batch.push(operation);
    weight += weightOf(operation);
    const next = operations[index + 1];
    if (next !== undefined && batch.length < BATCH && weight < BATCH_WEIGHT) continue;
    const appended = await host.call('journal.append', { operations: batch });
    if (!appended.ok) return appended;
    batch = [];
    weight = 0;
  }
  return ok(null);
};

/**
 * Serializes journal writes over all windows. An append that overtook a settle of the same operation would revive it at the
 * next rebuild.
 */
export const withJournal = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request('spotter-journal', work) as Promise<T>;

/** Appends a committed change to the journal. Only its confirmation makes the change "saved on this laptop". */
export const journalChange = async (
  deps: Pick<Deps, 'db' | 'host'>,
  change: QueueChange,
): Promise<Result<null>> =>
  change.added.length + change.dropped.length === 0
    ? ok(null)
    : withJournal(() => recordChange(deps, change));

const recordChange = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  change: QueueChange,
): Promise<Result<null>> => {
  const operations = change.added.map(({ operation, replaces }) =>
    journalForm(operation, { near_miss: slim(change.rows.get(operation.lane)), replaces }),
  );
  const appended = await appendToJournal(host, operations);
  if (!appended.ok) return appended;
  for (let at = 0; at < change.dropped.length; at += BATCH) {
    const operation_ids = change.dropped.slice(at, at + BATCH);
    const settled = await host.call('journal.settle', { operation_ids, links: [] });
    if (!settled.ok) return settled;
  }
  // Not awaited, because both copies are on disk already. This only allows the engine to send.
  void db
    .transaction('rw', db.operations, db.tombstones, async () => {
      for (const { operation } of change.added)
        await db.operations.where('id').equals(operation.id).modify({ journaled: 1 });
      await db.tombstones.bulkDelete(change.dropped);
    })
    .catch(() => {
      // The database is gone; the next start repeats this (repairJournal).
    });
  return ok(null);
};

/** Drops the server's copy, which a refresh brings back, to keep the journal small. */
const slim = (row: NearMissRow | undefined): NearMissRow | null =>
  row === undefined ? null : { ...row, server: null, search: '' };

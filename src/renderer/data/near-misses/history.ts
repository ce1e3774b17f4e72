/**
 * Records what this laptop did to each near miss and when: creation, edits, recycling, restores, photos added or
 * removed, and deliveries. Each note is written in the transaction of its change, so none describes a change that did
 * not happen. The table is bounded. It is for display only: no decision depends on it, and the queue receives it as
 * `QueueHistory`. After a loss of the database only the pending operations are known, from the journal, and a note says
 * so.
 */
import { Dexie } from 'dexie';
import type {
  Deps,
  HistoryChange,
  HistoryRow,
  OutboxOperation,
  QueueHistory,
  SpotterDb,
} from '../db/db.ts';
import { bytesOf, recordedChangeOf } from '../../operations/operation.ts';
import { sameField, type WireFields } from '../model/near-miss-rows.ts';
import { UNNAMED } from '../../../contract/text/who-saw.ts';
import { cutAt, textOf } from '../model/text.ts';

/** Maximum number of notes over all records; the oldest are deleted first. */
export const HISTORY_MAX = 20_000;
/** Notes between two checks of the limit. */
const SWEEP_EVERY = 500;
const TEXT_MAX = 300;

const short = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? null;
  const text = name === 'description' ? textOf(value) : value;
  return cutAt(text, TEXT_MAX);
};

/** The fields that differ, in the order of the wire. Pure. */
const changesOf = (before: WireFields, after: WireFields): readonly HistoryChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !sameField(name, before[name], after[name]))
    .map((name) => ({
      name,
      before: after[name] === UNNAMED ? null : short(name, before[name]),
      after: short(name, after[name]),
    }));

const noteOf = (
  operation: OutboxOperation,
  event: HistoryRow['event'],
  at: number,
  changes: readonly HistoryChange[] = [],
): Omit<HistoryRow, 'id'> => ({
  key: operation.lane,
  account: operation.account,
  at,
  event,
  kind: operation.kind,
  operation_id: operation.id,
  changes,
  filename: bytesOf(operation)?.photo.filename ?? null,
});

/** A no-op. It must be Dexie's promise: awaiting a native promise without a query ends the transaction early. */
const nothing = (): Promise<void> => Dexie.Promise.resolve();

const put = async (db: SpotterDb, notes: readonly Omit<HistoryRow, 'id'>[]): Promise<void> => {
  const last = await db.history.bulkAdd([...notes]);
  if (Math.floor(last / SWEEP_EVERY) === Math.floor((last - notes.length) / SWEEP_EVERY)) return;
  const over = (await db.history.count()) - HISTORY_MAX;
  if (over > 0) await db.history.orderBy('id').limit(over).delete();
};

const write = (db: SpotterDb, notes: readonly Omit<HistoryRow, 'id'>[]): Promise<void> =>
  notes.length === 0 ? nothing() : put(db, notes);

/** Writes a note. The other notes of the near miss forget the name of somebody who now stays unnamed (decisions §4.12). */
const writeUnnamed = async (
  db: SpotterDb,
  note: Omit<HistoryRow, 'id'>,
  fields: ReadonlySet<string>,
): Promise<void> => {
  await write(db, [note]);
  const kept = (value: unknown): unknown => (value === UNNAMED ? value : null);
  const notes = await db.history.where('key').equals(note.key).toArray();
  await db.history.bulkPut(
    notes.map((one) => ({
      ...one,
      changes: one.changes.map((change) =>
        fields.has(change.name)
          ? { ...change, before: kept(change.before), after: kept(change.after) }
          : change,
      ),
    })),
  );
};

const noted = (db: SpotterDb, note: Omit<HistoryRow, 'id'>): Promise<void> => {
  const unnamed = note.changes.filter(({ after }) => after === UNNAMED).map(({ name }) => name);
  return unnamed.length === 0 ? write(db, [note]) : writeUnnamed(db, note, new Set(unnamed));
};

export const history: QueueHistory = {
  tables: (db) => [db.history],

  queued(db, operation, at) {
    const recorded = recordedChangeOf(operation);
    if (recorded === null) return nothing();
    const changes = recorded.edit ? changesOf(recorded.before, recorded.after) : [];
    return noted(db, noteOf(operation, 'queued', at, changes));
  },

  /** Writes nothing when the content is unchanged. */
  changed(db, old, operation, at) {
    const [was, is] = [recordedChangeOf(old), recordedChangeOf(operation)];
    if (is === null) return nothing();
    const changes = changesOf({ ...was?.before, ...was?.after }, { ...is.before, ...is.after });
    return changes.length > 0 ? noted(db, noteOf(operation, 'changed', at, changes)) : nothing();
  },

  dropped: (db, operation, at) =>
    recordedChangeOf(operation) === null
      ? nothing()
      : write(db, [noteOf(operation, 'dropped', at)]),

  delivered: (db, operations, at) =>
    write(
      db,
      operations.filter(recordedChangeOf).map((operation) => noteOf(operation, 'delivered', at)),
    ),

  /** Only the time of queueing is known for rebuilt operations. */
  rebuilt(db, operations, at) {
    const recorded = operations.filter(recordedChangeOf);
    const lanes = new Map(recorded.map((operation) => [operation.lane, operation]));
    return write(db, [
      ...[...lanes.values()].map((operation) => noteOf(operation, 'rebuilt', at)),
      ...recorded.map((operation) => noteOf(operation, 'queued', operation.created_at)),
    ]);
  },

  async forget(db, key) {
    await db.history.where('key').equals(key).delete();
  },

  async undone(db, operations) {
    const ids = new Set(operations.map(({ id }) => id));
    const keys = [...new Set(operations.map(({ lane }) => lane))];
    await db.history
      .where('key')
      .anyOf(keys)
      .and(({ operation_id }) => ids.has(operation_id))
      .delete();
  },
};

/** liveQuery: what this laptop did to a near miss, latest first. */
export const historyOf = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  key: string,
): Promise<readonly HistoryRow[]> => {
  const rows = await db.history.where('key').equals(key).toArray();
  return rows.filter((row) => row.account === account).sort((a, b) => b.at - a.at || b.id - a.id);
};

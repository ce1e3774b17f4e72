/**
 * What this laptop did to a near miss, and when: entered, changed, recycled, restored, photos added and taken off, and what of
 * it was delivered. Notes are written in the transaction of what they tell, so that none is of something that did not happen,
 * and are bounded. They are for showing alone: nothing is decided by them, and the queue knows of `history` only what it is handed.
 * After the database was lost only what still waited is known, from the journal, and the notes say so.
 */
import { Dexie } from 'dexie';
import type {
  Deps,
  HistoryChange,
  HistoryRow,
  OutboxEntry,
  QueueHistory,
  SpotterDb,
} from './db.ts';
import { bytesOf, toldOf } from '../entries/entry.ts';
import { sameField, type WireFields } from './near-miss-rows.ts';
import { cutAt, textOf } from './text.ts';

/** Of all records together: the oldest go first. */
export const HISTORY_MAX = 20_000;
/** How often the bound is looked after, in notes. */
const SWEEP_EVERY = 500;
const TEXT_MAX = 300;

const short = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? null;
  const text = name === 'description' ? textOf(value) : value;
  return cutAt(text, TEXT_MAX);
};

/** Pure: the fields that differ, in the order of the wire. */
const changesOf = (before: WireFields, after: WireFields): readonly HistoryChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !sameField(name, before[name], after[name]))
    .map((name) => ({
      name,
      before: short(name, before[name]),
      after: short(name, after[name]),
    }));

const noteOf = (
  entry: OutboxEntry,
  event: HistoryRow['event'],
  at: number,
  changes: readonly HistoryChange[] = [],
): Omit<HistoryRow, 'id'> => ({
  key: entry.lane,
  account: entry.account,
  at,
  event,
  kind: entry.kind,
  entry_id: entry.id,
  changes,
  filename: bytesOf(entry)?.photo.filename ?? null,
});

/** Nothing to note. Dexie's own promise: a transaction ends early over a plain one that asks the database nothing. */
const nothing = (): Promise<void> => Dexie.Promise.resolve();

const put = async (db: SpotterDb, notes: readonly Omit<HistoryRow, 'id'>[]): Promise<void> => {
  const last = await db.history.bulkAdd([...notes]);
  if (Math.floor(last / SWEEP_EVERY) === Math.floor((last - notes.length) / SWEEP_EVERY)) return;
  const over = (await db.history.count()) - HISTORY_MAX;
  if (over > 0) await db.history.orderBy('id').limit(over).delete();
};

const write = (db: SpotterDb, notes: readonly Omit<HistoryRow, 'id'>[]): Promise<void> =>
  notes.length === 0 ? nothing() : put(db, notes);

export const history: QueueHistory = {
  tables: (db) => [db.history],

  queued(db, entry, at) {
    const told = toldOf(entry);
    if (told === null) return nothing();
    const changes = told.edit ? changesOf(told.before, told.after) : [];
    return write(db, [noteOf(entry, 'queued', at, changes)]);
  },

  /** The same content once more is no change. */
  changed(db, old, entry, at) {
    const [was, is] = [toldOf(old), toldOf(entry)];
    if (is === null) return nothing();
    const changes = changesOf({ ...was?.before, ...was?.after }, { ...is.before, ...is.after });
    return changes.length > 0 ? write(db, [noteOf(entry, 'changed', at, changes)]) : nothing();
  },

  dropped: (db, entry, at) =>
    toldOf(entry) === null ? nothing() : write(db, [noteOf(entry, 'dropped', at)]),

  delivered: (db, entries, at) =>
    write(
      db,
      entries.filter(toldOf).map((entry) => noteOf(entry, 'delivered', at)),
    ),

  /** When they were queued is known, nothing else. */
  rebuilt(db, entries, at) {
    const told = entries.filter(toldOf);
    const lanes = new Map(told.map((entry) => [entry.lane, entry]));
    return write(db, [
      ...[...lanes.values()].map((entry) => noteOf(entry, 'rebuilt', at)),
      ...told.map((entry) => noteOf(entry, 'queued', entry.created_at)),
    ]);
  },

  async forget(db, key) {
    await db.history.where('key').equals(key).delete();
  },

  async undone(db, entries) {
    const ids = new Set(entries.map(({ id }) => id));
    const keys = [...new Set(entries.map(({ lane }) => lane))];
    await db.history
      .where('key')
      .anyOf(keys)
      .and(({ entry_id }) => ids.has(entry_id))
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

/**
 * Putting writes on the queue. Two steps, always in this order: inside the caller's ONE Dexie transaction the entries
 * come and go; after its commit the journal is told (fsync), and only then may anything be called saved or be sent.
 * A crash between the two leaves entries with `journaled: 0` and tombstones, which `repairJournal` finishes.
 */
import type { Table } from 'dexie';
import type { JournalEntry } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxEntry, QueueHistory, SpotterDb } from '../data/db.ts';
import type { NewEntry } from '../entries/entry.ts';
import { journalForm, makeEntry } from './entry-life.ts';

/** What one transaction did to the queue. Collected inside it, told to the journal after it. */
export interface QueueChange {
  /** Notes what is done, in the same transaction. */
  readonly history: QueueHistory;
  readonly added: { readonly entry: OutboxEntry; readonly replaces: string | null }[];
  readonly dropped: string[];
  /** Records as they are after it, by key: beside an entry the journal keeps what shows its record again. */
  readonly rows: Map<string, NearMissRow>;
}

export const queueChange = ({ history }: Pick<Deps, 'history'>): QueueChange => ({
  history,
  added: [],
  dropped: [],
  rows: new Map(),
});

/** The tables a transaction must hold for the functions below. */
export const queueTables = ({ db, history }: Pick<Deps, 'db' | 'history'>): readonly Table[] => [
  db.entries,
  db.tombstones,
  db.meta,
  ...history.tables(db),
];

const nextSeq = async (db: SpotterDb): Promise<number> => {
  const seq = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
  await db.meta.put({ name: 'seq', value: seq + 1 });
  return seq;
};

/** Inside a transaction: adds an entry at the end. `known`: what another laptop knew of it. */
export const addEntry = async (
  db: SpotterDb,
  change: QueueChange,
  account: string,
  now: number,
  input: NewEntry,
  known: Partial<OutboxEntry> = {},
): Promise<OutboxEntry> => {
  const entry = { ...makeEntry(input, account, await nextSeq(db), now), ...known };
  await db.entries.put(entry);
  await change.history.queued(db, entry, now);
  change.added.push({ entry, replaces: null });
  return entry;
};

/** Inside a transaction: takes an entry off the queue and off the journal. */
export const dropEntry = async (
  db: SpotterDb,
  change: QueueChange,
  entry: OutboxEntry,
): Promise<void> => {
  await db.entries.delete(entry.id);
  await db.tombstones.put({ entry_id: entry.id, links: [] });
  change.dropped.push(entry.id);
};

/** Inside a transaction: new content in an entry's place in the order, under a new idempotency key. */
export const replaceEntry = async (
  db: SpotterDb,
  change: QueueChange,
  old: OutboxEntry,
  next: NewEntry,
  now: number,
): Promise<OutboxEntry> => {
  const entry = makeEntry(next, old.account, old.seq, now);
  await dropEntry(db, change, old);
  await db.entries.put(entry);
  await change.history.changed(db, old, entry, now);
  change.added.push({ entry, replaces: old.id });
  return entry;
};

/** Entries in one call, and what they may weigh together: a quarter of what a call may hold where half of it is escaped. */
const BATCH = 200;
const BATCH_WEIGHT = 2 * 1024 * 1024;

/** About how many characters it takes as JSON, without writing it. */
const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + name.length + 4 + weightOf(inner),
    2,
  );
};

/** Appends them in their order, in calls that the host takes: 200 long reports together would be too large for one. */
export const appendToJournal = async (
  host: Deps['host'],
  entries: readonly JournalEntry[],
): Promise<Result<null>> => {
  let batch: JournalEntry[] = [];
  let weight = 0;
  for (const [index, entry] of entries.entries()) {
    batch.push(entry);
    weight += weightOf(entry);
    const next = entries[index + 1];
    if (next !== undefined && batch.length < BATCH && weight < BATCH_WEIGHT) continue;
    const appended = await host.call('journal.append', { entries: batch });
    if (!appended.ok) return appended;
    batch = [];
    weight = 0;
  }
  return ok(null);
};

/**
 * One teller at a time over all windows: an append that overtook a settle of the same entry would bring it back to
 * life at the next rebuild.
 */
export const withJournal = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request('spotter-journal', work) as Promise<T>;

/** After the commit: the journal learns of it. Only after its answer is the change "saved on this laptop". */
export const tellJournal = async (
  deps: Pick<Deps, 'db' | 'host'>,
  change: QueueChange,
): Promise<Result<null>> =>
  change.added.length + change.dropped.length === 0
    ? ok(null)
    : withJournal(() => tell(deps, change));

const tell = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  change: QueueChange,
): Promise<Result<null>> => {
  const entries = change.added.map(({ entry, replaces }) =>
    journalForm(entry, { near_miss: slim(change.rows.get(entry.lane)), replaces }),
  );
  const appended = await appendToJournal(host, entries);
  if (!appended.ok) return appended;
  for (let at = 0; at < change.dropped.length; at += BATCH) {
    const entry_ids = change.dropped.slice(at, at + BATCH);
    const settled = await host.call('journal.settle', { entry_ids, links: [] });
    if (!settled.ok) return settled;
  }
  // Not awaited by "saved": both copies are on disk already; this only lets the engine send.
  void db
    .transaction('rw', db.entries, db.tombstones, async () => {
      for (const { entry } of change.added)
        await db.entries.where('id').equals(entry.id).modify({ journaled: 1 });
      await db.tombstones.bulkDelete(change.dropped);
    })
    .catch(() => {
      // The database went away: the next start does it (repairJournal).
    });
  return ok(null);
};

/** The server's copy comes back with a refresh; the journal stays small. */
const slim = (row: NearMissRow | undefined): NearMissRow | null =>
  row === undefined ? null : { ...row, server: null, search: '' };

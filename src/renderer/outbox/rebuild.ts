/**
 * Brings database and journal in agreement at every start (outbox promise 1, failures A18). What the journal has and the
 * database lacks is made again: entries, records, photos. What the database has and the journal lacks is appended.
 * What is over here is settled there. Nothing is sent before this is done.
 */
import { z } from 'zod';
import { type HostOutput, type JournalEntry, ulidSchema } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxEntry, SpotterDb } from '../data/db.ts';
import { rowOf } from '../data/near-miss-rows.ts';
import { entryOf, makesNearMiss } from '../entries/entry.ts';
import { quarantine } from './attempt.ts';
import { agreeOnDrafts, tellEnds } from './draft-journal.ts';
import { appendToJournal, withJournal } from './enqueue.ts';
import { isImported, journalForm, makeEntry, type RecordSnapshot } from './entry-life.ts';
import { accountsOf } from './lanes.ts';
import { rowsOf } from './operations/index.ts';
import { dropRows, putRows, type WaitingRow } from './waiting-rows.ts';

const BATCH = 200;
/** Ids in one question. */
const ASKED = 1_000;

const snapshotSchema = z.object({
  near_miss: z
    .looseObject({
      key: z.string(),
      company_id: z.number(),
      project_id: z.number(),
      server_id: z.number().nullable(),
      fields: z.looseObject({ incident_id: z.number(), description: z.string() }),
      created_at: z.number(),
      updated_at: z.number(),
      removed_at: z.number().nullable(),
    })
    .nullable(),
  replaces: z.string().nullable(),
});

const snapshotOf = ({ record }: { readonly record?: unknown }): RecordSnapshot | null => {
  const parsed = snapshotSchema.safeParse(record);
  return parsed.success ? (record as RecordSnapshot) : null;
};

/** Entries whose place another one took, or a second create of one record: over, whatever a crash left in the journal. */
const outdated = (entries: readonly JournalEntry[]): ReadonlySet<string> => {
  const over = new Set<string>();
  const creates = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const replaces = snapshotOf(entry)?.replaces;
    if (replaces) over.add(replaces);
  }
  // An id tells when it was made by a clock that may have been put back: what was replaced is over whatever the ids say.
  for (const entry of entries) {
    if (!makesNearMiss(entry) || over.has(entry.id)) continue;
    const other = creates.get(entry.lane);
    const newer = other === undefined || entry.id > other.id ? entry : other;
    if (other !== undefined) over.add(newer === entry ? other.id : entry.id);
    creates.set(entry.lane, newer);
  }
  return over;
};

/** The near miss that an entry is about, as the journal has it beside the entry. */
const recordRow = ({ lane, account }: OutboxEntry, row: NearMissRow): WaitingRow => {
  const { fields, company_id, project_id, server_id, created_at, updated_at, removed_at } = row;
  const made = rowOf(
    {
      key: lane,
      account,
      company_id,
      project_id,
      server_id,
      fields,
      server: null,
      created_at,
      updated_at,
      removed_at,
      seen_at: 0,
    },
    null,
  );
  const { names, full_number } = row;
  return { table: 'near_misses', key: lane, row: { ...made, names, full_number } };
};

interface Restored {
  readonly entries: readonly OutboxEntry[];
  readonly unreadable: readonly JournalEntry[];
  readonly snapshots: ReadonlyMap<string, RecordSnapshot | null>;
}

const restore = (missing: readonly JournalEntry[]): Restored => {
  const entries: OutboxEntry[] = [];
  const unreadable: JournalEntry[] = [];
  const snapshots = new Map<string, RecordSnapshot | null>();
  for (const line of missing) {
    const { id, kind, version, lane, payload, account, seq, created_at } = line;
    const made = makeEntry({ id, kind, version, lane, payload }, account, seq, created_at);
    // The database that knew is gone: it may have been sent. The same key makes sending it again harmless,
    // and where the server keeps none, `restored` makes it look first.
    const entry: OutboxEntry = {
      ...made,
      journaled: 1,
      attempts: 1,
      checkpoint: { restored: true },
    };
    if (entryOf(entry) === null) unreadable.push(line);
    else entries.push(entry);
    snapshots.set(id, snapshotOf(line));
  }
  return { entries, unreadable, snapshots };
};

/**
 * The near misses as the user saw them last: an edit that is settled was made after what waits; else the entry that was made last,
 * for an edit of what was not sent yet takes the older entry's place in the order, before the photos.
 */
const recordsOf = (
  { entries, snapshots }: Restored,
  newest: ReadonlyMap<string, RecordSnapshot>,
): readonly WaitingRow[] => {
  const seen = new Map<string, WaitingRow>();
  for (const entry of entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const snapshot = newest.get(entry.lane) ?? snapshots.get(entry.id);
    if (snapshot && snapshot.near_miss !== null)
      seen.set(entry.lane, recordRow(entry, snapshot.near_miss));
  }
  return [...seen.values()];
};

const writeRestored = async (
  { db, clock, history }: Pick<Deps, 'db' | 'clock' | 'history'>,
  restored: Restored,
  newest: ReadonlyMap<string, RecordSnapshot>,
): Promise<void> => {
  const { entries, unreadable } = restored;
  const records = recordsOf(restored, newest);
  const rows = entries.flatMap(rowsOf);
  const tables = [
    db.entries,
    db.near_misses,
    db.photos,
    db.quarantine,
    db.tm_attachments,
    ...history.tables(db),
  ];
  await db.transaction('rw', tables, async () => {
    await db.entries.bulkPut([...entries]);
    await history.rebuilt(db, entries, clock.now());
    await putRows(db, records);
    // After them: a near miss that the journal has no more of than its entry is what the entry tells.
    await putRows(db, rows);
    for (const raw of unreadable)
      await db.quarantine.add({
        account: raw.account,
        lane: raw.lane,
        raw,
        reason: 'unreadable in the journal',
        found_at: clock.now(),
      });
  });
};

const quarantinedIds = async (db: SpotterDb): Promise<ReadonlySet<unknown>> =>
  new Set((await db.quarantine.toArray()).map(({ raw }) => (raw as { id?: unknown } | null)?.id));

export interface Rebuilt {
  /** Drafts that came from the journal. */
  readonly drafts: number;
  /** Entries that came back from the journal. */
  readonly rebuilt: number;
  /** The near misses these entries belong to. */
  readonly records: number;
  /** Entries of the journal that this version cannot read. */
  readonly quarantined: number;
  /** Lines that the host found damaged in the journal. */
  readonly damaged: number;
  /** Ends of the journal that were no whole line: an append that a power cut interrupted leaves one. */
  readonly unfinished: number;
}

/**
 * Makes again what the journal has and this database lacks. In the journal's turn: of two windows that start on an empty
 * database one brings it all back, and a draft that ends meanwhile keeps its tombstone until this is done.
 */
const bringBack = (
  deps: Deps,
  { entries: journal, links: linked, records }: HostOutput<'journal.list'>,
): Promise<Result<{ readonly restored: Restored; readonly drafts: number }>> =>
  withJournal(async () => {
    const { db, host } = deps;
    const links = new Map(linked.map((link) => [link.local_id, link.server_id]));
    const here = new Set<unknown>(await db.entries.toCollection().primaryKeys());
    const over = new Set<unknown>(await db.tombstones.toCollection().primaryKeys());
    const aside = await quarantinedIds(db);
    const outdatedIds = outdated(journal);
    const stale = journal.filter((line) => outdatedIds.has(line.id) && !here.has(line.id));
    const absent = journal.filter(
      ({ id }) => !here.has(id) && !over.has(id) && !aside.has(id) && !outdatedIds.has(id),
    );
    // What another window sent since the journal was listed has left this database and is no loss: an entry's tombstone goes
    // only after its end is in the journal.
    const ended = await settledOf(
      host,
      absent.map(({ id }) => id),
    );
    if (!ended.ok) return ended;
    const restored = restore(absent.filter(({ id }) => !ended.value.has(id)));
    const creates = journal.filter(makesNearMiss);
    const became = new Set([...creates.map(({ lane }) => lane), ...links.keys()]);
    const drafts = await agreeOnDrafts(deps, became);
    if (!drafts.ok) return drafts;
    // Before the entries are back: what a person does meanwhile comes after them.
    await raiseSeq(db, journal);
    await writeRestored(deps, restored, newestOf(records));
    await restoreIds(db, links);
    await db.tombstones.bulkPut(stale.map(({ id }) => ({ entry_id: id, links: [] })));
    return ok({ restored, drafts: drafts.value });
  });

/** What the newest settled entries left of the records that still have something waiting, by lane. */
const newestOf = (
  records: HostOutput<'journal.list'>['records'],
): ReadonlyMap<string, RecordSnapshot> => {
  const newest = new Map<string, RecordSnapshot>();
  for (const one of records) {
    // One that shows no near miss, or cannot be read, must not hide what the waiting entries show.
    const snapshot = snapshotOf(one);
    if (snapshot !== null && snapshot.near_miss !== null) newest.set(one.lane, snapshot);
  }
  return newest;
};

export const rebuild = async (deps: Deps): Promise<Result<Rebuilt>> => {
  const { db, host } = deps;
  const listed = await host.call('journal.list', {});
  if (!listed.ok) return listed;
  const journal = listed.value.entries;
  const malformed = await setMalformedAside(deps, new Set(journal.map((line) => line.id)));
  const brought = await bringBack(deps, listed.value);
  if (!brought.ok) return brought;
  const { restored, drafts } = brought.value;
  const listedIds = new Set(journal.map((line) => line.id));
  // What an import brought and the journal was not told of: that it was settled here before does not end it.
  const kept = await db.entries
    .filter((entry) => entry.journaled === 1 || !isImported(entry))
    .primaryKeys();
  const unknown = kept.filter((id) => !listedIds.has(id));
  const elsewhere = await settledElsewhere(deps, unknown);
  if (!elsewhere.ok) return elsewhere;
  const unlisted = unknown.filter((id) => !elsewhere.value.has(id));
  await db.entries.where('id').anyOf(unlisted).modify({ journaled: 0 });
  const repaired = await repairJournal(deps);
  if (!repaired.ok) return repaired;
  const quarantined = restored.unreadable.length + malformed;
  return ok({
    drafts,
    rebuilt: restored.entries.length,
    records: new Set(restored.entries.map((entry) => entry.lane)).size,
    quarantined,
    damaged: listed.value.damaged,
    unfinished: listed.value.unfinished,
  });
};

/** Of these entries, those that are over by the journal. */
const settledOf = async (
  host: Deps['host'],
  ids: readonly string[],
): Promise<Result<ReadonlySet<string>>> => {
  const over = new Set<string>();
  for (let at = 0; at < ids.length; at += ASKED) {
    const asked = await host.call('journal.settled', { entry_ids: ids.slice(at, at + ASKED) });
    if (!asked.ok) return asked;
    for (const id of asked.value.entry_ids) over.add(id);
  }
  return ok(over);
};

/**
 * Entries that wait in this database and that another window on this data folder has sent or dropped: they are over here too. What
 * the server has of it comes with a refresh. Answers their ids.
 */
const settledElsewhere = async (
  { db, host }: Deps,
  ids: readonly string[],
): Promise<Result<ReadonlySet<string>>> => {
  const settled = await settledOf(host, ids);
  if (!settled.ok || settled.value.size === 0) return settled;
  const over = settled.value;
  const tables = [db.entries, db.near_misses, db.photos, db.tm_attachments];
  await db.transaction('rw', tables, async () => {
    const entries = (await db.entries.bulkGet([...over])).filter((entry) => entry !== undefined);
    await db.entries.bulkDelete([...over]);
    // Taken back there its near miss goes; what was sent has the server's id by now.
    await dropRows(db, entries.flatMap(rowsOf));
  });
  return ok(over);
};

const entrySchema = z.object({
  id: ulidSchema,
  seq: z.number(),
  account: z.string(),
  kind: z.string(),
  version: z.number(),
  lane: z.string(),
  created_at: z.number(),
  journaled: z.literal([0, 1]),
  state: z.enum(['waiting', 'sending', 'parked']),
  attempts: z.number(),
  strikes: z.number(),
  checkpoint: z.record(z.string(), z.unknown()),
});

/** Rows that no index would ever find again. Where the journal has the entry whole, that copy takes its place. */
const setMalformedAside = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  inJournal: ReadonlySet<string>,
): Promise<number> => {
  let aside = 0;
  for (const row of (await db.entries.toArray()) as unknown[]) {
    if (entrySchema.safeParse(row).success) continue;
    const { id, account, lane } = row as Record<string, unknown>;
    if (inJournal.has(String(id))) await db.entries.delete(String(id));
    else {
      aside += 1;
      const owner = { account: String(account ?? ''), lane: String(lane ?? '') };
      await quarantine({ db, clock }, { ...(row as object), ...owner, id }, 'malformed entry');
    }
  }
  return aside;
};

const restoreIds = async (db: SpotterDb, links: ReadonlyMap<string, number>): Promise<void> => {
  await db.links.bulkPut([...links].map(([local_id, server_id]) => ({ local_id, server_id })));
  await db.near_misses
    .where('key')
    .anyOf([...links.keys()])
    .and((row) => row.server_id === null)
    .modify((row: { -readonly [K in keyof NearMissRow]: NearMissRow[K] }) => {
      row.server_id = links.get(row.key) ?? null;
    });
};

/** New entries come after everything that was ever queued. */
const raiseSeq = (db: SpotterDb, journal: readonly JournalEntry[]): Promise<void> =>
  db.transaction('rw', db.meta, db.entries, async () => {
    let top = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
    for (const line of journal) top = Math.max(top, line.seq + 1);
    for (const account of await accountsOf(db)) {
      const own = db.entries
        .where('[account+seq]')
        .between([account, -Infinity], [account, Infinity]);
      const last: unknown = await own.lastKey();
      if (Array.isArray(last)) top = Math.max(top, Number(last[1]) + 1);
    }
    await db.meta.put({ name: 'seq', value: top });
  });

/** Finishes what a crash or a failed call left between database and journal. Also run after every hold. */
export const repairJournal = (deps: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> =>
  withJournal(() => repair(deps));

const repair = async ({ db, host }: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> => {
  const unwritten = await db.entries.where('journaled').equals(0).sortBy('seq');
  const tombstones = await db.tombstones.filter((one) => one.draft_at === undefined).toArray();
  for (let at = 0; at < unwritten.length; at += BATCH) {
    const batch = unwritten.slice(at, at + BATCH);
    const rows = await db.near_misses.bulkGet(batch.map((entry) => entry.lane));
    const entries = batch.map((entry, index) =>
      journalForm(entry, { near_miss: rows[index] ?? null, replaces: null }),
    );
    const appended = await appendToJournal(host, entries);
    if (!appended.ok) return appended;
  }
  for (let at = 0; at < tombstones.length; at += BATCH) {
    const batch = tombstones.slice(at, at + BATCH);
    const settled = await host.call('journal.settle', {
      entry_ids: batch.map((stone) => stone.entry_id),
      links: batch.flatMap((stone) => [...stone.links]).slice(0, BATCH),
    });
    if (!settled.ok) return settled;
  }
  // Sendable only now: what an entry replaced is settled first.
  await db.transaction('rw', db.entries, db.tombstones, async () => {
    await db.entries.bulkUpdate(
      unwritten.map((entry) => ({ key: entry.id, changes: { journaled: 1 } })),
    );
    await db.tombstones.bulkDelete(tombstones.map((stone) => stone.entry_id));
  });
  return tellEnds({ db, host });
};

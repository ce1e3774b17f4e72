/**
 * Reconciles database and journal at every start, before anything is sent (outbox promise 1, failures A18). Operations,
 * records and photos that only the journal has are restored. Operations that only the database has are appended. Operations
 * that ended here are settled in the journal.
 */
import { z } from 'zod';
import { type HostOutput, type JournalOperation, ulidSchema } from '../../../contract/host.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import { rowOf } from '../../data/model/near-miss-rows.ts';
import { operationOf, makesNearMiss } from '../../operations/operation.ts';
import { quarantine } from '../engine/attempt.ts';
import { agreeOnDrafts, appendEndedDrafts } from './draft-journal.ts';
import { appendToJournal, withJournal } from '../queue/enqueue.ts';
import {
  isImported,
  journalForm,
  makeOperation,
  type RecordSnapshot,
} from '../queue/operation-life.ts';
import { accountsOf } from '../queue/lanes.ts';
import { rowsOf } from '../handlers/index.ts';
import { dropRows, putRows, type OptimisticRow } from '../handlers/optimistic-rows.ts';

const BATCH = 200;
/** The most ids per question. */
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

/**
 * Operations that were replaced, and duplicate creates of one record. They are obsolete, whatever a crash left in the
 * journal.
 */
const outdated = (operations: readonly JournalOperation[]): ReadonlySet<string> => {
  const over = new Set<string>();
  const creates = new Map<string, JournalOperation>();
  for (const operation of operations) {
    const replaces = snapshotOf(operation)?.replaces;
    if (replaces) over.add(replaces);
  }
  // Ids are ordered by a clock that may have been set back. A replaced operation is obsolete whatever the ids say.
  for (const operation of operations) {
    if (!makesNearMiss(operation) || over.has(operation.id)) continue;
    const other = creates.get(operation.lane);
    const newer = other === undefined || operation.id > other.id ? operation : other;
    if (other !== undefined) over.add(newer === operation ? other.id : operation.id);
    creates.set(operation.lane, newer);
  }
  return over;
};

/** The near miss of an operation, from the journal's snapshot. */
const recordRow = ({ lane, account }: OutboxOperation, row: NearMissRow): OptimisticRow => {
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
  readonly operations: readonly OutboxOperation[];
  readonly unreadable: readonly JournalOperation[];
  readonly snapshots: ReadonlyMap<string, RecordSnapshot | null>;
}

const restore = (missing: readonly JournalOperation[]): Restored => {
  const operations: OutboxOperation[] = [];
  const unreadable: JournalOperation[] = [];
  const snapshots = new Map<string, RecordSnapshot | null>();
  for (const line of missing) {
    const { id, kind, version, lane, payload, account, seq, created_at } = line;
    const made = makeOperation({ id, kind, version, lane, payload }, account, seq, created_at);
    // The lost database knew whether it was sent. The same key makes a second send harmless, and without keys
    // `restored` makes the operation look first.
    const operation: OutboxOperation = {
      ...made,
      journaled: 1,
      attempts: 1,
      checkpoint: { restored: true },
    };
    if (operationOf(operation) === null) unreadable.push(line);
    else operations.push(operation);
    snapshots.set(id, snapshotOf(line));
  }
  return { operations, unreadable, snapshots };
};

/**
 * The near misses as the user last saw them. A settled edit was made after the pending operations. Otherwise the newest
 * operation wins, because an edit of an unsent record takes the older operation's place in the order, before the photos.
 */
const recordsOf = (
  { operations, snapshots }: Restored,
  newest: ReadonlyMap<string, RecordSnapshot>,
): readonly OptimisticRow[] => {
  const seen = new Map<string, OptimisticRow>();
  for (const operation of operations.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const snapshot = newest.get(operation.lane) ?? snapshots.get(operation.id);
    if (snapshot && snapshot.near_miss !== null)
      seen.set(operation.lane, recordRow(operation, snapshot.near_miss));
  }
  return [...seen.values()];
};

const writeRestored = async (
  { db, clock, history }: Pick<Deps, 'db' | 'clock' | 'history'>,
  restored: Restored,
  newest: ReadonlyMap<string, RecordSnapshot>,
): Promise<void> => {
  const { operations, unreadable } = restored;
  const records = recordsOf(restored, newest);
  const rows = operations.flatMap(rowsOf);
  const tables = [
    db.operations,
    db.near_misses,
    db.photos,
    db.quarantine,
    db.tm_attachments,
    ...history.tables(db),
  ];
  await db.transaction('rw', tables, async () => {
    await db.operations.bulkPut([...operations]);
    await history.rebuilt(db, operations, clock.now());
    await putRows(db, records);
    // Afterwards: without a snapshot, the near miss is built from its operation.
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
  /** Drafts restored from the journal. */
  readonly drafts: number;
  /** Operations restored from the journal. */
  readonly rebuilt: number;
  /** Near misses of these operations. */
  readonly records: number;
  /** Journal operations that this version cannot read. */
  readonly quarantined: number;
  /** Damaged lines that the host found in the journal. */
  readonly damaged: number;
  /** Incomplete last lines in the journal, left by an append that a power cut interrupted. */
  readonly unfinished: number;
}

/**
 * Restores what only the journal has, while holding the journal lock. Of two windows that start on an empty database,
 * only one restores it. A draft that ends meanwhile keeps its tombstone until this is done.
 */
const bringBack = (
  deps: Deps,
  { operations: journal, links: linked, records }: HostOutput<'journal.list'>,
): Promise<Result<{ readonly restored: Restored; readonly drafts: number }>> =>
  withJournal(async () => {
    const { db, host } = deps;
    const links = new Map(linked.map((link) => [link.local_id, link.server_id]));
    const here = new Set<unknown>(await db.operations.toCollection().primaryKeys());
    const over = new Set<unknown>(await db.tombstones.toCollection().primaryKeys());
    const aside = await quarantinedIds(db);
    const outdatedIds = outdated(journal);
    const stale = journal.filter((line) => outdatedIds.has(line.id) && !here.has(line.id));
    const absent = journal.filter(
      ({ id }) => !here.has(id) && !over.has(id) && !aside.has(id) && !outdatedIds.has(id),
    );
    // An operation that another window sent after the journal was listed is missing here but not lost. Its tombstone is
    // removed only after the journal has its end.
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
    // Before the operations are restored, so that a person's new operations come after them.
    await raiseSeq(db, journal);
    await writeRestored(deps, restored, newestOf(records));
    await restoreIds(db, links);
    await db.tombstones.bulkPut(stale.map(({ id }) => ({ operation_id: id, links: [] })));
    return ok({ restored, drafts: drafts.value });
  });

/** The snapshots of the newest settled operations, by lane, for records that still have queued operations. */
const newestOf = (
  records: HostOutput<'journal.list'>['records'],
): ReadonlyMap<string, RecordSnapshot> => {
  const newest = new Map<string, RecordSnapshot>();
  for (const one of records) {
    // A snapshot without a readable near miss must not hide those of the pending operations.
    const snapshot = snapshotOf(one);
    if (snapshot !== null && snapshot.near_miss !== null) newest.set(one.lane, snapshot);
  }
  return newest;
};

export const rebuild = async (deps: Deps): Promise<Result<Rebuilt>> => {
  const { db, host } = deps;
  const listed = await host.call('journal.list', {});
  if (!listed.ok) return listed;
  const journal = listed.value.operations;
  const malformed = await setMalformedAside(deps, new Set(journal.map((line) => line.id)));
  const brought = await bringBack(deps, listed.value);
  if (!brought.ok) return brought;
  const { restored, drafts } = brought.value;
  const listedIds = new Set(journal.map((line) => line.id));
  // Imported operations that the journal lacks. An earlier settlement on this laptop does not end them.
  const kept = await db.operations
    .filter((operation) => operation.journaled === 1 || !isImported(operation))
    .primaryKeys();
  const unknown = kept.filter((id) => !listedIds.has(id));
  const elsewhere = await settledElsewhere(deps, unknown);
  if (!elsewhere.ok) return elsewhere;
  const unlisted = unknown.filter((id) => !elsewhere.value.has(id));
  await db.operations.where('id').anyOf(unlisted).modify({ journaled: 0 });
  const repaired = await repairJournal(deps);
  if (!repaired.ok) return repaired;
  const quarantined = restored.unreadable.length + malformed;
  return ok({
    drafts,
    rebuilt: restored.operations.length,
    records: new Set(restored.operations.map((operation) => operation.lane)).size,
    quarantined,
    damaged: listed.value.damaged,
    unfinished: listed.value.unfinished,
  });
};

/** The ids that the journal has as settled. */
const settledOf = async (
  host: Deps['host'],
  ids: readonly string[],
): Promise<Result<ReadonlySet<string>>> => {
  const over = new Set<string>();
  for (let at = 0; at < ids.length; at += ASKED) {
    const asked = await host.call('journal.settled', { operation_ids: ids.slice(at, at + ASKED) });
    if (!asked.ok) return asked;
    for (const id of asked.value.operation_ids) over.add(id);
  }
  return ok(over);
};

/**
 * Removes operations that another window on this data folder has sent or dropped. The server's result comes with a
 * refresh.
 * @returns the ids of the settled operations
 */
const settledElsewhere = async (
  { db, host }: Deps,
  ids: readonly string[],
): Promise<Result<ReadonlySet<string>>> => {
  const settled = await settledOf(host, ids);
  if (!settled.ok || settled.value.size === 0) return settled;
  const over = settled.value;
  const tables = [db.operations, db.near_misses, db.photos, db.tm_attachments];
  await db.transaction('rw', tables, async () => {
    const operations = (await db.operations.bulkGet([...over])).filter(
      (operation) => operation !== undefined,
    );
    await db.operations.bulkDelete([...over]);
    // The near miss of a cancelled operation is removed; a sent one has the server's id by now.
    await dropRows(db, operations.flatMap(rowsOf));
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
  tries: z
    .object({ first: z.number(), before: z.number().nullable(), last: z.number() })
    .nullable(),
  consecutive_failures: z.number(),
  checkpoint: z.record(z.string(), z.unknown()),
});

/**
 * Removes rows that no index can find. If the journal has the operation, its copy is restored instead; other rows are
 * quarantined.
 */
const setMalformedAside = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  inJournal: ReadonlySet<string>,
): Promise<number> => {
  let aside = 0;
  for (const row of (await db.operations.toArray()) as unknown[]) {
    if (entrySchema.safeParse(row).success) continue;
    const { id, account, lane } = row as Record<string, unknown>;
    if (inJournal.has(String(id))) await db.operations.delete(String(id));
    else {
      aside += 1;
      const owner = { account: String(account ?? ''), lane: String(lane ?? '') };
      await quarantine({ db, clock }, { ...(row as object), ...owner, id }, 'malformed operation');
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

/** Ensures that new operations come after everything that was ever queued. */
const raiseSeq = (db: SpotterDb, journal: readonly JournalOperation[]): Promise<void> =>
  db.transaction('rw', db.meta, db.operations, async () => {
    let top = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
    for (const line of journal) top = Math.max(top, line.seq + 1);
    for (const account of await accountsOf(db)) {
      const own = db.operations
        .where('[account+seq]')
        .between([account, -Infinity], [account, Infinity]);
      const last: unknown = await own.lastKey();
      if (Array.isArray(last)) top = Math.max(top, Number(last[1]) + 1);
    }
    await db.meta.put({ name: 'seq', value: top });
  });

/** Completes what a crash or a failed call left between database and journal. Also runs after every hold. */
export const repairJournal = (deps: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> =>
  withJournal(() => repair(deps));

const repair = async ({ db, host }: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> => {
  const unwritten = await db.operations.where('journaled').equals(0).sortBy('seq');
  const tombstones = await db.tombstones.filter((one) => one.draft_at === undefined).toArray();
  for (let at = 0; at < unwritten.length; at += BATCH) {
    const batch = unwritten.slice(at, at + BATCH);
    const rows = await db.near_misses.bulkGet(batch.map((operation) => operation.lane));
    const operations = batch.map((operation, index) =>
      journalForm(operation, { near_miss: rows[index] ?? null, replaces: null }),
    );
    const appended = await appendToJournal(host, operations);
    if (!appended.ok) return appended;
  }
  for (let at = 0; at < tombstones.length; at += BATCH) {
    const batch = tombstones.slice(at, at + BATCH);
    const settled = await host.call('journal.settle', {
      operation_ids: batch.map((stone) => stone.operation_id),
      links: batch.flatMap((stone) => [...stone.links]).slice(0, BATCH),
    });
    if (!settled.ok) return settled;
  }
  // Only now may they be sent, because the operations they replaced are settled first.
  await db.transaction('rw', db.operations, db.tombstones, async () => {
    await db.operations.bulkUpdate(
      unwritten.map((operation) => ({ key: operation.id, changes: { journaled: 1 } })),
    );
    await db.tombstones.bulkDelete(tombstones.map((stone) => stone.operation_id));
  });
  return appendEndedDrafts({ db, host });
};

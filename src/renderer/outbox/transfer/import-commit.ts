/**
 * Commits an import: operations, records, photos and drafts in one transaction, then the journal. If the journal refuses,
 * the transaction is undone, so an import takes effect as a whole or not at all. An undone import leaves tombstones,
 * because the journal may have some of it. If it is imported again, its operations are marked (`imported`) and are queued
 * again.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { Deps, DraftRow, NearMissRow, PhotoRow } from '../../data/db/db.ts';
import { discardBytes } from '../../data/photos/discard-bytes.ts';
import { draftStamp, heardStamp } from '../../data/near-misses/draft-stamp.ts';
import { endDraft, reviveDraft } from '../../data/near-misses/drafts.ts';
import { overlay, rowOf } from '../../data/model/near-miss-rows.ts';
import { traitsOf } from '../../operations/operation.ts';
import { isRetryable } from '../engine/classify-error.ts';
import { heardEnds, appendDrafts } from '../journal/draft-journal.ts';
import {
  addOperation,
  dropOperation,
  type QueueChange,
  queueChange,
  queueTables,
  journalChange,
} from '../queue/enqueue.ts';
import type { ManifestEntry } from './export-file.ts';
import type { ImportPlan } from './import-plan.ts';
import { noteStaged, unstage } from './import-stage.ts';
import { rowsOf } from '../handlers/index.ts';
import { dropRows, putRows, type OptimisticRow } from '../handlers/optimistic-rows.ts';

/** The other laptop's portable fields, marked as possibly sent there. */
const carriedOver = (given: ManifestEntry) => {
  const { state, attempts, last_problem, checkpoint, photo_pace } = given;
  const portable = traitsOf(given.kind)?.portable ?? {};
  const kept = Object.entries(checkpoint).filter(([name]) => portable[name] === true);
  // A file may say anything, but what may heal is never parked (outbox promise 3).
  const parked = state === 'parked' && (last_problem === null || !isRetryable(last_problem));
  return {
    state: parked ? ('parked' as const) : ('waiting' as const),
    attempts: Math.max(attempts, state === 'sending' ? 1 : 0),
    last_problem: parked ? last_problem : null,
    checkpoint: { ...Object.fromEntries(kept), exported: true, restored: true, imported: true },
    ...(photo_pace === undefined ? {} : { photo_pace }),
  };
};

const tables = (deps: Deps) => {
  const { near_misses, photos, catalogs, tm_attachments, drafts } = deps.db;
  return [...queueTables(deps), near_misses, photos, catalogs, tm_attachments, drafts];
};

/** Rows per step; the event loop runs between two steps. */
const STEP = 200;

/** The previous state, to be restored if the import is undone. */
interface Before {
  readonly near_misses: Map<string, NearMissRow | null>;
  /** Discarded drafts that an imported one replaced. */
  readonly drafts: DraftRow[];
  readonly draft_photos: PhotoRow[];
}

const putRecords = async (
  { db, clock }: Deps,
  plan: ImportPlan,
  account: string,
  before: Before,
): Promise<void> => {
  for (const [key, given] of plan.near_misses) {
    const { names, full_number: _number, ...record } = given;
    const catalog = (await db.catalogs.get([account, given.project_id]))?.catalog ?? null;
    const here = await db.near_misses.get(key);
    before.near_misses.set(key, here ?? null);
    const lane = await db.operations.where('lane').equals(key).toArray();
    const made = rowOf({ ...record, key, account, seen_at: 0 }, catalog);
    const server = here === undefined ? given.server : here.server;
    const row =
      server === null
        ? (here ?? made)
        : overlay(here ?? made, server, lane, catalog, here === undefined ? 0 : clock.tick());
    // Without a catalog, the exported names are the only ones.
    await db.near_misses.put(
      catalog === null && here === undefined && names !== undefined ? { ...row, names } : row,
    );
  }
};

/**
 * Stores drafts with local stamps. A stamp no newer than a known end would end the draft at the next start. A stamp
 * from the future would win over everything typed here.
 */
const putDrafts = async (
  { db, clock }: Deps,
  { drafts }: ImportPlan,
  ends: ReadonlyMap<string, number>,
  before: Before,
): Promise<void> => {
  for (const draft of drafts) {
    const { id, updated_at } = draft;
    const thrown = await db.drafts.get(id);
    if (thrown !== undefined) {
      const photos = db.photos.where('draft_id').equals(id);
      before.drafts.push(thrown);
      before.draft_photos.push(...(await photos.toArray()));
      await photos.delete();
    }
    const stone = (await db.tombstones.get(id))?.draft_at ?? -Infinity;
    const known = Math.max(ends.get(id) ?? -Infinity, stone, thrown?.updated_at ?? -Infinity);
    if (known > -Infinity) heardStamp(known);
    const at = Math.min(updated_at, clock.now());
    await db.drafts.put({ ...draft, updated_at: at > known ? at : draftStamp(clock) });
    await db.tombstones.delete(id);
  }
};

const write = async (
  deps: Deps,
  plan: ImportPlan,
  account: string,
  change: QueueChange,
  ends: ReadonlyMap<string, number>,
  before: Before,
): Promise<void> => {
  const { db, clock } = deps;
  const rows: OptimisticRow[] = [];
  for (const { given, made_at, operation } of plan.operations) {
    const at = Math.min(given.created_at, clock.now());
    const added = await addOperation(db, change, account, at, operation, carriedOver(given));
    rows.push(...rowsOf({ ...added, created_at: Math.min(made_at, clock.now()) }));
  }
  await putDrafts(deps, plan, ends, before);
  for (let at = 0; at < plan.photos.length; at += STEP)
    await db.photos.bulkAdd(plan.photos.slice(at, at + STEP));
  await putRecords(deps, plan, account, before);
  await putRows(db, rows);
  await unstage(db, plan.files);
};

/**
 * Removes the imported drafts, each with a recorded end because the journal may have it. Restores the discarded ones.
 */
const takeBackDrafts = async (
  { db, clock }: Deps,
  plan: ImportPlan,
  before: Before,
): Promise<void> => {
  await db.photos.bulkDelete(plan.photos.map(({ photo_id }) => photo_id));
  for (const { id } of plan.drafts) await endDraft(db, id);
  for (const draft of before.drafts) await reviveDraft({ db, clock }, draft);
  await db.photos.bulkPut(before.draft_photos);
};

/** Undoes the import. Returns false if another window wrote it to the journal meanwhile; the import then stands. */
const cancelOperation = (
  deps: Deps,
  plan: ImportPlan,
  { added }: QueueChange,
  before: Before,
): Promise<boolean> => {
  const { db } = deps;
  return db.transaction('rw', tables(deps), async () => {
    const operations = await db.operations.bulkGet(added.map(({ operation }) => operation.id));
    if (added.length > 0 && operations.some((operation) => operation?.journaled !== 0))
      return false;
    const undone = queueChange(deps);
    const gone = added.map(({ operation }) => operation);
    for (const operation of gone) await dropOperation(db, undone, operation);
    await dropRows(db, gone.flatMap(rowsOf));
    await deps.history.undone(db, gone);
    await takeBackDrafts(deps, plan, before);
    for (const [key, row] of before.near_misses)
      await (row === null ? db.near_misses.delete(key) : db.near_misses.put(row));
    await noteStaged(db, plan.files);
    return true;
  });
};

/** Writes drafts before operations, because an operation in the journal may be sent and can no longer be undone. */
const appendToJournal = async (
  deps: Deps,
  plan: ImportPlan,
  change: QueueChange,
): Promise<Result<null>> => {
  const begun = await appendDrafts(
    deps,
    plan.drafts.map(({ id }) => id),
  );
  return begun.ok ? journalChange(deps, change) : begun;
};

/** `ok` once database and journal have everything. Otherwise nothing remains except the staged files. */
export const commitImport = async (
  deps: Deps,
  plan: ImportPlan,
  account: string,
): Promise<Result<null>> => {
  const { db } = deps;
  const ends = plan.drafts.length === 0 ? ok(new Map<string, number>()) : await heardEnds(deps);
  if (!ends.ok) return ends;
  const change = queueChange(deps);
  const before: Before = { near_misses: new Map(), drafts: [], draft_photos: [] };
  await db.transaction('rw', tables(deps), async () => {
    await write(deps, plan, account, change, ends.value, before);
    for (const row of await db.near_misses.bulkGet([...plan.near_misses.keys()]))
      if (row) change.rows.set(row.key, row);
  });
  const appended = await appendToJournal(deps, plan, change);
  if (!appended.ok && (await cancelOperation(deps, plan, change, before))) return appended;
  for (const photo of before.draft_photos) await discardBytes(deps, photo);
  return ok(null);
};

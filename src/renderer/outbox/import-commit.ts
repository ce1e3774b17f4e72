/**
 * An import takes effect: entries, records, photos and drafts in one transaction, then the journal is told of all of it. Where the
 * journal cannot be told, the transaction is undone: an import is here as a whole or not at all. What is undone leaves tombstones,
 * because the journal may have it; taken in again later, it is marked as such (`imported`), and waits again.
 */
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps, DraftRow, NearMissRow, PhotoRow } from '../data/db.ts';
import { discardBytes } from '../data/discard-bytes.ts';
import { draftStamp, heardStamp } from '../data/draft-stamp.ts';
import { endDraft, reviveDraft } from '../data/drafts.ts';
import { overlay, rowOf } from '../data/near-miss-rows.ts';
import { factsOf } from '../entries/entry.ts';
import { heardEnds, tellDrafts } from './draft-journal.ts';
import {
  addEntry,
  dropEntry,
  type QueueChange,
  queueChange,
  queueTables,
  tellJournal,
} from './enqueue.ts';
import type { ManifestEntry } from './export-file.ts';
import type { ImportPlan } from './import-plan.ts';
import { noteStaged, unstage } from './import-stage.ts';
import { rowsOf } from './operations/index.ts';
import { dropRows, putRows, type WaitingRow } from './waiting-rows.ts';

/** What the other laptop knew of it; and that it may have sent it, or may yet. */
const carriedOver = (given: ManifestEntry) => {
  const { state, attempts, last_problem, checkpoint, photo_pace } = given;
  const carries = factsOf(given.kind)?.carries ?? {};
  const kept = Object.entries(checkpoint).filter(([name]) => carries[name] === true);
  return {
    state: state === 'parked' ? ('parked' as const) : ('waiting' as const),
    attempts: Math.max(attempts, state === 'sending' ? 1 : 0),
    last_problem: state === 'parked' ? last_problem : null,
    checkpoint: { ...Object.fromEntries(kept), exported: true, restored: true, imported: true },
    ...(photo_pace === undefined ? {} : { photo_pace }),
  };
};

const tables = (deps: Deps) => {
  const { near_misses, photos, catalogs, tm_attachments, drafts } = deps.db;
  return [...queueTables(deps), near_misses, photos, catalogs, tm_attachments, drafts];
};

/** Rows a step: the window breathes between two. */
const STEP = 200;

/** What was there before, to be put back. */
interface Before {
  readonly near_misses: Map<string, NearMissRow | null>;
  /** Drafts that had been thrown away, in whose place one of the file came. */
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
    const lane = await db.entries.where('lane').equals(key).toArray();
    const made = rowOf({ ...record, key, account, seen_at: 0 }, catalog);
    const server = here === undefined ? given.server : here.server;
    const row =
      server === null
        ? (here ?? made)
        : overlay(here ?? made, server, lane, catalog, here === undefined ? 0 : clock.tick());
    // Without a catalog the names that were exported are all there is.
    await db.near_misses.put(
      catalog === null && here === undefined && names !== undefined ? { ...row, names } : row,
    );
  }
};

/**
 * Drafts, stamped by this laptop: a state that is no newer than a known end would be over at the next start, and one from the
 * future, whoever wrote the file, would be newer than whatever is typed here.
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
  const rows: WaitingRow[] = [];
  for (const { given, made_at, entry } of plan.entries) {
    const at = Math.min(given.created_at, clock.now());
    const added = await addEntry(db, change, account, at, entry, carriedOver(given));
    rows.push(...rowsOf({ ...added, created_at: Math.min(made_at, clock.now()) }));
  }
  await putDrafts(deps, plan, ends, before);
  for (let at = 0; at < plan.photos.length; at += STEP)
    await db.photos.bulkAdd(plan.photos.slice(at, at + STEP));
  await putRecords(deps, plan, account, before);
  await putRows(db, rows);
  await unstage(db, plan.files);
};

/** Each with an end, because the journal may have them; what had been thrown away is that again. */
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

/** Answers false where another window told the journal meanwhile: then all of it is here for good. */
const takeBack = (
  deps: Deps,
  plan: ImportPlan,
  { added }: QueueChange,
  before: Before,
): Promise<boolean> => {
  const { db } = deps;
  return db.transaction('rw', tables(deps), async () => {
    const entries = await db.entries.bulkGet(added.map(({ entry }) => entry.id));
    if (added.length > 0 && entries.some((entry) => entry?.journaled !== 0)) return false;
    const undone = queueChange(deps);
    const gone = added.map(({ entry }) => entry);
    for (const entry of gone) await dropEntry(db, undone, entry);
    await dropRows(db, gone.flatMap(rowsOf));
    await deps.history.undone(db, gone);
    await takeBackDrafts(deps, plan, before);
    for (const [key, row] of before.near_misses)
      await (row === null ? db.near_misses.delete(key) : db.near_misses.put(row));
    await noteStaged(db, plan.files);
    return true;
  });
};

/** Drafts before entries: what the journal was told of an entry may be sent, and cannot be taken back. */
const tell = async (deps: Deps, plan: ImportPlan, change: QueueChange): Promise<Result<null>> => {
  const begun = await tellDrafts(
    deps,
    plan.drafts.map(({ id }) => id),
  );
  return begun.ok ? tellJournal(deps, change) : begun;
};

/** `ok` when database and journal have it. Else nothing of it is here, but for the files that were staged. */
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
  const told = await tell(deps, plan, change);
  if (!told.ok && (await takeBack(deps, plan, change, before))) return told;
  for (const photo of before.draft_photos) await discardBytes(deps, photo);
  return ok(null);
};

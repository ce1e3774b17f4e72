/**
 * An import takes effect: entries, records, photos and drafts in one transaction, then the journal is told. Where the journal
 * cannot be told, the transaction is undone: an import is here as a whole or not at all.
 */
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps, NearMissRow, SpotterDb } from '../data/db.ts';
import { overlay, rowOf } from '../data/near-miss-rows.ts';
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
import { waitingRow } from './operations/tm-attachment-create.ts';

const KEPT_STEPS = new Set([
  'step',
  'upload_uuid',
  'associate_key',
  'base',
  'conflicts',
  'recycled',
]);

/** What the other laptop knew of it; and that it may have sent it, or may yet. */
const carriedOver = (given: ManifestEntry) => {
  const { state, attempts, last_problem, checkpoint, photo_pace } = given;
  const kept = Object.entries(checkpoint).filter(([name]) => KEPT_STEPS.has(name));
  return {
    state: state === 'parked' ? ('parked' as const) : ('waiting' as const),
    attempts: Math.max(attempts, state === 'sending' ? 1 : 0),
    last_problem: state === 'parked' ? last_problem : null,
    checkpoint: { ...Object.fromEntries(kept), exported: true, restored: true },
    ...(photo_pace === undefined ? {} : { photo_pace }),
  };
};

const tables = (db: SpotterDb) => [
  ...queueTables(db),
  ...[db.near_misses, db.photos, db.catalogs, db.tm_attachments, db.drafts],
];

/** Rows a step: the window breathes between two. */
const STEP = 200;

/** What was there before, to be put back. */
type Before = Map<string, NearMissRow | null>;

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
    before.set(key, here ?? null);
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

const write = async (
  deps: Deps,
  plan: ImportPlan,
  account: string,
  change: QueueChange,
  before: Before,
): Promise<void> => {
  const { db, clock } = deps;
  for (const { given, lane, payload } of plan.entries) {
    const { id, kind, version } = given;
    const at = Math.min(given.created_at, clock.now());
    const added = await addEntry(db, change, account, at, { id, kind, version, lane, payload });
    await db.entries.update(added.id, carriedOver(given));
    const file = waitingRow(added);
    if (file !== null) await db.tm_attachments.add(file);
  }
  for (let at = 0; at < plan.photos.length; at += STEP)
    await db.photos.bulkAdd(plan.photos.slice(at, at + STEP));
  for (let at = 0; at < plan.drafts.length; at += STEP)
    await db.drafts.bulkAdd(plan.drafts.slice(at, at + STEP));
  await putRecords(deps, plan, account, before);
  await unstage(db);
};

/** Answers false where another window told the journal meanwhile: then all of it is here for good. */
const takeBack = (
  { db }: Deps,
  plan: ImportPlan,
  { added }: QueueChange,
  before: Before,
): Promise<boolean> =>
  db.transaction('rw', tables(db), async () => {
    const entries = await db.entries.bulkGet(added.map(({ entry }) => entry.id));
    if (added.length > 0 && entries.some((entry) => entry?.journaled !== 0)) return false;
    const undone: QueueChange = { added: [], dropped: [] };
    for (const { entry } of added) {
      await dropEntry(db, undone, entry);
      const file = waitingRow(entry);
      if (file !== null) await db.tm_attachments.delete(file.key);
    }
    const ids = new Set(added.map(({ entry }) => entry.id));
    await db.history
      .where('key')
      .anyOf([...new Set(added.map(({ entry }) => entry.lane))])
      .and(({ entry_id }) => ids.has(entry_id))
      .delete();
    await db.photos.bulkDelete(plan.photos.map(({ photo_id }) => photo_id));
    await db.drafts.bulkDelete(plan.drafts.map(({ id }) => id));
    for (const [key, row] of before)
      await (row === null ? db.near_misses.delete(key) : db.near_misses.put(row));
    await noteStaged(db, plan.files);
    return true;
  });

/** `ok` when database and journal have it. Else nothing of it is here, but for the files that were staged. */
export const commitImport = async (
  deps: Deps,
  plan: ImportPlan,
  account: string,
): Promise<Result<null>> => {
  const { db } = deps;
  const change = queueChange();
  const before: Before = new Map();
  const rows = new Map<string, NearMissRow>();
  await db.transaction('rw', tables(db), async () => {
    await write(deps, plan, account, change, before);
    for (const row of await db.near_misses.bulkGet([...plan.near_misses.keys()]))
      if (row) rows.set(row.key, row);
  });
  const told = await tellJournal(deps, change, (lane) => rows.get(lane) ?? null);
  if (told.ok || !(await takeBack(deps, plan, change, before))) return ok(null);
  return told;
};

/**
 * What a person decides where the server has gone on without this laptop: the same field changed by two people, a record
 * that went to the recycle bin, a record that is gone for good. Until then both sides are kept (outbox promise 5).
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxEntry, PhotoRow, SpotterDb } from '../data/db.ts';
import { orphanEdits, portableFields, reviveDraft } from '../data/drafts.ts';
import { applyWire, overlay, rowOf, type WireFields } from '../data/near-miss-rows.ts';
import { discardBytes } from '../data/discard-bytes.ts';
import { changeQueue } from './change.ts';
import { addEntry, dropEntry, replaceEntry, type QueueChange } from './enqueue.ts';
import { againOf, entryOf } from '../entries/entry.ts';
import { type FieldConflict, seenBase } from '../entries/near-miss.ts';
import { nearMiss } from '../entries/queued.ts';
import { neverDone } from './entry-life.ts';

export type { FieldConflict } from '../entries/near-miss.ts';

/** Every disputed edit of a record, oldest first: they are decided together, so that nobody is asked twice. */
const disputedIn = async (db: SpotterDb, lane: string) =>
  nearMiss.update
    .in(await db.entries.where('lane').equals(lane).sortBy('seq'))
    .filter(({ state, last_problem }) => state === 'parked' && last_problem?.kind === 'conflict');

/** liveQuery: the disputed fields of a record, each once: the newest of mine and of theirs, the oldest of before. */
export const conflictsOf = async (
  { db }: Pick<Deps, 'db'>,
  key: string,
): Promise<readonly FieldConflict[]> => {
  const fields = new Map<string, FieldConflict>();
  for (const entry of await disputedIn(db, key))
    for (const conflict of entry.checkpoint.conflicts ?? []) {
      const first = fields.get(conflict.name);
      fields.set(conflict.name, first ? { ...conflict, before: first.before } : conflict);
    }
  return [...fields.values()];
};

const tables = (db: SpotterDb) => [db.near_misses, db.photos, db.drafts, db.catalogs];

/** One transaction over a record, then the journal. `work` answers false where nothing could be decided. */
const decide = async (
  deps: Deps,
  key: string,
  work: (change: QueueChange, row: NearMissRow | undefined) => Promise<boolean>,
): Promise<Result<null>> => {
  const { db } = deps;
  const done = await changeQueue(deps, tables, async (change) => {
    const answer = await work(change, await db.near_misses.get(key));
    const row = await db.near_misses.get(key);
    if (row !== undefined) change.rows.set(key, row);
    return answer;
  });
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/** The row with what still waits on top, and with the values of the server that were chosen. */
const showAgain = async (
  { db, clock }: Deps,
  row: NearMissRow | undefined,
  chosen: WireFields,
): Promise<void> => {
  if (!row?.server) return;
  const lane = await db.entries.where('lane').equals(row.key).sortBy('seq');
  const catalog = (await db.catalogs.get([row.account, row.project_id]))?.catalog ?? null;
  const shown = overlay(row, row.server, lane, catalog, clock.tick());
  await db.near_misses.put(rowOf({ ...shown, fields: applyWire(shown.fields, chosen) }, catalog));
};

/** Keeps `mine` for the named fields, `theirs` for the other disputed ones, and queues what is left to send. */
export const resolveConflict = async (
  deps: Deps,
  key: string,
  mine: readonly string[],
): Promise<Result<null>> => {
  const conflicts = await conflictsOf(deps, key);
  return decide(deps, key, async (change, row) => {
    const { db, clock } = deps;
    const [first, ...others] = await disputedIn(db, key);
    if (first === undefined) return true;
    let changes: WireFields = {};
    let base: WireFields = {};
    for (const entry of [first, ...others]) {
      changes = { ...changes, ...entry.payload.changes };
      base = { ...seenBase(entry.payload, entry.checkpoint), ...base };
    }
    const theirs = Object.fromEntries(conflicts.map(({ name, theirs: value }) => [name, value]));
    const left = Object.fromEntries(
      Object.entries(changes).filter(([name]) => !(name in theirs) || mine.includes(name)),
    );
    for (const entry of others) await dropEntry(db, change, entry);
    if (Object.keys(left).length === 0) await dropEntry(db, change, first);
    else {
      const next = { ...first.payload, changes: left, base: { ...base, ...theirs } };
      await replaceEntry(db, change, first, nearMiss.update(next), clock.now());
    }
    const given = Object.entries(theirs).filter(([name]) => !mine.includes(name));
    await showAgain(deps, row, Object.fromEntries(given));
    return true;
  });
};

/** What was refused because the record is not there (404, 410). */
const goneIn = (lane: readonly OutboxEntry[]): readonly OutboxEntry[] =>
  lane.filter((entry) => entry.state === 'parked' && entry.last_problem?.kind === 'gone');

/** The record is in the recycle bin: takes it out, then sends what was refused meanwhile, in its order. */
export const restoreAndApply = (deps: Deps, key: string): Promise<Result<null>> =>
  decide(deps, key, async (change, row) => {
    const { db, clock } = deps;
    if (row === undefined) return false;
    const lane = await db.entries.where('lane').equals(key).sortBy('seq');
    const now = clock.now();
    const { project_id, server_id } = row;
    const back = nearMiss.restore({ key, project_id, server_id });
    await addEntry(db, change, row.account, now, back);
    for (const gone of goneIn(lane)) {
      const entry = entryOf(gone);
      if (entry === null) continue;
      await dropEntry(db, change, gone);
      await addEntry(db, change, row.account, now, againOf(entry));
    }
    await db.photos.where('near_miss_key').equals(key).modify({ problem: null });
    await db.near_misses.put({ ...row, removed_at: null, bin: 0 });
    return true;
  });

/**
 * The record is gone for good: its fields, with the changes that were refused, and every photo of it that is on this
 * laptop become a draft of the project in use. Answers the draft's id. `conflict`: something of it may be there yet.
 */
export const asNewReport = async (
  deps: Deps,
  key: string,
  scope: { readonly account: string; readonly company_id: number; readonly project_id: number },
): Promise<Result<string>> => {
  const { account, company_id, project_id } = scope;
  const id = ulid();
  const photos: string[] = [];
  const done = await decide(deps, key, async (change, row) => {
    const { db, clock } = deps;
    const lane = await db.entries.where('lane').equals(key).toArray();
    if (row === undefined || row.account !== account || !lane.every(neverDone)) return false;
    for (const entry of lane) await dropEntry(db, change, entry);
    const rows = await db.photos.where('near_miss_key').equals(key).toArray();
    photos.push(...rows.map(({ photo_id }) => photo_id));
    await db.photos.where('near_miss_key').equals(key).modify({
      near_miss_key: null,
      draft_id: id,
      state: 'draft',
      problem: null,
      upload_uuid: null,
      attachment_id: null,
      receipt: null,
    });
    await reviveDraft(
      { db, clock },
      {
        id,
        account,
        company_id,
        project_id,
        created_at: clock.now(),
        fields: portableFields(row, project_id),
      },
    );
    await orphanEdits(db, [row]);
    await db.near_misses.delete(key);
    return true;
  });
  if (!done.ok) return done;
  // The uploads they had belong to the record that is gone.
  for (const photo_id of photos) await deps.host.call('photos.restart', { photo_id });
  return ok(id);
};

/** Drops everything that waits for a record that is gone for good, with its photos. */
export const dropGone = async (deps: Deps, key: string): Promise<Result<null>> => {
  const photos: PhotoRow[] = [];
  const done = await decide(deps, key, async (change, row) => {
    const { db } = deps;
    const lane = await db.entries.where('lane').equals(key).toArray();
    if (!lane.every(neverDone)) return false;
    for (const entry of lane) await dropEntry(db, change, entry);
    photos.push(...(await db.photos.where('near_miss_key').equals(key).toArray()));
    await db.photos.bulkDelete(photos.map(({ photo_id }) => photo_id));
    if (row !== undefined) {
      await orphanEdits(db, [row]);
      await db.near_misses.delete(key);
    }
    return true;
  });
  if (!done.ok) return done;
  for (const photo of photos) await discardBytes(deps, photo);
  return done;
};

/**
 * Resolves what a person must decide when the server's copy changed meanwhile: a field changed by two people, a
 * recycled record, or one that is gone for good. Both sides are kept until then (outbox promise 5).
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxOperation, PhotoRow, SpotterDb } from '../../data/db/db.ts';
import { draftQueuedComments } from '../../data/comments/comment-drafts.ts';
import { portableFields, reviveDraft } from '../../data/near-misses/drafts.ts';
import { forgetNearMisses, tablesOfForgetting } from '../../data/near-misses/forget.ts';
import { applyWire, overlay, rowOf, type WireFields } from '../../data/model/near-miss-rows.ts';
import { discardBytes } from '../../data/photos/discard-bytes.ts';
import { changeQueue } from './change.ts';
import { addOperation, dropOperation, replaceOperation, type QueueChange } from './enqueue.ts';
import { requeued, operationOf } from '../../operations/operation.ts';
import { type FieldConflict, baseFieldsOf } from '../../operations/near-miss.ts';
import { nearMiss } from '../../operations/queued.ts';
import { provablyNotSent } from './operation-life.ts';

export type { FieldConflict } from '../../operations/near-miss.ts';

/** Every conflicting edit of a record, oldest first. They are decided together, so that nobody is asked twice. */
const disputedIn = async (db: SpotterDb, lane: string) =>
  nearMiss.update
    .in(await db.operations.where('lane').equals(lane).sortBy('seq'))
    .filter(({ state, last_problem }) => state === 'parked' && last_problem?.kind === 'conflict');

/**
 * liveQuery: the conflicting fields of a record, each once: the newest `mine` and `theirs`, and the oldest `before`.
 */
export const conflictsOf = async (
  { db }: Pick<Deps, 'db'>,
  key: string,
): Promise<readonly FieldConflict[]> => {
  const fields = new Map<string, FieldConflict>();
  for (const operation of await disputedIn(db, key))
    for (const conflict of operation.checkpoint.conflicts ?? []) {
      const first = fields.get(conflict.name);
      fields.set(conflict.name, first ? { ...conflict, before: first.before } : conflict);
    }
  return [...fields.values()];
};

const tables = (db: SpotterDb) => [...tablesOfForgetting(db), db.photos, db.catalogs];

/** Changes a record in one transaction, then updates the journal. `work` returns false if nothing could be decided. */
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

/** Rebuilds the row from the server's copy, the pending edits and the chosen server values. */
const showAgain = async (
  { db, clock }: Deps,
  row: NearMissRow | undefined,
  chosen: WireFields,
): Promise<void> => {
  if (!row?.server) return;
  const lane = await db.operations.where('lane').equals(row.key).sortBy('seq');
  const catalog = (await db.catalogs.get([row.account, row.project_id]))?.catalog ?? null;
  const shown = overlay(row, row.server, lane, catalog, clock.tick());
  await db.near_misses.put(rowOf({ ...shown, fields: applyWire(shown.fields, chosen) }, catalog));
};

/**
 * Keeps `mine` for the named fields and `theirs` for the other conflicting ones. Queues the changes that are left to
 * send.
 */
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
    for (const operation of [first, ...others]) {
      changes = { ...changes, ...operation.payload.changes };
      base = { ...baseFieldsOf(operation.payload, operation.checkpoint), ...base };
    }
    const theirs = Object.fromEntries(conflicts.map(({ name, theirs: value }) => [name, value]));
    const left = Object.fromEntries(
      Object.entries(changes).filter(([name]) => !(name in theirs) || mine.includes(name)),
    );
    for (const operation of others) await dropOperation(db, change, operation);
    if (Object.keys(left).length === 0) await dropOperation(db, change, first);
    else {
      const next = { ...first.payload, changes: left, base: { ...base, ...theirs } };
      await replaceOperation(db, change, first, nearMiss.update(next), clock.now());
    }
    const given = Object.entries(theirs).filter(([name]) => !mine.includes(name));
    await showAgain(deps, row, Object.fromEntries(given));
    return true;
  });
};

/** Operations that were refused because the record does not exist (404, 410). */
const goneIn = (lane: readonly OutboxOperation[]): readonly OutboxOperation[] =>
  lane.filter(
    (operation) => operation.state === 'parked' && operation.last_problem?.kind === 'gone',
  );

/** Restores a record from the recycle bin, then sends the operations that were refused meanwhile, in order. */
export const restoreAndApply = (deps: Deps, key: string): Promise<Result<null>> =>
  decide(deps, key, async (change, row) => {
    const { db, clock } = deps;
    if (row === undefined) return false;
    const lane = await db.operations.where('lane').equals(key).sortBy('seq');
    const now = clock.now();
    const { project_id, server_id } = row;
    const back = nearMiss.restore({ key, project_id, server_id });
    await addOperation(db, change, row.account, now, back);
    for (const gone of goneIn(lane)) {
      const operation = operationOf(gone);
      if (operation === null) continue;
      await dropOperation(db, change, gone);
      await addOperation(db, change, row.account, now, requeued(operation));
    }
    await db.photos.where('near_miss_key').equals(key).modify({ problem: null });
    await db.near_misses.put({ ...row, removed_at: null, bin: 0 });
    return true;
  });

/**
 * Turns a record that is gone for good into a draft of the current project, with its refused changes and its local
 * photos. Fails with `conflict` if the server may have executed one of its operations.
 * @returns the draft's id
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
    const lane = await db.operations.where('lane').equals(key).sortBy('seq');
    if (row === undefined || row.account !== account || !lane.every(provablyNotSent)) return false;
    await draftQueuedComments(db, lane, { key, to: id });
    for (const operation of lane) await dropOperation(db, change, operation);
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
    await forgetNearMisses(db, [row]);
    return true;
  });
  if (!done.ok) return done;
  // The previous uploads belong to the record that is gone.
  for (const photo_id of photos) await deps.host.call('photos.restart', { photo_id });
  return ok(id);
};

/** Drops every queued operation of a record that is gone for good, with its photos. */
export const dropGone = async (deps: Deps, key: string): Promise<Result<null>> => {
  const photos: PhotoRow[] = [];
  const done = await decide(deps, key, async (change, row) => {
    const { db } = deps;
    const lane = await db.operations.where('lane').equals(key).toArray();
    if (!lane.every(provablyNotSent)) return false;
    for (const operation of lane) await dropOperation(db, change, operation);
    photos.push(...(await db.photos.where('near_miss_key').equals(key).toArray()));
    await db.photos.bulkDelete(photos.map(({ photo_id }) => photo_id));
    if (row !== undefined) await forgetNearMisses(db, [row]);
    return true;
  });
  if (!done.ok) return done;
  for (const photo of photos) await discardBytes(deps, photo);
  return done;
};

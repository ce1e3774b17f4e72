/**
 * Everything a person does to a near miss. Each change is ONE Dexie transaction over the record and its outbox
 * operations, then the host's journal, then the result. `ok` means "saved on this laptop" and nothing less.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import {
  addOperation,
  dropOperation,
  queueChange,
  type QueueChange,
  queueTables,
  replaceOperation,
  journalChange,
} from '../../outbox/queue/enqueue.ts';
import { makesNearMiss } from '../../operations/operation.ts';
import { baseFieldsOf } from '../../operations/near-miss.ts';
import { nearMiss, photo as queuedPhoto } from '../../operations/queued.ts';
import { provablyNotSent, type OutboxOperation } from '../../outbox/queue/operation-life.ts';
import { endDraft, photosOfDraft, reviveDraft } from './drafts.ts';
import type {
  Deps,
  DraftRow,
  NearMissFields,
  NearMissRow,
  PhotoRow,
  BaseFields,
  SpotterDb,
} from '../db/db.ts';
import { openedIncidents, resolveIncident, withOpened } from './incidents.ts';
import { carriedPhotoOf } from '../model/photo-rows.ts';
import { binRow, toggleDeleted, recordTables } from './recycle.ts';
import { discardBytes } from '../photos/discard-bytes.ts';
import {
  changedWire,
  createBody,
  fieldsOfServer,
  rowOf,
  sameField,
  wholeWire,
  wireOf,
  type WireFields,
} from '../model/near-miss-rows.ts';
import { storageProblem } from '../db/storage-problem.ts';

export interface SaveInput extends Pick<DraftRow, 'id' | 'account' | 'company_id' | 'project_id'> {
  readonly fields: NearMissFields;
}

const catalogOf = async (db: SpotterDb, account: string, project_id: number) =>
  withOpened(
    (await db.catalogs.get([account, project_id]))?.catalog ?? null,
    await openedIncidents(db, { account, project_id }),
  );

const saveTables = (deps: Deps) => [...queueTables(deps), ...recordTables(deps.db)];

/** Queue operation for a photo. Its second idempotency key is generated here, so that every attempt uses the same one. */
const photoOperation = (row: NearMissRow, photo: PhotoRow) =>
  queuedPhoto.send({
    key: row.key,
    company_id: row.company_id,
    project_id: row.project_id,
    associate_key: ulid(),
    photo: carriedPhotoOf(photo),
  });

const saving = new Map<string, Promise<Result<{ readonly key: string }>>>();

/**
 * Saves a draft as a near miss with all its photos. `ok` only when database and journal have it on disk. Problems:
 * `no_space` (nothing was saved, the draft is unchanged), `offline` and `bug` of the host. Two calls with one draft
 * save it once. If a saved draft was written again, or differs in another window, it becomes another near miss.
 */
export const saveNearMiss = (
  deps: Deps,
  input: SaveInput,
): Promise<Result<{ readonly key: string }>> => {
  // A second tap shares the running save, so that it does not report "saved" before the journal has it.
  const running = saving.get(input.id) ?? save(deps, input).finally(() => saving.delete(input.id));
  saving.set(input.id, running);
  return running;
};

/** True if the saved near miss differs from this draft and was not edited since: two windows continued the same draft. */
const saysOther = (made: NearMissRow, fields: NearMissFields): boolean => {
  const there = wholeWire(made.fields);
  const differs = ([name, value]: [string, unknown]): boolean =>
    name !== 'incident_id' && !sameField(name, there[name], value);
  return made.updated_at === made.created_at && Object.entries(wireOf(fields)).some(differs);
};

const save = async (deps: Deps, input: SaveInput): Promise<Result<{ readonly key: string }>> => {
  const { db, clock } = deps;
  const now = clock.now();
  const change = queueChange(deps);
  let row: NearMissRow;
  let draft: DraftRow | undefined;
  let another = false;
  try {
    const catalog = await catalogOf(db, input.account, input.project_id);
    const { id: key, account, company_id, project_id } = input;
    const fields = {
      ...input.fields,
      incident_id: await resolveIncident(db, input.fields.incident_id),
    };
    row = rowOf(
      {
        key,
        account,
        company_id,
        project_id,
        fields,
        server_id: null,
        server: null,
        removed_at: null,
        created_at: now,
        updated_at: now,
        seen_at: clock.tick(),
      },
      catalog,
    );
    const fresh = await db.transaction('rw', saveTables(deps), async () => {
      draft = await db.drafts.get(key);
      const made = await db.near_misses.get(key);
      another = draft !== undefined || (made !== undefined && saysOther(made, fields));
      if (made !== undefined) return false;
      await db.near_misses.add(row);
      const create = nearMiss.create({ key, company_id, project_id, body: createBody(fields) });
      await addOperation(db, change, account, now, create);
      for (const photo of await photosOfDraft(deps, key)) {
        await addOperation(db, change, account, now, photoOperation(row, photo));
        await db.photos.put({ ...photo, draft_id: null, near_miss_key: key, state: 'waiting' });
      }
      await endDraft(db, key);
      change.rows.set(key, row);
      return true;
    });
    if (!fresh && !another) return ok({ key });
    if (!fresh) return await save(deps, { ...input, id: await renewDraft(deps, key) });
  } catch (error) {
    return fail(storageProblem(error));
  }
  const appended = await journalChange(deps, change);
  if (appended.ok) return ok({ key: row.key });
  const undone = await unsave(
    deps,
    row,
    draft ?? { ...input, created_at: now, updated_at: now },
    change.added,
  );
  return undone ? appended : ok({ key: row.key });
};

/**
 * Gives the draft and its photos a new id. The draft was written again after its save, for instance in another
 * window, so its content is another report.
 */
const renewDraft = ({ db, clock }: Deps, id: string): Promise<string> =>
  db.transaction('rw', db.drafts, db.photos, db.tombstones, async () => {
    const renewed = ulid();
    const draft = await db.drafts.get(id);
    if (draft) await reviveDraft({ db, clock }, { ...draft, id: renewed });
    await endDraft(db, id);
    await db.photos.where('draft_id').equals(id).modify({ draft_id: renewed });
    return renewed;
  });

/**
 * Restores the draft after the journal refused the save, so that "not saved" is true. Returns false if the engine
 * repaired the journal meanwhile: then the near miss is saved.
 */
const unsave = async (
  deps: Deps,
  row: NearMissRow,
  draft: DraftRow,
  added: readonly { readonly operation: OutboxOperation }[],
): Promise<boolean> => {
  const { db, host, clock, history } = deps;
  const operation_ids = added.map(({ operation }) => operation.id);
  const undone = await db.transaction('rw', saveTables(deps), async () => {
    const operations = await db.operations.bulkGet(operation_ids);
    if (operations.some((operation) => operation === undefined || operation.journaled === 1))
      return false;
    await db.operations.bulkDelete(operation_ids);
    // The journal may have the operations if only its response was lost. The tombstones settle them at the next start.
    await db.tombstones.bulkPut(operation_ids.map((operation_id) => ({ operation_id, links: [] })));
    await db.near_misses.delete(row.key);
    await history.forget(db, row.key);
    await db.photos
      .where('near_miss_key')
      .equals(row.key)
      .modify({ near_miss_key: null, draft_id: row.key, state: 'draft' });
    const { id, account, company_id, project_id, created_at } = draft;
    await reviveDraft(
      { db, clock },
      { id, account, company_id, project_id, created_at, fields: row.fields },
    );
    return true;
  });
  if (!undone) return false;
  const settled = await host.call('journal.settle', {
    operation_ids: operation_ids.slice(0, 200),
    links: [],
  });
  if (settled.ok) await db.tombstones.bulkDelete(operation_ids.slice(0, 200));
  return true;
};

type Change<T> = (row: NearMissRow, lane: OutboxOperation[]) => Promise<T>;

/** Changes a record and its lane in one transaction, then writes the journal. `gone`: no such record. */
export const changeRecord = async <T>(
  deps: Deps,
  key: string,
  work: (change: QueueChange) => Change<T>,
): Promise<Result<T>> => {
  const { db } = deps;
  const done = await changeQueue(deps, recordTables, async (change) => {
    const before = await db.near_misses.get(key);
    if (before === undefined) return null;
    const lane = await db.operations.where('lane').equals(key).sortBy('seq');
    const answer = await work(change)(before, lane);
    const after = await db.near_misses.get(key);
    if (after !== undefined) change.rows.set(key, after);
    return { answer };
  });
  if (!done.ok) return done;
  return done.value === null
    ? fail({ kind: 'gone', status: 404, messages: [] })
    : ok(done.value.answer);
};

/** The base values of `changes` in a record as it was on the screen, for a three-way merge. */
export const baseFieldsFor = (
  { fields, server }: Pick<NearMissRow, 'fields' | 'server'>,
  changes: Partial<NearMissFields>,
): BaseFields => {
  const shown = wholeWire(fields);
  const from_server = server === null ? null : wireOf(fieldsOfServer(server));
  return Object.fromEntries(
    Object.keys(wireOf(changes)).map((name) => [
      name,
      {
        shown: shown[name] ?? null,
        ...(from_server === null ? {} : { server: from_server[name] ?? null }),
      },
    ]),
  );
};

/**
 * The base of a three-way merge: the values the user saw when the edit began, pending edits included. A field that
 * this laptop changed meanwhile and has not sent, or has cancelled, uses the row's current value, because its user
 * knows that change.
 */
const baseOf = (
  row: NearMissRow,
  changes: WireFields,
  lane: readonly OutboxOperation[],
  baseFields: BaseFields,
): WireFields => {
  const now = wholeWire(row.fields);
  const own = (name: string): boolean =>
    nearMiss.update.in(lane).some(({ payload }) => name in payload.changes);
  const base = (name: string): unknown => {
    const field = baseFields[name];
    if (field === undefined || own(name)) return now[name] ?? null;
    const as_on_server = field.server !== undefined && sameField(name, now[name], field.server);
    return (as_on_server ? now[name] : field.shown) ?? null;
  };
  return Object.fromEntries(Object.keys(changes).map((name) => [name, base(name)]));
};

/**
 * Edits fields of a near miss, also offline. A create that was never sent takes the change in; otherwise an update is
 * queued. A parked update that was refused is replaced by the corrected one and sent again.
 * @param baseFields omit it when the edit began just now. A refresh may have changed the record since; another person's
 * change then becomes a conflict and is never overwritten unseen
 */
export const editNearMiss = (
  deps: Deps,
  key: string,
  changes: Partial<NearMissFields>,
  baseFields: BaseFields = {},
): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row, lane) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [create] = nearMiss.create.in(lane);
    const open = create !== undefined && provablyNotSent(create);
    const wire = { ...changedWire(row.fields, changes) };
    if (!open) delete wire['incident_id']; // decisions §3.4: fixed once created
    const parked = nearMiss.update.in(lane).findLast(provablyNotSent);
    if (Object.keys(wire).length === 0 && !(open && create.state === 'parked')) return null;
    const catalog = await catalogOf(db, row.account, row.project_id);
    const fields: NearMissFields = {
      ...row.fields,
      ...changes,
      incident_id: await resolveIncident(
        db,
        open ? (changes.incident_id ?? row.incident_id) : row.incident_id,
      ),
      custom_fields: { ...row.fields.custom_fields, ...changes.custom_fields },
    };
    await db.near_misses.put(rowOf({ ...row, fields, updated_at: now }, catalog));
    if (open) {
      const next = nearMiss.create({ ...create.payload, body: createBody(fields) });
      await replaceOperation(db, change, create, next, now);
    } else if (parked !== undefined) {
      const { payload, checkpoint } = parked;
      const base = { ...baseOf(row, wire, lane, baseFields), ...baseFieldsOf(payload, checkpoint) };
      const changed = { ...payload, changes: { ...payload.changes, ...wire }, base };
      await replaceOperation(db, change, parked, nearMiss.update(changed), now);
    } else {
      const made = nearMiss.update({
        key,
        project_id: row.project_id,
        server_id: row.server_id,
        changes: wire,
        base: baseOf(row, wire, lane, baseFields),
      });
      await addOperation(db, change, row.account, now, made);
    }
    return null;
  });

/** Adds all photos of the draft `draft_id` (any ULID given to the intake) to a saved near miss. */
export const addPhotos = (deps: Deps, key: string, draft_id: string): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row) => {
    const { db } = deps;
    const now = deps.clock.now();
    for (const photo of await photosOfDraft(deps, draft_id)) {
      await addOperation(db, change, row.account, now, photoOperation(row, photo));
      await db.photos.put({ ...photo, draft_id: null, near_miss_key: key, state: 'waiting' });
    }
    return null;
  });

/**
 * Sends a near miss to the recycle bin. `cancelled`: the server never had it, so the queue drops it and its photos
 * (failures A26: never both). `queued`: the deletion is sent later, but the record shows in the bin at once.
 */
export const deleteNearMiss = async (
  deps: Deps,
  key: string,
): Promise<Result<'cancelled' | 'queued'>> => {
  const { db } = deps;
  const photos: PhotoRow[] = [];
  const done = await changeRecord(deps, key, (change) => async (row, lane) => {
    const now = deps.clock.now();
    const create = lane.find(makesNearMiss);
    if (create !== undefined && provablyNotSent(create)) {
      for (const operation of lane) await dropOperation(db, change, operation);
      photos.push(...(await db.photos.where('near_miss_key').equals(key).toArray()));
      await db.photos.bulkDelete(photos.map((photo) => photo.photo_id));
      await db.near_misses.delete(key);
      await deps.history.forget(db, key);
      return 'cancelled' as const;
    }
    await db.near_misses.put(binRow(row, 'recycle', now));
    await toggleDeleted(deps, change, row, lane, 'recycle');
    return 'queued' as const;
  });
  if (done.ok) for (const photo of photos) await discardBytes(deps, photo);
  return done;
};

/**
 * Restores a near miss from the recycle bin, also offline. Does nothing if it is not in the bin, because a later
 * delete would cancel the restore.
 */
export const restoreNearMiss = (deps: Deps, key: string): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row, lane) => {
    if (row.removed_at === null) return null;
    await deps.db.near_misses.put(binRow(row, 'restore', deps.clock.now()));
    await toggleDeleted(deps, change, row, lane, 'restore');
    return null;
  });

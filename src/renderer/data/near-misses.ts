/**
 * Everything a person does to a near miss: each is ONE Dexie transaction with record and outbox entries
 * together, then the host's journal, then the answer. `ok` means "saved on this laptop" and nothing less.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { changeQueue } from '../outbox/change.ts';
import {
  addEntry,
  dropEntry,
  queueChange,
  type QueueChange,
  queueTables,
  replaceEntry,
  tellJournal,
} from '../outbox/enqueue.ts';
import { makesNearMiss } from '../entries/entry.ts';
import { seenBase } from '../entries/near-miss.ts';
import { nearMiss, photo as queuedPhoto } from '../entries/queued.ts';
import { neverDone, type OutboxEntry } from '../outbox/entry-life.ts';
import { endDraft, photosOfDraft, reviveDraft } from './drafts.ts';
import type {
  Deps,
  DraftRow,
  NearMissFields,
  NearMissRow,
  PhotoRow,
  SeenFields,
  SpotterDb,
} from './db.ts';
import { openedIncidents, resolveIncident, withOpened } from './incidents.ts';
import { carriedPhotoOf } from './photo-rows.ts';
import { binRow, flipBin, recordTables } from './recycle.ts';
import { discardBytes } from './discard-bytes.ts';
import {
  changedWire,
  createBody,
  fieldsOfServer,
  rowOf,
  sameField,
  wireOf,
  type WireFields,
} from './near-miss-rows.ts';
import { storageProblem } from './storage-problem.ts';

export interface SaveInput extends Pick<DraftRow, 'id' | 'account' | 'company_id' | 'project_id'> {
  readonly fields: NearMissFields;
}

const catalogOf = async (db: SpotterDb, account: string, project_id: number) =>
  withOpened(
    (await db.catalogs.get([account, project_id]))?.catalog ?? null,
    await openedIncidents(db, { account, project_id }),
  );

const saveTables = (deps: Deps) => [...queueTables(deps), ...recordTables(deps.db)];

/** A photo's place on the queue. Its second idempotency key is made here, so that every try has the same. */
const photoEntry = (row: NearMissRow, photo: PhotoRow) =>
  queuedPhoto.send({
    key: row.key,
    company_id: row.company_id,
    project_id: row.project_id,
    associate_key: ulid(),
    photo: carriedPhotoOf(photo),
  });

const saving = new Map<string, Promise<Result<{ readonly key: string }>>>();

/**
 * Saves a draft as a near miss with every photo that belongs to it. `ok` only when database and journal have it on
 * disk. Problems: `no_space` (nothing was saved, the draft is as it was), `offline` and `bug` of the host. Called
 * twice with one draft it saves once; what a draft has that was saved and is written again, or differs in another window, is another
 * near miss.
 */
export const saveNearMiss = (
  deps: Deps,
  input: SaveInput,
): Promise<Result<{ readonly key: string }>> => {
  // The second tap hears what the first one hears: not "saved" before the journal has it.
  const running = saving.get(input.id) ?? save(deps, input).finally(() => saving.delete(input.id));
  saving.set(input.id, running);
  return running;
};

/** Does the near miss that a draft became say something else, untouched since? Then the draft was gone on with in two windows. */
const saysOther = (made: NearMissRow, fields: NearMissFields): boolean => {
  const there = wireOf(made.fields);
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
      await addEntry(db, change, account, now, create);
      for (const photo of await photosOfDraft(deps, key)) {
        await addEntry(db, change, account, now, photoEntry(row, photo));
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
  const told = await tellJournal(deps, change);
  if (told.ok) return ok({ key: row.key });
  const undone = await unsave(
    deps,
    row,
    draft ?? { ...input, created_at: now, updated_at: now },
    change.added,
  );
  return undone ? told : ok({ key: row.key });
};

/**
 * The draft was written again after it was saved, in another window for instance: what it has now is another report. Gives
 * it and its photos an id of their own.
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
 * The journal said no: the draft is put back as it was, so that "not saved" is the whole truth. False where the engine
 * repaired the journal meanwhile: then it is saved.
 */
const unsave = async (
  deps: Deps,
  row: NearMissRow,
  draft: DraftRow,
  added: readonly { readonly entry: OutboxEntry }[],
): Promise<boolean> => {
  const { db, host, clock, history } = deps;
  const entry_ids = added.map(({ entry }) => entry.id);
  const undone = await db.transaction('rw', saveTables(deps), async () => {
    const entries = await db.entries.bulkGet(entry_ids);
    if (entries.some((entry) => entry === undefined || entry.journaled === 1)) return false;
    await db.entries.bulkDelete(entry_ids);
    // If the answer was lost on its way, the journal may have them all the same: settled again at the next start.
    await db.tombstones.bulkPut(entry_ids.map((entry_id) => ({ entry_id, links: [] })));
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
    entry_ids: entry_ids.slice(0, 200),
    links: [],
  });
  if (settled.ok) await db.tombstones.bulkDelete(entry_ids.slice(0, 200));
  return true;
};

type Change<T> = (row: NearMissRow, lane: OutboxEntry[]) => Promise<T>;

/** One transaction over a record and its lane, then the journal. `gone`: there is no such record. */
export const changeRecord = async <T>(
  deps: Deps,
  key: string,
  work: (change: QueueChange) => Change<T>,
): Promise<Result<T>> => {
  const { db } = deps;
  const done = await changeQueue(deps, recordTables, async (change) => {
    const before = await db.near_misses.get(key);
    if (before === undefined) return null;
    const lane = await db.entries.where('lane').equals(key).sortBy('seq');
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

/** What the user of a record that stood on the screen like this saw in the fields of `changes`. */
export const seenIn = (
  { fields, server }: Pick<NearMissRow, 'fields' | 'server'>,
  changes: Partial<NearMissFields>,
): SeenFields => {
  const stood = wireOf(fields);
  const told = server === null ? null : wireOf(fieldsOfServer(server));
  return Object.fromEntries(
    Object.keys(wireOf(changes)).map((name) => [
      name,
      { stood: stood[name] ?? null, ...(told === null ? {} : { told: told[name] ?? null }) },
    ]),
  );
};

/**
 * What the user saw in the fields of `changes` when the edit began, other waiting edits included. What this laptop itself changed
 * meanwhile and has not sent, or took back, is no news to its user: of that the row as it is now counts.
 */
const baseOf = (
  row: NearMissRow,
  changes: WireFields,
  lane: readonly OutboxEntry[],
  seen: SeenFields,
): WireFields => {
  const now = wireOf(row.fields);
  const own = (name: string): boolean =>
    nearMiss.update.in(lane).some(({ payload }) => name in payload.changes);
  const base = (name: string): unknown => {
    const field = seen[name];
    if (field === undefined || own(name)) return now[name] ?? null;
    const as_told = field.told !== undefined && sameField(name, now[name], field.told);
    return (as_told ? now[name] : field.stood) ?? null;
  };
  return Object.fromEntries(Object.keys(changes).map((name) => [name, base(name)]));
};

/**
 * Changes fields of a near miss, offline too. Not sent yet: the change goes into what waits. Being sent or sent: a
 * follow-up update. A parked entry that was refused is replaced by the corrected one and is sent again.
 * @param seen left out: the edit began just now. A refresh may have changed the record since: what somebody else wrote then is
 * asked about like any other conflict, and never overwritten unseen
 */
export const editNearMiss = (
  deps: Deps,
  key: string,
  changes: Partial<NearMissFields>,
  seen: SeenFields = {},
): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row, lane) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [create] = nearMiss.create.in(lane);
    const open = create !== undefined && neverDone(create);
    const wire = { ...changedWire(row.fields, changes) };
    if (!open) delete wire['incident_id']; // decisions §3.4: fixed once created
    const parked = nearMiss.update.in(lane).findLast(neverDone);
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
      await replaceEntry(db, change, create, next, now);
    } else if (parked !== undefined) {
      const { payload, checkpoint } = parked;
      const base = { ...baseOf(row, wire, lane, seen), ...seenBase(payload, checkpoint) };
      const changed = { ...payload, changes: { ...payload.changes, ...wire }, base };
      await replaceEntry(db, change, parked, nearMiss.update(changed), now);
    } else {
      const made = nearMiss.update({
        key,
        project_id: row.project_id,
        server_id: row.server_id,
        changes: wire,
        base: baseOf(row, wire, lane, seen),
      });
      await addEntry(db, change, row.account, now, made);
    }
    return null;
  });

/** Adds every photo of the draft `draft_id` (any ULID the intake was given) to a near miss that is saved already. */
export const addPhotos = (deps: Deps, key: string, draft_id: string): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row) => {
    const { db } = deps;
    const now = deps.clock.now();
    for (const photo of await photosOfDraft(deps, draft_id)) {
      await addEntry(db, change, row.account, now, photoEntry(row, photo));
      await db.photos.put({ ...photo, draft_id: null, near_miss_key: key, state: 'waiting' });
    }
    return null;
  });

/**
 * Sends a near miss to the recycle bin. `cancelled`: the server never had it, so it and its photos are gone from the
 * queue too (failures A26: never both). `queued`: it goes when the queue moves; it shows in the bin at once.
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
    if (create !== undefined && neverDone(create)) {
      for (const entry of lane) await dropEntry(db, change, entry);
      photos.push(...(await db.photos.where('near_miss_key').equals(key).toArray()));
      await db.photos.bulkDelete(photos.map((photo) => photo.photo_id));
      await db.near_misses.delete(key);
      await deps.history.forget(db, key);
      return 'cancelled' as const;
    }
    await db.near_misses.put(binRow(row, 'recycle', now));
    await flipBin(deps, change, row, lane, 'recycle');
    return 'queued' as const;
  });
  if (done.ok) for (const photo of photos) await discardBytes(deps, photo);
  return done;
};

/** Takes a near miss out of the recycle bin, offline too. One that is not in it stays: a delete would cancel that restore. */
export const restoreNearMiss = (deps: Deps, key: string): Promise<Result<null>> =>
  changeRecord(deps, key, (change) => async (row, lane) => {
    if (row.removed_at === null) return null;
    await deps.db.near_misses.put(binRow(row, 'restore', deps.clock.now()));
    await flipBin(deps, change, row, lane, 'restore');
    return null;
  });

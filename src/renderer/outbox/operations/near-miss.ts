/**
 * How near misses are sent. `near_miss.create`: a record made on this laptop becomes one on the server, once (decisions §1.5).
 * `near_miss.update`: only the changed fields; someone else's change to the same field is never overwritten unseen: the
 * server's copy is compared with what the user saw, and `If-Match` closes the gap between (decisions §1.7).
 * `near_miss.delete` and `near_miss.restore`: to the recycle bin and out of it; there already is what was wanted.
 */
import { ulid } from 'ulid';
import { fail, notCarriedOut, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { incidentLink, isOpenedHere } from '../../data/incident-ids.ts';
import {
  applyWire,
  emptyFields,
  fieldsOfServer,
  rowOf,
  sameField,
  wireOf,
  type WireFields,
} from '../../data/near-miss-rows.ts';
import {
  type CreateNotes,
  type NearMissToChange,
  type NearMissToMake,
  type Recycling,
  seenBase,
  type UpdateNotes,
} from '../../entries/near-miss.ts';
import { likenessOf, lookForRecord, notesOf } from './look-for-record.ts';
import { laneOf, noRows, type Operation, putServerCopy, type SendContext } from './operation.ts';
import { askKeepsKeys, keepsKeys } from './plain-server.ts';
import { behind, rebaseLaterEdits } from './rebase-later-edits.ts';
import { removal } from './removal.ts';

type Creating = SendContext<CreateNotes>;

interface Outcome {
  readonly server: NearMiss;
  readonly etag: string | null;
}

/** Tries of reports that are alike, one after the other: a look must not meet the record of one that is on its way. */
const queues = new Map<string, Promise<unknown>>();
const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  queues.set(name, turn);
  const done = () => void (queues.get(name) === turn && queues.delete(name));
  turn.then(done, done);
  return turn;
};

const post = async ({ project_id, body }: NearMissToMake, { host, entry }: Creating) => {
  const answer = await host.request('near_misses.create', {
    params: { project_id },
    body: { near_miss: body },
    idempotency_key: entry.id,
  });
  return answer.ok ? ok({ server: answer.value.data, etag: answer.value.etag }) : answer;
};

/** The record that this report is known to be: answered before a crash, or picked by the user. */
const show = async (
  { project_id }: NearMissToMake,
  id: number,
  { host, checkpoint }: Creating,
): Promise<Result<Outcome>> => {
  for (const name of ['near_misses.show', 'recycled_near_misses.show'] as const) {
    const shown = await host.request(name, { params: { project_id, id } });
    if (shown.ok) return ok({ server: shown.value.data, etag: shown.value.etag });
    if (shown.problem.kind !== 'gone') return shown;
  }
  await checkpoint({ server_id: null });
  return fail({ kind: 'gone', status: 404, messages: [] });
};

/**
 * Without idempotency keys: noted before it leaves, so that a try whose answer is lost is known as one after any crash; then
 * looked for before it is sent again.
 */
const sendUnkeyed = async (
  payload: NearMissToMake,
  context: Creating,
): Promise<Result<Outcome>> => {
  const { entry, clock, checkpoint } = context;
  const { server_id, sent, restored, as_new } = notesOf(entry);
  if (server_id !== null) return show(payload, server_id, context);
  if ((sent !== null || restored) && !as_new) {
    const keeps = await askKeepsKeys(context, payload.project_id);
    if (!keeps.ok) return keeps;
    const found = keeps.value ? ok(null) : await lookForRecord(payload, context);
    if (!found.ok) return found;
    if (found.value !== null) {
      await checkpoint({ server_id: found.value.id });
      return ok({ server: found.value, etag: null });
    }
  }
  const now = clock.now();
  await checkpoint({ sent_from: sent?.from ?? now, sent_to: now, as_new: false });
  const answer = await post(payload, context);
  if (answer.ok) await checkpoint({ server_id: answer.value.server.id });
  else if (notCarriedOut(answer.problem))
    await checkpoint({ sent_from: sent?.from ?? null, sent_to: sent?.to ?? null, as_new });
  return answer;
};

export const nearMissCreateOperation: Operation<'near_miss.create', Outcome> = {
  rows({ account, lane, created_at, payload: { company_id, project_id, body } }) {
    const input = {
      key: lane,
      account,
      company_id,
      project_id,
      server_id: null,
      fields: applyWire({ ...emptyFields, incident_id: 0 }, body),
      server: null,
      created_at,
      updated_at: created_at,
      removed_at: null,
      seen_at: 0,
    };
    return [{ table: 'near_misses', key: lane, row: rowOf(input, null) }];
  },

  // Under an incident that was opened on this laptop the body holds its number here, and the server's is sent. Such an entry is not
  // claimed before its incident is delivered; without one it is parked, for the user to choose another.
  async send({ body, ...place }, context) {
    const { incident_id: given } = body;
    const incident_id = isOpenedHere(given)
      ? await context.serverId(incidentLink(given), null)
      : given;
    if (incident_id === null)
      return fail({ kind: 'bad_input', messages: [], fields: { incident_id: [] } });
    const payload = { ...place, body: { ...body, incident_id } };
    if ((await keepsKeys(context, payload.project_id)) === true) return post(payload, context);
    const likeness = likenessOf(context.entry.account, payload);
    return inTurn(likeness, () => sendUnkeyed(payload, context));
  },

  async settle(payload, outcome, { db, entry, seen_at }) {
    const { account } = entry;
    const { server } = outcome;
    // A refresh may have met the record on the server before this answer came: one row stays, the one made here.
    const same = db.near_misses.where('[account+server_id]').equals([account, server.id]);
    const [known, lane] = await Promise.all([same.primaryKeys(), laneOf(db, payload.key)]);
    const doubles = known.filter((key) => key !== payload.key);
    if (doubles.length > 0) await db.near_misses.bulkDelete(doubles);
    await putServerCopy(db, { ...payload, account }, server, seen_at, lane);
    const later = behind(lane, entry);
    if (later.length > 0) await rebaseLaterEdits(db, later, outcome, () => true);
    return [{ local_id: payload.key, server_id: server.id }];
  },
};

const TRIES = 3;

/**
 * The record as the server has it when no disputed field differs, else a conflict with both values kept in the checkpoint.
 * `done`: every field is as the user wants it.
 */
const compare = async (
  { project_id, changes }: NearMissToChange,
  base: WireFields,
  id: number,
  { host, checkpoint }: SendContext<UpdateNotes>,
): Promise<Result<Outcome & { readonly done: boolean }>> => {
  const shown = await host.request('near_misses.show', { params: { project_id, id } });
  if (!shown.ok) return shown;
  const theirs = wireOf(fieldsOfServer(shown.value.data));
  const conflicts = Object.entries(changes)
    .filter(
      ([name, mine]) =>
        name in base &&
        !sameField(name, theirs[name], base[name]) &&
        !sameField(name, theirs[name], mine),
    )
    .map(([name, mine]) => ({
      name,
      mine,
      theirs: theirs[name] ?? null,
      before: base[name] ?? null,
    }));
  await checkpoint({ conflicts, etag: shown.value.etag });
  if (conflicts.length > 0) return fail({ kind: 'conflict', status: 412, messages: [] });
  const { data: server, etag } = shown.value;
  const done = Object.entries(changes).every(([name, mine]) => sameField(name, theirs[name], mine));
  return ok({ server, etag, done });
};

export const nearMissUpdateOperation: Operation<'near_miss.update', Outcome> = {
  rows: noRows,

  async send(payload, context) {
    const { host, entry } = context;
    const id = await context.serverId(payload.key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id: payload.project_id, id };
    const gone = async (problem: Problem): Promise<Result<never>> => {
      if (problem.kind === 'gone') await noteRecycled(params, context);
      return fail(problem);
    };
    const base = seenBase(payload, entry.checkpoint);
    const checked = base !== null && Object.keys(base).length > 0;
    let key = entry.checkpoint.key ?? entry.id;
    // A try whose answer was lost is repeated with the etag it had: the server replays what it did.
    let etag = entry.checkpoint.etag ?? null;
    for (let tries = 1; ; tries += 1) {
      if (checked && etag === null) {
        const compared = await compare(payload, base, id, context);
        if (!compared.ok) return gone(compared.problem);
        // Tried before, under a key that was lost with the database perhaps: a second time would be a second change.
        if (compared.value.done && entry.attempts > 0) return ok(compared.value);
        etag = compared.value.etag;
      }
      const answer = await host.request('near_misses.update', {
        params,
        body: { near_miss: payload.changes },
        idempotency_key: key,
        ...(etag === null ? {} : { if_match: etag }),
      });
      if (answer.ok) return ok({ server: answer.value.data, etag: answer.value.etag });
      if (answer.problem.kind !== 'conflict' || !checked || tries >= TRIES)
        return gone(answer.problem);
      // Changed between the look and the write. It was not executed, and the refusal may be kept under its key.
      key = ulid();
      etag = null;
      await context.checkpoint({ key, etag });
    }
  },

  async settle(payload, outcome, { db, entry, seen_at }) {
    const { server } = outcome;
    const [row, lane] = await Promise.all([
      db.near_misses.get(payload.key),
      laneOf(db, payload.key),
    ]);
    if (row !== undefined) await putServerCopy(db, row, server, seen_at, lane);
    const later = behind(lane, entry);
    if (later.length > 0)
      await rebaseLaterEdits(db, later, outcome, (name) => name in payload.changes);
    return entry.account === row?.account ? [{ local_id: payload.key, server_id: server.id }] : [];
  },
};

/** Where the record is on the server. `gone`: it never got there. */
const placeOf = async (
  { key, project_id, server_id }: Recycling,
  { serverId }: Pick<SendContext, 'serverId'>,
): Promise<Result<{ readonly project_id: number; readonly id: number }>> => {
  const id = await serverId(key, server_id);
  return id === null ? fail({ kind: 'gone', status: 404, messages: [] }) : ok({ project_id, id });
};

/**
 * After a 404: is it in the recycle bin, so that it can be taken out again, or gone for good? Noted for the waiting
 * screen; where the server cannot be asked it stays open.
 */
const noteRecycled = async (
  params: { readonly project_id: number; readonly id: number },
  { host, checkpoint }: Pick<SendContext<UpdateNotes>, 'host' | 'checkpoint'>,
): Promise<void> => {
  const found = await host.request('recycled_near_misses.show', { params });
  if (found.ok || found.problem.kind === 'gone') await checkpoint({ recycled: found.ok });
};

export const nearMissDeleteOperation: Operation<'near_miss.delete', number | null> = {
  rows: noRows,

  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const { host, entry } = context;
    return removal(place.value.id, () =>
      host.request('near_misses.delete', { params: place.value, idempotency_key: entry.id }),
    );
  },

  async settle({ key }, _outcome, { db, seen_at }) {
    const row = await db.near_misses.get(key);
    if (row?.server)
      await putServerCopy(
        db,
        row,
        { ...row.server, deleted_at: new Date(row.removed_at ?? seen_at).toISOString() },
        seen_at,
      );
    // Rebuilt from the journal it has no copy yet: a list that was asked for before this must not bring it back all the same.
    else if (row) await db.near_misses.put({ ...row, seen_at });
    return [];
  },
};

export const nearMissRestoreOperation: Operation<'near_miss.restore', NearMiss> = {
  rows: noRows,

  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const { host, entry } = context;
    const params = place.value;
    const answer = await host.request('recycled_near_misses.restore', {
      params,
      idempotency_key: entry.id,
    });
    if (answer.ok) return ok(answer.value.data);
    if (answer.problem.kind !== 'gone') return answer;
    // decisions §3.5: restore of an active one is a 404 too.
    const shown = await host.request('near_misses.show', { params });
    return shown.ok ? ok(shown.value.data) : answer;
  },

  async settle({ key }, server, { db, seen_at }) {
    const row = await db.near_misses.get(key);
    if (row !== undefined) await putServerCopy(db, row, { ...server, deleted_at: null }, seen_at);
    return [];
  },
};

/**
 * Sends near misses.
 * `near_miss.create` creates a local record on the server, exactly once (decisions §1.5).
 * `near_miss.update` sends only the changed fields. The server's copy is compared with what the user saw, and
 * `If-Match` closes the gap, so nobody's change is overwritten unseen (decisions §1.7).
 * `near_miss.delete` and `near_miss.restore` move a record into and out of the recycle bin; both succeed if it is there
 * already.
 */
import { ulid } from 'ulid';
import { fail, notCarriedOut, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { forgetNearMisses } from '../../data/near-misses/forget.ts';
import { incidentLink, isOpenedHere } from '../../data/model/incident-ids.ts';
import {
  applyWire,
  emptyFields,
  fieldsOfServer,
  isFromServer,
  rowOf,
  sameField,
  wireOf,
  type WireFields,
} from '../../data/model/near-miss-rows.ts';
import type { CommentNotes } from '../../operations/comment.ts';
import {
  type CreateNotes,
  type NearMissToChange,
  type NearMissToMake,
  type Recycling,
  baseFieldsOf,
  type UpdateNotes,
} from '../../operations/near-miss.ts';
import { isKeyOver } from '../queue/operation-life.ts';
import { fingerprintOf, lookForRecord, notesOf } from './find-existing-record.ts';
import { laneOf, noRows, type Handler, putServerCopy, type SendContext } from './handler.ts';
import { askKeepsKeys, keepsKeys } from './plain-server.ts';
import { believeRecord, doubt } from './believe-record.ts';
import { isAnothers } from './own-answers.ts';
import { behind, rebaseLaterEdits } from './rebase-later-edits.ts';
import { removal } from './removal.ts';

type Creating = SendContext<CreateNotes>;

interface Outcome {
  readonly server: NearMiss;
  readonly etag: string | null;
}

/** Runs attempts of equal reports one at a time, so that a search does not find the record of another one in flight. */
const queues = new Map<string, Promise<unknown>>();
const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  queues.set(name, turn);
  const done = () => void (queues.get(name) === turn && queues.delete(name));
  turn.then(done, done);
  return turn;
};

const post = async ({ project_id, body }: NearMissToMake, context: Creating) => {
  const { host, operation } = context;
  const answer = await host.request('near_misses.create', {
    params: { project_id },
    body: { near_miss: body },
    idempotency_key: operation.id,
  });
  if (!answer.ok) return answer;
  const { data } = answer.value;
  const believed = await believeRecord(context, body, data, ['incident_id', 'description']);
  if (believed.ok && (await isAnothers(context.db, operation, data.id)))
    return doubt(context, data, 'belongs to another report of this laptop');
  return believed.ok ? ok({ server: believed.value, etag: answer.value.etag }) : believed;
};

/** Reads the record that this report is known to be: answered before a crash, or picked by the user. */
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
 * Sends without a valid idempotency key. The attempt is recorded before it is sent, so that a lost answer is noticed
 * after any crash. Before it is sent again, the record is looked up.
 */
const sendUnkeyed = async (
  payload: NearMissToMake,
  context: Creating,
): Promise<Result<Outcome>> => {
  const { operation, clock, checkpoint } = context;
  const { server_id, sent, restored, as_new } = notesOf(operation);
  if (server_id !== null) return show(payload, server_id, context);
  const over = isKeyOver(operation, clock.now());
  if ((sent !== null || restored || over) && !as_new) {
    const keyed = over ? ok(false) : await askKeepsKeys(context, payload.project_id);
    if (!keyed.ok) return keyed;
    const found = keyed.value ? ok(null) : await lookForRecord(payload, context);
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

export const nearMissCreateOperation: Handler<'near_miss.create', Outcome> = {
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

  // For an incident opened on this laptop, replaces its local id with the server's. The operation is claimed only after its
  // incident was delivered. Without an id it is parked, so that the user can choose another incident.
  async send({ body, ...place }, context) {
    const { incident_id: given } = body;
    const incident_id = isOpenedHere(given)
      ? await context.serverId(incidentLink(given), null)
      : given;
    if (incident_id === null)
      return fail({ kind: 'bad_input', messages: [], fields: { incident_id: [] } });
    const payload = { ...place, body: { ...body, incident_id } };
    const { operation, clock } = context;
    const protects = !isKeyOver(operation, clock.now()) && notesOf(operation).server_id === null;
    if (protects && (await keepsKeys(context, payload.project_id)) === true)
      return post(payload, context);
    const fingerprint = fingerprintOf(operation.account, payload);
    return inTurn(fingerprint, () => sendUnkeyed(payload, context));
  },

  async settle(payload, outcome, { db, operation, seen_at }) {
    const { account } = operation;
    const { server } = outcome;
    // A refresh may have stored the record before this answer arrived. Keep one row: the local one.
    const same = db.near_misses.where('[account+server_id]').equals([account, server.id]);
    const [known, lane] = await Promise.all([same.toArray(), laneOf(db, payload.key)]);
    const doubles = known.filter(({ key }) => key !== payload.key && isFromServer(key));
    if (doubles.length > 0) await forgetNearMisses(db, doubles);
    const listed = known[0]?.server ?? null;
    await putServerCopy(db, { ...payload, account, server: listed }, server, seen_at, lane);
    const later = behind(lane, operation);
    if (later.length > 0) await rebaseLaterEdits(db, later, outcome, () => true);
    return [{ local_id: payload.key, server_id: server.id }];
  },
};

const TRIES = 3;

/**
 * Returns the server's record if no field conflicts; otherwise a conflict, with both values in the checkpoint. `done`:
 * every field already has the user's value.
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

/**
 * Accepts the answer to a change. One that does not show the changes, and not a newer state either, is a copy from before: a cache
 * answered, and the change may not have reached the server.
 */
const believeChange = async (
  { changes }: NearMissToChange,
  { data, etag }: { readonly data: NearMiss; readonly etag: string | null },
  was: string | null,
  context: SendContext<UpdateNotes>,
): Promise<Result<Outcome>> => {
  const theirs = wireOf(fieldsOfServer(data));
  const shown = Object.entries(changes).every(
    ([name, mine]) => !(name in theirs) || sameField(name, theirs[name], mine),
  );
  const again = context.operation.checkpoint.contradicted === data.id;
  const moved = etag === null || etag !== was;
  return shown || (again && moved)
    ? ok({ server: data, etag })
    : doubt(context, data, 'does not have the change');
};

export const nearMissUpdateOperation: Handler<'near_miss.update', Outcome> = {
  rows: noRows,

  async send(payload, context) {
    const { host, operation } = context;
    const id = await context.serverId(payload.key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id: payload.project_id, id };
    const gone = async (problem: Problem): Promise<Result<never>> => {
      if (problem.kind === 'gone') await noteRecycled(params, context);
      return fail(problem);
    };
    const base = baseFieldsOf(payload, operation.checkpoint);
    const checked = Object.keys(base).length > 0;
    let key = operation.checkpoint.key ?? operation.id;
    // After a lost answer the attempt is repeated with its original ETag, so that the server replays the answer.
    let etag = operation.checkpoint.etag ?? null;
    for (let tries = 1; ; tries += 1) {
      if (checked && etag === null) {
        const compared = await compare(payload, base, id, context);
        if (!compared.ok) return gone(compared.problem);
        // An earlier attempt succeeded, perhaps under a key lost with the database. Sending again would be a second
        // change.
        if (compared.value.done && operation.attempts > 0) return ok(compared.value);
        etag = compared.value.etag;
      }
      const answer = await host.request('near_misses.update', {
        params,
        body: { near_miss: payload.changes },
        idempotency_key: key,
        ...(etag === null ? {} : { if_match: etag }),
      });
      if (answer.ok) return believeChange(payload, answer.value, etag, context);
      if (answer.problem.kind !== 'conflict' || !checked || tries >= TRIES)
        return gone(answer.problem);
      // Changed between read and write. The write was not executed, and the refusal may be kept under its key.
      key = ulid();
      etag = null;
      await context.checkpoint({ key, etag });
    }
  },

  async settle(payload, outcome, { db, operation, seen_at }) {
    const { server } = outcome;
    const [row, lane] = await Promise.all([
      db.near_misses.get(payload.key),
      laneOf(db, payload.key),
    ]);
    if (row !== undefined) await putServerCopy(db, row, server, seen_at, lane);
    const later = behind(lane, operation);
    if (later.length > 0)
      await rebaseLaterEdits(db, later, outcome, (name) => name in payload.changes);
    return operation.account === row?.account
      ? [{ local_id: payload.key, server_id: server.id }]
      : [];
  },
};

/** The record's ids on the server. Fails with `gone` if it never got there. */
const placeOf = async (
  { key, project_id, server_id }: Recycling,
  { serverId }: Pick<SendContext, 'serverId'>,
): Promise<Result<{ readonly project_id: number; readonly id: number }>> => {
  const id = await serverId(key, server_id);
  return id === null ? fail({ kind: 'gone', status: 404, messages: [] }) : ok({ project_id, id });
};

/**
 * After a 404, checks whether the record is in the recycle bin or gone for good, and records it for the waiting screen.
 * If the server cannot be asked, the question stays open.
 */
export const noteRecycled = async (
  params: { readonly project_id: number; readonly id: number },
  { host, checkpoint }: Pick<SendContext<CommentNotes>, 'host' | 'checkpoint'>,
): Promise<void> => {
  const found = await host.request('recycled_near_misses.show', { params });
  if (found.ok || found.problem.kind === 'gone') await checkpoint({ recycled: found.ok });
};

export const nearMissDeleteOperation: Handler<'near_miss.delete', number | null> = {
  rows: noRows,

  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const { host, operation } = context;
    const params = place.value;
    return removal(
      params.id,
      () => host.request('near_misses.delete', { params, idempotency_key: operation.id }),
      () => host.request('near_misses.show', { params }),
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
    // A rebuilt row has no server copy yet, but a list requested before this must not bring it back either.
    else if (row) await db.near_misses.put({ ...row, seen_at });
    return [];
  },
};

export const nearMissRestoreOperation: Handler<'near_miss.restore', NearMiss> = {
  rows: noRows,

  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const { host, operation } = context;
    const params = place.value;
    const answer = await host.request('recycled_near_misses.restore', {
      params,
      idempotency_key: operation.id,
    });
    if (answer.ok) return ok(answer.value.data);
    if (answer.problem.kind !== 'gone') return answer;
    // decisions §3.5: restoring an active record is a 404 too.
    const shown = await host.request('near_misses.show', { params });
    return shown.ok ? ok(shown.value.data) : answer;
  },

  async settle({ key }, server, { db, seen_at }) {
    const row = await db.near_misses.get(key);
    if (row !== undefined) await putServerCopy(db, row, { ...server, deleted_at: null }, seen_at);
    return [];
  },
};

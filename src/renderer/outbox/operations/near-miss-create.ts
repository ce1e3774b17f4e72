/** `near_miss.create`: a record made on this laptop becomes one on the server, once (decisions §1.5). */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { incidentLink, isOpenedHere } from '../../data/incident-ids.ts';
import type { CreateNotes, NearMissToMake as Payload } from '../../entries/near-miss.ts';
import { rebaseLaterEdits } from './rebase-later-edits.ts';
import { likenessOf, lookForRecord, notDone, notesOf } from './look-for-record.ts';
import { type Operation, putServerCopy, type SendContext } from './operation.ts';
import { askKeepsKeys, keepsKeys } from './plain-server.ts';

type Context = SendContext<CreateNotes>;

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

const post = async ({ project_id, body }: Payload, { host, entry }: Context) => {
  const answer = await host.request('near_misses.create', {
    params: { project_id },
    body: { near_miss: body },
    idempotency_key: entry.id,
  });
  return answer.ok ? ok({ server: answer.value.data, etag: answer.value.etag }) : answer;
};

/** The record that this report is known to be: answered before a crash, or picked by the user. */
const show = async (
  { project_id }: Payload,
  id: number,
  { host, checkpoint }: Context,
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
const sendUnkeyed = async (payload: Payload, context: Context): Promise<Result<Outcome>> => {
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
  else if (notDone(answer.problem))
    await checkpoint({ sent_from: sent?.from ?? null, sent_to: sent?.to ?? null, as_new });
  return answer;
};

export const nearMissCreateOperation: Operation<'near_miss.create', Outcome> = {
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
    const doubles = (await same.primaryKeys()).filter((key) => key !== payload.key);
    if (doubles.length > 0) await db.near_misses.bulkDelete(doubles);
    await putServerCopy(db, { ...payload, account }, server, seen_at);
    await rebaseLaterEdits(db, entry, outcome, () => true);
    return [{ local_id: payload.key, server_id: server.id }];
  },
};

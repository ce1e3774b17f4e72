/**
 * `near_miss.update`: sends only the changed fields. Someone else's change to the same field is never overwritten
 * unseen: the server's copy is compared with what the user saw, and `If-Match` closes the gap between (decisions §1.7).
 */
import { ulid } from 'ulid';
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { fieldsOfServer, sameField, wireOf, type WireFields } from '../../data/near-miss-rows.ts';
import {
  type NearMissToChange as Payload,
  seenBase,
  type UpdateNotes,
} from '../../entries/near-miss.ts';
import { rebaseLaterEdits } from './rebase-later-edits.ts';
import { type Operation, putServerCopy, type SendContext } from './operation.ts';
import { noteRecycled } from './recycling.ts';

interface Outcome {
  readonly server: NearMiss;
  readonly etag: string | null;
}

const TRIES = 3;

/**
 * The record as the server has it when no disputed field differs, else a conflict with both values kept in the checkpoint.
 * `done`: every field is as the user wants it.
 */
const compare = async (
  { project_id, changes }: Payload,
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
    const row = await db.near_misses.get(payload.key);
    if (row !== undefined) await putServerCopy(db, row, server, seen_at);
    await rebaseLaterEdits(db, entry, outcome, (name) => name in payload.changes);
    return entry.account === row?.account ? [{ local_id: payload.key, server_id: server.id }] : [];
  },
};

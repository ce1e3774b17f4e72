/** `near_miss.create`: a record made on this laptop becomes one on the server, once (decisions §1.5). */
import { z } from 'zod';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { type NearMiss, nearMissCreate } from '../../../contract/rest/near-misses.ts';
import { textOf } from '../../data/text.ts';
import { type Operation, putServerCopy, type SendContext } from './operation.ts';

const schema = z.object({
  key: z.string(),
  company_id: z.number().int().positive(),
  project_id: z.number().int().positive(),
  body: nearMissCreate,
});
type Payload = z.infer<typeof schema>;

const DAY_MS = 86_400_000;
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Against a server without idempotency keys, an earlier try with unknown outcome may have made the record: looked for
 * by incident, day and text (design §3.2). Null: it is not there.
 */
const lookFor = async (
  { project_id, body }: Payload,
  { host, db, entry }: SendContext,
): Promise<Result<NearMiss | null>> => {
  const from = new Date(entry.created_at - DAY_MS).toISOString().slice(0, 10);
  const answer = await host.request('near_misses.list', {
    params: { project_id },
    query: {
      incident_id: body.incident_id,
      filters: { created_at: `${from}...` },
      per_page: 1000,
    },
  });
  if (!answer.ok) return answer;
  const text = plain(textOf(body.description ?? ''));
  const same: NearMiss[] = [];
  for (const found of answer.value.data) {
    const has = found.description_plain_text ?? textOf(found.description ?? '');
    if (found.incident_id !== body.incident_id || plain(has) !== text) continue;
    const linked = await db.links.filter((link) => link.server_id === found.id).count();
    if (linked === 0) same.push(found);
  }
  if (same.length > 1) return fail({ kind: 'conflict', status: 409, messages: [] });
  return ok(same[0] ?? null);
};

export const nearMissCreateOperation: Operation<Payload, NearMiss> = {
  kind: 'near_miss.create',
  version: 1,
  schema,
  blocks: true,
  lane: (payload) => payload.key,
  describe: () => ({ photo: null }),

  async send(payload, context) {
    const { db, host, entry } = context;
    const { project_id, body } = payload;
    const catalog = await db.catalogs.get([entry.account, project_id]);
    if (
      entry.attempts > 1 &&
      catalog?.source === 'records' &&
      entry.checkpoint['looked'] !== true
    ) {
      const found = await lookFor(payload, context);
      // Unsure: parked for the user. Tried again by hand it is sent.
      if (!found.ok && found.problem.kind === 'conflict')
        await context.checkpoint({ looked: true });
      if (!found.ok) return found;
      if (found.value !== null) return ok(found.value);
    }
    const answer = await host.request('near_misses.create', {
      params: { project_id },
      body: { near_miss: body },
      idempotency_key: entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle(payload, server, { db, entry, seen_at }) {
    const { account } = entry;
    // A refresh may have met the record on the server before this answer came: one row stays, the one made here.
    await db.near_misses
      .where('[account+server_id]')
      .equals([account, server.id])
      .and((row) => row.key !== payload.key)
      .delete();
    await putServerCopy(db, { ...payload, account }, server, seen_at);
    return [{ local_id: payload.key, server_id: server.id }];
  },
};

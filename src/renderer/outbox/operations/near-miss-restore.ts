/** `near_miss.restore`: out of the recycle bin. Already active is what was wanted. */
import type { z } from 'zod';
import { fail, ok } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { recycleSchema } from './near-miss-delete.ts';
import { type Operation, putServerCopy } from './operation.ts';

export const nearMissRestoreOperation: Operation<z.infer<typeof recycleSchema>, NearMiss> = {
  kind: 'near_miss.restore',
  version: 1,
  schema: recycleSchema,
  blocks: false,
  lane: (payload) => payload.key,
  describe: () => ({ photo: null }),

  async send({ key, project_id, server_id }, { host, entry, serverId }) {
    const id = await serverId(key, server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id, id };
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

  async settle({ key }, server, { db, now }) {
    const row = await db.near_misses.get(key);
    if (row !== undefined) await putServerCopy(db, row, { ...server, deleted_at: null }, now);
    return [];
  },
};

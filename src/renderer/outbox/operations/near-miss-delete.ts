/** `near_miss.delete`: to the recycle bin. Already gone is what was wanted. */
import { z } from 'zod';
import { fail, ok } from '../../../contract/problem.ts';
import { type Operation, putServerCopy } from './operation.ts';

export const recycleSchema = z.object({
  key: z.string(),
  project_id: z.number().int().positive(),
  server_id: z.number().int().positive().nullable(),
});
type Payload = z.infer<typeof recycleSchema>;

export const nearMissDeleteOperation: Operation<Payload, null> = {
  kind: 'near_miss.delete',
  version: 1,
  schema: recycleSchema,
  blocks: false,
  lane: (payload) => payload.key,
  describe: () => ({ photo: null }),

  async send({ key, project_id, server_id }, { host, entry, serverId }) {
    const id = await serverId(key, server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const answer = await host.request('near_misses.delete', {
      params: { project_id, id },
      idempotency_key: entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? ok(null) : answer;
  },

  async settle({ key }, _outcome, { db, now }) {
    const row = await db.near_misses.get(key);
    if (row?.server)
      await putServerCopy(
        db,
        row,
        { ...row.server, deleted_at: new Date(row.removed_at ?? now).toISOString() },
        now,
      );
    return [];
  },
};

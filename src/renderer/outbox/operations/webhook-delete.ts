/** `hook.delete`: a webhook with its triggers and deliveries. One that is not there (any more) is what was wanted. */
import { z } from 'zod';
import { ok } from '../../../contract/problem.ts';
import { describeNothing } from './company.ts';
import { dropHook, hookFields, hookQuery } from './webhooks.ts';
import type { Operation } from './operation.ts';

export const hookDeleteSchema = z.object(hookFields);
export type HookDelete = z.infer<typeof hookDeleteSchema>;

export const hookDeleteOperation: Operation<HookDelete, number | null> = {
  kind: 'hook.delete',
  version: 1,
  schema: hookDeleteSchema,
  blocks: false,
  asks: 'webhooks',
  lane: (payload) => payload.key,
  describe: describeNothing,

  async send(payload, { host, entry, serverId }) {
    const id = await serverId(payload.record_key, payload.server_id);
    if (id === null) return ok(null);
    const answer = await host.request('webhook_hooks.delete', {
      params: { id },
      query: hookQuery(payload),
      idempotency_key: entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? ok(id) : answer;
  },

  async settle({ record_key, project_id }, id, { db, entry }) {
    await dropHook(db, record_key);
    if (id === null) return [];
    const same = await db.hooks
      .where('[account+server_id]')
      .equals([entry.account, id])
      .and((row) => row.project_id === project_id)
      .toArray();
    for (const { key } of same) await dropHook(db, key);
    return [];
  },
};

/** `hook.delete`: a webhook with its triggers and deliveries. One that is not there (any more) is what was wanted. */
import { ok } from '../../../contract/problem.ts';
import { dropHook, hookQuery } from './webhooks.ts';
import type { Operation } from './operation.ts';

export const hookDeleteOperation: Operation<'hook.delete', number | null> = {
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

/** `hook.update`: another address or version of a webhook; its headers stay as they are (they are changed online only). */
import { fail, ok } from '../../../contract/problem.ts';
import type { WebhookHook } from '../../../contract/rest/webhooks.ts';
import { hookQuery, putHook } from './webhooks.ts';
import type { Operation } from './operation.ts';

export const hookUpdateOperation: Operation<'hook.update', WebhookHook> = {
  async send(payload, { host, entry, serverId }) {
    const id = await serverId(payload.record_key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const answer = await host.request('webhook_hooks.update', {
      params: { id },
      query: hookQuery(payload),
      body: { hook: payload.hook },
      idempotency_key: entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ project_id }, server, { db, entry, seen_at }) {
    await putHook(db, { account: entry.account, project_id }, server, { seen_at });
    return [];
  },
};

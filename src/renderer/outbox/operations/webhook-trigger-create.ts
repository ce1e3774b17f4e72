/**
 * `trigger.create`: what a webhook hears of (reference: Trigger). The service refuses a trigger that is there already, so that one
 * whose outcome is unknown is looked for where the server keeps no keys.
 */
import { fail, ok } from '../../../contract/problem.ts';
import type { WebhookTrigger } from '../../../contract/rest/webhooks.ts';
import { mayBeDouble } from './company.ts';
import { hookQuery, listTriggersOf, ownerOf, putTrigger } from './webhooks.ts';
import type { Operation } from './operation.ts';

export const triggerCreateOperation: Operation<'trigger.create', WebhookTrigger> = {
  async send(payload, context) {
    const { place, trigger, api_version } = payload;
    const hook_id = await context.serverId(payload.record_key, payload.server_id);
    if (hook_id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const double = await mayBeDouble(context, payload.project_id);
    if (!double.ok) return double;
    if (double.value) {
      const all = await listTriggersOf(context, payload, place, hook_id);
      if (!all.ok) return all;
      const found = all.value.find(
        ({ resource_name, event_type }) =>
          resource_name === trigger.resource_name && event_type === trigger.event_type,
      );
      if (found) return ok(found);
    }
    const { resource_name, event_type } = trigger;
    const answer = await context.host.request('webhook_triggers.create', {
      params: { hook_id },
      query: hookQuery(payload),
      body: {
        ...ownerOf(place, payload),
        api_version,
        // The server's own list says what there is; the service judges it.
        trigger: { resource_name: resource_name as WebhookTrigger['resource_name'], event_type },
      },
      idempotency_key: context.entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ record_key, project_id, trigger_key }, server, { db, entry, seen_at }) {
    const here = await db.hooks.get(record_key);
    const same = await db.hooks
      .where('[account+server_id]')
      .equals([entry.account, server.webhook_hook_id])
      .and((row) => row.project_id === project_id)
      .first();
    const hook_key = (here ?? same)?.key ?? record_key;
    const place = { account: entry.account, project_id, hook_key };
    await putTrigger(db, place, server, trigger_key, seen_at);
    return [{ local_id: trigger_key, server_id: server.id }];
  },
};

/**
 * `trigger.delete`: a webhook no longer hears of something. A trigger whose id never came is found by what it hears of; one that is
 * not there (any more) is what was wanted.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { TriggerToDelete } from '../../entries/webhook.ts';
import { hookQuery, listTriggersOf } from './webhooks.ts';
import type { Operation, SendContext } from './operation.ts';

const idOf = async (
  payload: TriggerToDelete,
  context: SendContext,
): Promise<Result<number | null>> => {
  const known = await context.serverId(payload.trigger_key, payload.trigger_id);
  if (known !== null) return ok(known);
  const hook_id = await context.serverId(payload.record_key, payload.server_id);
  if (hook_id === null) return ok(null);
  const all = await listTriggersOf(context, payload, payload.place, hook_id);
  if (!all.ok) return all.problem.kind === 'gone' ? ok(null) : all;
  const { resource_name, event_type } = payload.trigger;
  return ok(
    all.value.find((one) => one.resource_name === resource_name && one.event_type === event_type)
      ?.id ?? null,
  );
};

export const triggerDeleteOperation: Operation<'trigger.delete', number | null> = {
  async send(payload, context) {
    const id = await idOf(payload, context);
    if (!id.ok || id.value === null) return id;
    const answer = await context.host.request('webhook_triggers.delete', {
      params: { id: id.value },
      query: hookQuery(payload),
      idempotency_key: context.entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? id : answer;
  },

  async settle({ trigger_key, record_key }, id, { db }) {
    await db.triggers.delete(trigger_key);
    await db.triggers
      .where('hook_key')
      .equals(record_key)
      .and((row) => row.server_id === id)
      .delete();
    return [];
  },
};

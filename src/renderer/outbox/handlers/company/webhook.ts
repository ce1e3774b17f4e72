/**
 * Sends webhooks and their triggers (decisions §9; reference: Hook, Trigger). A webhook with headers is never queued:
 * headers are secrets, and queued operations are written to disk twice. Those are changed online only. The signing secret
 * of an answer is handed to the viewer and stored nowhere. On a server without idempotency keys, the record of an
 * earlier attempt is looked up first.
 */
import { fail, ok, type Result } from '../../../../contract/problem.ts';
import type { WebhookHook, WebhookTrigger } from '../../../../contract/rest/webhooks.ts';
import { holdSecret } from '../../../data/company/signing-secrets.ts';
import {
  dropHook,
  hookQuery,
  listHooksOf,
  listTriggersOf,
  ownerOf,
  putHook,
  putTrigger,
} from '../../../data/company/webhook-server.ts';
import type { TriggerToDelete } from '../../../operations/company/webhook.ts';
import { believeRecord } from '../believe-record.ts';
import { noRows, type Handler, type SendContext } from '../handler.ts';
import { mayBeDouble } from '../plain-server.ts';
import { removal } from '../removal.ts';

interface Made {
  readonly server: WebhookHook;
  /** Null if the server does not sign, or if the hook was found instead of created. */
  readonly secret: string | null;
}

export const hookCreateOperation: Handler<'hook.create', Made> = {
  rows: noRows,

  async send(payload, context) {
    const { hook } = payload;
    const { scope: _scope, ...body } = hook;
    const double = await mayBeDouble(context, payload.project_id);
    if (!double.ok) return double;
    if (double.value) {
      const all = await listHooksOf(context, payload, hook);
      if (!all.ok) return all;
      const { account } = context.operation;
      const ids = all.value.map(({ id }) => [account, id]);
      const rows = await context.db.hooks.where('[account+server_id]').anyOf(ids).toArray();
      const mine = new Set(
        rows.flatMap((row) => (row.key.startsWith('hook-srv-') ? [] : [row.server_id])),
      );
      const found = all.value.find(
        (one) => one.destination_url === body.destination_url && !mine.has(one.id),
      );
      if (found) return ok({ server: found, secret: null });
    }
    const answer = await context.host.request('webhook_hooks.create', {
      params: {},
      body: { ...ownerOf(hook, payload), hook: body },
      idempotency_key: context.operation.id,
    });
    if (!answer.ok) return answer;
    const believed = await believeRecord(context, body, answer.value.data);
    if (!believed.ok) return believed;
    const { signing_secret, ...server } = believed.value;
    return ok({ server, secret: signing_secret ?? null });
  },

  async settle({ record_key, project_id }, { server, secret }, { db, operation, seen_at }) {
    if (secret !== null) holdSecret(record_key, secret);
    await putHook(db, { account: operation.account, project_id }, server, {
      key: record_key,
      secret_unseen: secret !== null,
      seen_at,
    });
    return [{ local_id: record_key, server_id: server.id }];
  },
};

export const hookUpdateOperation: Handler<'hook.update', WebhookHook> = {
  rows: noRows,

  async send(payload, context) {
    const { host, operation, serverId } = context;
    const id = await serverId(payload.record_key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const answer = await host.request('webhook_hooks.update', {
      params: { id },
      query: hookQuery(payload),
      body: { hook: payload.hook },
      idempotency_key: operation.id,
    });
    // A server masks the headers.
    const { destination_url } = payload.hook;
    return answer.ok ? believeRecord(context, { destination_url }, answer.value.data) : answer;
  },

  async settle({ project_id }, server, { db, operation, seen_at }) {
    await putHook(db, { account: operation.account, project_id }, server, { seen_at });
    return [];
  },
};

export const hookDeleteOperation: Handler<'hook.delete', number | null> = {
  rows: noRows,

  async send(payload, { host, operation, serverId }) {
    const id = await serverId(payload.record_key, payload.server_id);
    return removal(id, (id) =>
      host.request('webhook_hooks.delete', {
        params: { id },
        query: hookQuery(payload),
        idempotency_key: operation.id,
      }),
    );
  },

  async settle({ record_key, project_id }, id, { db, operation }) {
    await dropHook(db, record_key);
    if (id === null) return [];
    const same = await db.hooks
      .where('[account+server_id]')
      .equals([operation.account, id])
      .and((row) => row.project_id === project_id)
      .toArray();
    for (const { key } of same) await dropHook(db, key);
    return [];
  },
};

export const triggerCreateOperation: Handler<'trigger.create', WebhookTrigger> = {
  rows: noRows,

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
      params: { target_id: hook_id },
      query: hookQuery(payload),
      body: {
        ...ownerOf(place, payload),
        api_version,
        // The server's list defines the names; the service validates them.
        trigger: { resource_name: resource_name as WebhookTrigger['resource_name'], event_type },
      },
      idempotency_key: context.operation.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ record_key, project_id, trigger_key }, server, { db, operation, seen_at }) {
    const here = await db.hooks.get(record_key);
    const same = await db.hooks
      .where('[account+server_id]')
      .equals([operation.account, server.webhook_hook_id])
      .and((row) => row.project_id === project_id)
      .first();
    const hook_key = (here ?? same)?.key ?? record_key;
    const place = { account: operation.account, project_id, hook_key };
    await putTrigger(db, place, server, trigger_key, seen_at);
    return [{ local_id: trigger_key, server_id: server.id }];
  },
};

/** Finds a trigger without a known id by its resource and event. */
const triggerIdOf = async (
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

export const triggerDeleteOperation: Handler<'trigger.delete', number | null> = {
  rows: noRows,

  async send(payload, context) {
    const id = await triggerIdOf(payload, context);
    if (!id.ok) return id;
    return removal(id.value, (id) =>
      context.host.request('webhook_triggers.delete', {
        params: { id },
        query: hookQuery(payload),
        idempotency_key: context.operation.id,
      }),
    );
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

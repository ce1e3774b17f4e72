/** Webhooks, under both prefixes (reference: Webhooks management; decisions §9). */
import type { EndpointName } from '../../contract/rest/index.ts';
import type { vapidWebhookEndpoints, webhookEndpoints } from '../../contract/rest/webhooks.ts';
import * as hooks from '../domain/webhooks/webhooks.ts';
import * as triggers from '../domain/webhooks/webhook-triggers.ts';
import { newSigningSecret } from '../webhooks/notification.ts';
import type { Call, HandlersOf } from './handler.ts';

type WebhookEndpoint = keyof typeof webhookEndpoints;
type VapidEndpoint = keyof typeof vapidWebhookEndpoints;

export const contextOf = <N extends EndpointName>(call: Call<N>): hooks.WebhookContext => ({
  db: call.db,
  company_id: call.company_id,
  user_id: call.user.id,
  now: call.now,
  steady: call.app.steady(),
  secrets: call.app.webhooks.secrets,
});

const handlers: HandlersOf<WebhookEndpoint> = {
  'webhook_hooks.list': (call) => hooks.listHooks(contextOf(call), call.query),
  'webhook_hooks.create': {
    prepare: async ({ app, body: { hook } }) => {
      await hooks.checkDestination(hook, app.webhooks.judgeUrl);
      const more = { secret: newSigningSecret(), hooks_max: app.options['webhook-max-hooks'] };
      return async (call) => ({
        data: await hooks.createHook(contextOf(call), call.body, call.body.hook, more),
      });
    },
  },
  'webhook_hooks.show': (call) =>
    hooks.showHook(contextOf(call), { ...call.query, id: call.params.id }),
  'webhook_hooks.update': {
    prepare: async ({ app, body }) => {
      await hooks.checkDestination(body.hook, app.webhooks.judgeUrl);
      return (call) =>
        hooks.updateHook(
          contextOf(call),
          { ...call.query, id: call.params.id },
          call.body.hook,
          call.if_match,
        );
    },
  },
  'webhook_hooks.delete': async (call) => {
    const target = { ...call.query, id: call.params.id };
    await hooks.deleteHook(contextOf(call), target, call.if_match);
    return { data: undefined };
  },
  'webhook_triggers.list': (call) =>
    triggers.listTriggers(contextOf(call), { ...call.query, id: call.params.target_id }),
  'webhook_triggers.create': async (call) => {
    const target = { ...call.query, id: call.params.target_id };
    return { data: await triggers.createTrigger(contextOf(call), target, call.body) };
  },
  'webhook_triggers.delete': async (call) => {
    await triggers.deleteTrigger(contextOf(call), { ...call.query, id: call.params.id });
    return { data: undefined };
  },
  'webhook_deliveries.list': (call) =>
    triggers.listDeliveries(contextOf(call), { ...call.query, id: call.params.hook_id }),
  'webhook_resources.list': () => Promise.resolve({ data: triggers.listResources() }),
};

/** Both prefixes share schemas, so they share handlers; the types cannot express that. */
const vapid = Object.fromEntries(
  Object.entries(handlers).map(([name, handler]) => [`vapid_${name}`, handler]),
) as unknown as HandlersOf<VapidEndpoint>;

export const webhookHandlers: HandlersOf<WebhookEndpoint | VapidEndpoint> = {
  ...handlers,
  ...vapid,
};

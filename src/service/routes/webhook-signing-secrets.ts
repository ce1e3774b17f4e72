/** [ours] New signing secrets, under both prefixes (decisions §9.1, §9.2). */
import type { EndpointName } from '../../contract/rest/index.ts';
import { rotateSigningSecret } from '../domain/webhooks/webhook-signing-secrets.ts';
import { newSigningSecret } from '../webhooks/notification.ts';
import type { Call, HandlersOf } from './handler.ts';
import { recordAct } from '../domain/evidence/admin-acts.ts';
import { actorOf } from './context.ts';
import { contextOf } from './webhooks.ts';

type SecretEndpoint = Extract<EndpointName, `${string}signing_secrets.create`>;

const create = async (call: Call<SecretEndpoint>) => {
  const { hook_id } = call.params;
  const { keep_previous } = call.body;
  const data = await rotateSigningSecret(
    contextOf(call),
    { ...call.query, id: hook_id },
    {
      secret: newSigningSecret(),
      overlap: keep_previous ? call.app.options['webhook-secret-overlap'] : 0,
    },
  );
  await recordAct(call.db, actorOf(call), {
    act: 'webhook_secret_rotated',
    details: { hook_id, keep_previous },
  });
  return { data };
};

export const webhookSigningSecretHandlers: HandlersOf<SecretEndpoint> = {
  'webhook_signing_secrets.create': create,
  'vapid_webhook_signing_secrets.create': create,
};

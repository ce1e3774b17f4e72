/** [ours] New signing secrets, under both prefixes (decisions §9.1, §9.2). */
import type { EndpointName } from '../../contract/rest/index.ts';
import { rotateSigningSecret } from '../domain/webhooks/webhook-signing-secrets.ts';
import { newSigningSecret } from '../webhooks/notification.ts';
import type { Call, HandlersOf } from './handler.ts';
import { contextOf } from './webhooks.ts';

type SecretEndpoint = Extract<EndpointName, `${string}signing_secrets.create`>;

const create = async (call: Call<SecretEndpoint>) => ({
  data: await rotateSigningSecret(
    contextOf(call),
    { ...call.query, id: call.params.hook_id },
    {
      secret: newSigningSecret(),
      overlap: call.body.keep_previous ? call.app.options['webhook-secret-overlap'] : 0,
    },
  ),
});

export const webhookSigningSecretHandlers: HandlersOf<SecretEndpoint> = {
  'webhook_signing_secrets.create': create,
  'vapid_webhook_signing_secrets.create': create,
};

/**
 * [ours] Rotates a hook's signing secret (decisions §9.2, failures: Signature). As Standard Webhooks requires, the old secret
 * also signs for a while, so a receiver can switch without losing a notification.
 */
import { z } from 'zod';
import { dateTime, endpoint, pathId } from './protocol/endpoint.ts';
import { webhookEndpoints } from './webhooks.ts';

const webhookSigningSecretCreate = z.object({
  /** False revokes the old secret at once, for a secret that others have seen. */
  keep_previous: z.boolean().default(true),
});

export const webhookSigningSecret = z.object({
  /** Shown only in this response, like the secret of a new hook. */
  signing_secret: z.string(),
  /** Until then, notifications also carry a signature by the old secret; null if there is none. */
  previous_valid_until: dateTime.nullable(),
});
export type WebhookSigningSecret = z.infer<typeof webhookSigningSecret>;

const shared = {
  method: 'POST',
  params: { hook_id: pathId },
  query: webhookEndpoints['webhook_hooks.show'].query,
  body: webhookSigningSecretCreate,
  reply: webhookSigningSecret,
  status: 201,
  extension: true,
  secret: true,
  tag: 'Webhooks',
  summary: 'Give a hook a new signing secret',
} as const;

export const webhookSigningSecretEndpoints = {
  'webhook_signing_secrets.create': endpoint({
    ...shared,
    path: '/rest/v1.0/webhooks/hooks/{hook_id}/signing_secret',
  }),
  'vapid_webhook_signing_secrets.create': endpoint({
    ...shared,
    path: '/vapid/webhooks/hooks/{hook_id}/signing_secret',
  }),
};

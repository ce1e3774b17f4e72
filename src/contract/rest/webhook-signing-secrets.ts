/**
 * [ours] A new signing secret for a hook (decisions §9.2, failures: Signature): the old one signs beside it for a while, as Standard
 * Webhooks has it, so that a receiver can change over without losing a notification.
 */
import { z } from 'zod';
import { dateTime, endpoint, pathId } from './endpoint.ts';
import { webhookEndpoints } from './webhooks.ts';

const webhookSigningSecretCreate = z.object({
  /** False: the old secret is worth nothing from now on, for one that others have seen. */
  keep_previous: z.boolean().default(true),
});

export const webhookSigningSecret = z.object({
  /** Shown this once, as a new hook's is. */
  signing_secret: z.string(),
  /** Until then notifications carry a signature by the old secret as well; null when it is gone. */
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

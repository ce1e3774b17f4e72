/**
 * Builds the body of a notification (decisions §9.4) and the headers of Standard Webhooks (standardwebhooks.com).
 * With them a receiver verifies the sender and the age, and detects repetitions: `webhook-id` is the event's id on
 * every attempt.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookNotification } from '../../contract/rest/webhooks.ts';
import type { PendingEvent } from '../store/webhooks/webhook-queue.ts';

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** Operations do not exist here. Receivers made for similar APIs expect the name all the same. */
const metadataOf = (event: PendingEvent): WebhookNotification['metadata'] => ({
  source_user_id: event.user_id,
  source_company_id: event.company_id,
  source_project_id: event.project_id,
  source_application_id: event.client_id,
  source_operation_id: null,
});

/** @param plain leaves out our additions */
export const notificationOf = (event: PendingEvent, api_version: string, plain: boolean): string =>
  JSON.stringify({
    id: event.id,
    ulid: event.ulid,
    timestamp: new Date(event.created_at).toISOString(),
    user_id: event.user_id,
    company_id: event.company_id,
    project_id: event.project_id,
    api_version,
    event_type: event.event_type as WebhookNotification['event_type'],
    resource_name: event.resource_name as WebhookNotification['resource_name'],
    resource_id: event.resource_uuid ?? event.resource_id,
    metadata: plain ? {} : metadataOf(event),
  } satisfies Omit<WebhookNotification, 'metadata'> & { readonly metadata: object });

/**
 * `at`: time of this attempt, milliseconds since the epoch. `secrets`: all currently valid ones. Each adds a
 * signature, separated by a space; a receiver accepts any that it can verify.
 */
export const signedHeaders = (
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};

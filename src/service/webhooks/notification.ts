/**
 * What is sent: the body of decisions §9.4 and the headers of Standard Webhooks (standardwebhooks.com), by which a receiver
 * can tell that it comes from here, is not old, and is not a second copy: `webhook-id` is the event's, on every attempt.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookNotification } from '../../contract/rest/webhooks.ts';
import type { PendingEvent } from '../store/webhook-queue.ts';

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** The event's id for subscribers. */
export const eventUlid = (event: PendingEvent): string => event.ulid ?? `event-${event.id}`;

export const notificationOf = (event: PendingEvent, api_version: string): string =>
  JSON.stringify({
    id: event.id,
    ulid: eventUlid(event),
    timestamp: new Date(event.created_at).toISOString(),
    user_id: event.user_id,
    company_id: event.company_id,
    project_id: event.project_id,
    api_version,
    event_type: event.event_type as WebhookNotification['event_type'],
    resource_name: event.resource_name as WebhookNotification['resource_name'],
    resource_id: event.resource_uuid ?? event.resource_id,
    metadata: {},
  } satisfies WebhookNotification);

/**
 * `at`: the moment of this attempt, milliseconds since the epoch. `secrets`: all that are valid then; there is a
 * signature by each, separated by a space, and a receiver is content with one that it can verify.
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

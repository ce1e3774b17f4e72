/**
 * Webhooks: hooks, triggers and deliveries (reference: Webhook hook, trigger and delivery; decisions §9). The same endpoints
 * exist under two prefixes: they are written once and copied to the second prefix.
 */
import { z } from 'zod';
import { answeredAs, answeredByUs } from './protocol/answered.ts';
import { filtersOf } from './protocol/described.ts';
import {
  dateTime,
  endpoint,
  id,
  ours,
  pathId,
  queryId,
  type Endpoint,
} from './protocol/endpoint.ts';
import { followedAt, followQuery, rowsOrDeleted } from './protocol/following.ts';
import { pagingQuery } from './protocol/paging.ts';

/** Decisions §9.3. */
export const webhookResourceNames = [
  'Near Misses',
  'Incidents',
  'Project Insurances',
  'Time And Material Entry Attachments',
  'Project Memberships',
  'Company Uploads',
] as const;
export type WebhookResourceName = (typeof webhookResourceNames)[number];

export const webhookEventTypes = ['create', 'update', 'delete'] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Event types of the resources that do not have all three. */
const happens: Readonly<Partial<Record<WebhookResourceName, readonly WebhookEventType[]>>> = {
  Incidents: ['create', 'update'],
  'Time And Material Entry Attachments': ['create', 'delete'],
  'Project Memberships': ['create', 'delete'],
};

export const webhookEventTypesOf = (name: WebhookResourceName): readonly WebhookEventType[] =>
  happens[name] ?? webhookEventTypes;

/** Default namespace (reference: Events). */
export const NAMESPACE_DEFAULT = 'core';
const API_VERSION_DEFAULT = 'v1';

const namespace = z
  .string({ error: 'must be one text' })
  .max(100, 'must have at most 100 characters')
  .regex(/^[a-z-]+$/, 'must be lower-case letters a-z and dashes only');
const apiVersion = z.string().trim().min(1, 'must not be empty').max(50);

/** Header name to value. The service validates the contents (decisions §9, failures: destination_headers). */
const destinationHeaders = z.record(z.string(), z.string());

/** A hook in a response. Only the last 5 characters of header values are shown. */
export const webhookHook = z.object({
  id,
  api_version: z.string(),
  namespace: z.string(),
  destination_url: z.string(),
  destination_headers: destinationHeaders,
  /** Exactly one of `company_id` and `project_id` is set. */
  company_id: id.nullable(),
  project_id: id.nullable(),
  /** [ours] Start of the current run of failed attempts; null while the endpoint succeeds. */
  failing_since: answeredAs(dateTime.nullable(), dateTime.nullish().meta(ours)),
  /** [ours] Time at which the endpoint answered 410; null otherwise. A change to the hook enables it again. */
  disabled_at: answeredAs(dateTime.nullable(), dateTime.nullish().meta(ours)),
  created_at: dateTime,
  updated_at: dateTime,
});
export type WebhookHook = z.infer<typeof webhookHook>;

/** [ours] `signing_secret` is shown only in this response. */
export const webhookHookCreated = webhookHook.extend({
  signing_secret: answeredByUs(z.string()),
});

const writable = {
  destination_url: z.string().max(2048),
  destination_headers: destinationHeaders.nullable().optional(),
};
export const webhookHookCreate = z.object({
  api_version: apiVersion.default(API_VERSION_DEFAULT),
  namespace: namespace.default(NAMESPACE_DEFAULT),
  ...writable,
});
export type WebhookHookCreate = z.infer<typeof webhookHookCreate>;
export const webhookHookUpdate = z.object({
  api_version: apiVersion.optional(),
  /** Must equal the current namespace, because a hook cannot change its namespace. */
  namespace: namespace.optional(),
  ...writable,
  destination_url: writable.destination_url.optional(),
});
export type WebhookHookUpdate = z.infer<typeof webhookHookUpdate>;

export const webhookTrigger = z.object({
  id,
  webhook_hook_id: id,
  api_version: z.string(),
  resource_name: z.enum(webhookResourceNames),
  event_type: z.enum(webhookEventTypes),
  company_id: id.nullable(),
  project_id: id.nullable(),
  updated_at: followedAt,
});
export type WebhookTrigger = z.infer<typeof webhookTrigger>;

export const webhookTriggerCreate = z.object({
  resource_name: z.enum(webhookResourceNames, {
    error: `must be one of ${webhookResourceNames.join(', ')}`,
  }),
  event_type: z
    .string()
    .toLowerCase()
    .pipe(z.enum(webhookEventTypes, { error: `must be one of ${webhookEventTypes.join(', ')}` })),
});
export type WebhookTriggerCreate = z.infer<typeof webhookTriggerCreate>;

/** One attempt to deliver one event. */
export const webhookDelivery = z.object({
  id,
  /** The notification's `ulid` and `webhook-id`, the same on every attempt. */
  event_id: z.string(),
  started_at: dateTime,
  completed_at: dateTime,
  /** Null if no response arrived. */
  response_status: z.number().int().nullable(),
  response_headers: z.record(z.string(), z.string()),
  response_error: z.string().nullable(),
  /** The first 16 KiB of the response body. */
  response_body: z.string(),
  outcome: z.enum(['ok', 'retried', 'failed']),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** The body of a notification (decisions §9.4): which event happened to which record, never the record. */
export const webhookNotification = z.object({
  id,
  /** The same on every attempt; repeated in the header `webhook-id`. */
  ulid: z.string(),
  timestamp: dateTime,
  user_id: id,
  company_id: id,
  project_id: id.nullable(),
  api_version: z.string(),
  event_type: z.enum(webhookEventTypes),
  resource_name: z.enum(webhookResourceNames),
  /** The record's id; the uuid for an upload. */
  resource_id: z.union([id, z.string()]),
  /** [ours] Where the event comes from, under the names that receivers made for similar APIs read. */
  metadata: z.object({
    source_user_id: id.meta(ours),
    source_company_id: id.meta(ours),
    source_project_id: id.nullable().meta(ours),
    /** The client id of the service account that made the change; null for a person. */
    source_application_id: z.string().nullable().meta(ours),
    source_operation_id: z.null().meta(ours),
  }),
});
export type WebhookNotification = z.infer<typeof webhookNotification>;

const deliveryStatus = z.enum(['any', 'successful', 'failing'], {
  error: 'must be one of any, successful, failing',
});
const deliveryFilter = filtersOf({ status: deliveryStatus.optional() }).optional();

/** Scope of a list or a new hook: exactly one of company and project is required there (decisions §9.1). */
const scopeQuery = { company_id: queryId.optional(), project_id: queryId.optional() };
const scopeBody = { company_id: id.optional(), project_id: id.optional() };
const inNamespace = { namespace: namespace.default(NAMESPACE_DEFAULT) };
const oneQuery = z.object({ ...scopeQuery, ...inNamespace });

const tag = 'Webhooks';
const base = '/rest/v1.0/webhooks';

export const webhookEndpoints = {
  'webhook_hooks.list': endpoint({
    method: 'GET',
    path: `${base}/hooks`,
    params: {},
    query: followQuery({ ...scopeQuery, ...inNamespace }),
    referenceQuery: z.object({ ...scopeQuery, ...inNamespace, ...pagingQuery }),
    reply: rowsOrDeleted(webhookHook),
    paging: 'link',
    tag,
    summary: 'List the hooks of a company or project in a namespace',
  }),
  'webhook_hooks.create': endpoint({
    method: 'POST',
    path: `${base}/hooks`,
    params: {},
    body: z.object({ ...scopeBody, hook: webhookHookCreate }),
    reply: webhookHookCreated,
    status: 201,
    secret: true,
    tag,
    summary: 'Create a hook',
  }),
  'webhook_hooks.show': endpoint({
    method: 'GET',
    path: `${base}/hooks/{id}`,
    params: { id: pathId },
    query: oneQuery,
    reply: webhookHook,
    tag,
    summary: 'Show a hook',
  }),
  'webhook_hooks.update': endpoint({
    method: 'PATCH',
    path: `${base}/hooks/{id}`,
    params: { id: pathId },
    query: oneQuery,
    body: z.object({ hook: webhookHookUpdate }),
    reply: webhookHook,
    tag,
    summary: 'Update a hook',
  }),
  'webhook_hooks.delete': endpoint({
    method: 'DELETE',
    path: `${base}/hooks/{id}`,
    params: { id: pathId },
    query: oneQuery,
    tag,
    summary: 'Delete a hook with its triggers and deliveries',
  }),
  'webhook_triggers.list': endpoint({
    method: 'GET',
    path: `${base}/hooks/{target_id}/triggers`,
    params: { target_id: pathId },
    query: followQuery({ ...scopeQuery, ...inNamespace }),
    referenceQuery: z.object({ ...scopeQuery, ...inNamespace, ...pagingQuery }),
    reply: rowsOrDeleted(webhookTrigger),
    paging: 'link',
    tag,
    summary: 'List the triggers of a hook',
  }),
  'webhook_triggers.create': endpoint({
    method: 'POST',
    path: `${base}/hooks/{target_id}/triggers`,
    params: { target_id: pathId },
    query: oneQuery,
    body: z.object({ ...scopeBody, api_version: apiVersion, trigger: webhookTriggerCreate }),
    reply: webhookTrigger,
    status: 201,
    tag,
    summary: 'Create a trigger',
  }),
  'webhook_triggers.delete': endpoint({
    method: 'DELETE',
    path: `${base}/triggers/{id}`,
    params: { id: pathId },
    query: oneQuery,
    tag,
    summary: 'Delete a trigger',
  }),
  'webhook_deliveries.list': endpoint({
    method: 'GET',
    path: `${base}/hooks/{hook_id}/deliveries`,
    params: { hook_id: pathId },
    query: z.object({
      ...scopeQuery,
      ...inNamespace,
      ...pagingQuery,
      filters: deliveryFilter,
      /** The reference uses both spellings. */
      filter: deliveryFilter,
    }),
    reply: z.array(webhookDelivery),
    paging: 'link',
    tag,
    summary: 'List the deliveries of a hook, newest first',
  }),
  'webhook_resources.list': endpoint({
    method: 'GET',
    path: `${base}/resources`,
    params: {},
    reply: z.array(
      z.object({
        name: z.enum(webhookResourceNames),
        event_types: z.array(z.enum(webhookEventTypes)),
      }),
    ),
    tag,
    summary: 'What triggers can name',
  }),
};

type Shared = typeof webhookEndpoints;
type Vapid = {
  readonly [N in keyof Shared as `vapid_${N}`]: Endpoint<
    string,
    Shared[N]['params'],
    Shared[N]['query'],
    Shared[N]['body'],
    Shared[N]['reply']
  >;
};

/** The same endpoints under `/vapid/webhooks`, where the reference lists deliveries (decisions §9.1). */
export const vapidWebhookEndpoints = Object.fromEntries(
  Object.entries(webhookEndpoints).map(([name, spec]) => [
    `vapid_${name}`,
    { ...spec, path: spec.path.replace(base, '/vapid/webhooks') },
  ]),
) as unknown as Vapid;

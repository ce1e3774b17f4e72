/** The rules of triggers and deliveries (reference: Webhooks management; decisions §9). */
import {
  webhookEventTypesOf,
  webhookResourceNames,
  type WebhookDelivery,
  type WebhookTrigger,
  type WebhookTriggerCreate,
} from '../../../contract/rest/webhooks.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import * as store from '../../store/webhooks/webhooks.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { followedPage, followingOf, type FollowQuery } from '../following.ts';
import { pageOf, type Paged } from '../page.ts';
import { invalid, notFound } from '../problem.ts';
import { ownerOf, ownHook, type HookTarget, type Named, type WebhookContext } from './webhooks.ts';

const viewTrigger = (hook: store.HookRow, row: store.TriggerRow): WebhookTrigger => ({
  id: row.id,
  webhook_hook_id: row.hook_id,
  api_version: row.api_version,
  resource_name: row.resource_name as WebhookTrigger['resource_name'],
  event_type: row.event_type as WebhookTrigger['event_type'],
  ...ownerOf(hook),
});

const partOf = (hook: store.HookRow) => ({ company_id: hook.company_id, hook_id: hook.id });

export const listTriggers = async (context: WebhookContext, target: HookTarget & FollowQuery) => {
  const hook = await ownHook(context, target);
  const { db } = context;
  const view = (rows: readonly store.TriggerRow[]) => rows.map((row) => viewTrigger(hook, row));
  const following = followingOf(target);
  return following === null
    ? pageOf(target, {
        count: () => store.countTriggers(db, partOf(hook)),
        rows: (slice) => store.listTriggers(db, partOf(hook), slice),
        view,
      })
    : followedPage(target, {
        ...store.followTriggers(db, partOf(hook), following),
        rows: (ids) => store.listTriggersById(db, partOf(hook), ids),
        view,
      });
};

/** Refuses triggers for events that never occur. @throws Refusal 422 */
const requireHappens = ({ resource_name, event_type }: WebhookTriggerCreate): void => {
  const types = webhookEventTypesOf(resource_name);
  if (!types.includes(event_type))
    throw invalid({ 'trigger.event_type': [`of ${resource_name} is ${types.join(' or ')}`] });
};

/** The body may repeat the hook's owner, as in the reference. @throws Refusal 404, 422 */
export const createTrigger = async (
  context: WebhookContext,
  target: HookTarget,
  body: Named & { readonly api_version: string; readonly trigger: WebhookTriggerCreate },
): Promise<WebhookTrigger> => {
  const { db, company_id, now } = context;
  const hook = await ownHook(context, target);
  await ownHook(context, {
    id: target.id,
    namespace: target.namespace,
    company_id: body.company_id,
    project_id: body.project_id,
  });
  requireHappens(body.trigger);
  if (await store.hasTrigger(db, partOf(hook), body.trigger))
    throw invalid({ trigger: ['the hook has this trigger already'] });
  const row: store.TriggerRow = {
    company_id,
    id: await takeIds(db, 'webhook_triggers'),
    hook_id: hook.id,
    api_version: body.api_version,
    resource_name: body.trigger.resource_name,
    event_type: body.trigger.event_type,
    created_at: now,
    updated_at: await stampChange(db, company_id, now),
  };
  await store.insertTrigger(db, row);
  return viewTrigger(hook, row);
};

export const deleteTrigger = async (context: WebhookContext, target: HookTarget): Promise<void> => {
  const { db, company_id, now } = context;
  const trigger = await store.findTrigger(db, { company_id, id: target.id });
  if (!trigger) throw notFound();
  await ownHook(context, { ...target, id: trigger.hook_id });
  await store.deleteTrigger(db, trigger, await stampChange(db, company_id, now));
};

const viewDelivery = (row: store.DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event_id: row.event_ulid,
  started_at: wireTime(row.started_at),
  completed_at: wireTime(row.completed_at),
  response_status: row.response_status,
  response_headers: JSON.parse(row.response_headers) as Record<string, string>,
  response_error: row.response_error,
  response_body: row.response_body,
  outcome: row.outcome as WebhookDelivery['outcome'],
});

type StatusFilter = { readonly status?: store.DeliveryFilter | undefined } | undefined;

interface Filtered {
  readonly filters?: StatusFilter;
  readonly filter?: StatusFilter;
}

/** The reference documents both spellings, so both are accepted. If both are sent they must agree. @throws Refusal 422 */
const statusOf = ({ filters, filter }: Filtered): store.DeliveryFilter => {
  if (filters?.status && filter?.status && filters.status !== filter.status)
    throw invalid({ 'filter.status': ['must not be another than filters.status'] });
  return filters?.status ?? filter?.status ?? 'any';
};

/** Newest first (decisions §9.7). */
export const listDeliveries = async (
  context: WebhookContext,
  target: HookTarget & Paged & Filtered,
) => {
  const hook = partOf(await ownHook(context, target));
  const status = statusOf(target);
  return pageOf(target, {
    count: () => store.countDeliveries(context.db, hook, status),
    rows: (slice) => store.listDeliveries(context.db, hook, status, slice),
    view: (rows) => rows.map(viewDelivery),
    byId: {
      ids: (slice) => store.listDeliveryIds(context.db, hook, status, slice),
      rows: (ids) => store.listDeliveriesById(context.db, hook, ids),
    },
  });
};

export const listResources = () =>
  webhookResourceNames.map((name) => ({ name, event_types: [...webhookEventTypesOf(name)] }));

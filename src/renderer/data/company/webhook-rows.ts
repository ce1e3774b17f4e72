/**
 * Rows of hooks and triggers, with pending changes applied (reference: Webhook hook, trigger and delivery). Pure. Of
 * destination headers only the names are kept on this laptop; a signing secret is never kept.
 */
import type {
  WebhookEventType,
  WebhookHook,
  WebhookTrigger,
} from '../../../contract/rest/webhooks.ts';
import type { OptimisticPatch } from '../../operations/spec.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { briefOf, type PendingSummary } from '../near-misses/pending-operations.ts';
import { companyLane } from '../model/lanes.ts';
import type { HookFields, HookRow, OutboxOperation, TriggerRow } from '../db/db.ts';
import { accountMark } from '../model/near-miss-rows.ts';

const serverHookKey = (account: string, project_id: number, id: number): string =>
  `hook-srv-${accountMark(account)}-${project_id}-${id}`;
const serverTriggerKey = (account: string, project_id: number, id: number): string =>
  `trg-srv-${accountMark(account)}-${project_id}-${id}`;

/** The lane of a hook and its triggers. */
export const hookLane = (
  account: string,
  project_id: number,
  hook: { readonly key: string; readonly server_id: number | null },
): string =>
  companyLane(account, {
    kind: 'webhooks',
    project_id,
    hook: hook.key.startsWith('hook-srv-') ? String(hook.server_id ?? 0) : hook.key,
  });

export const rowOfHook = (
  place: { readonly account: string; readonly project_id: number },
  server: WebhookHook,
  had: HookRow | undefined,
  seen_at: number,
): HookRow => ({
  account: place.account,
  project_id: place.project_id,
  server_id: server.id,
  seen_at,
  key: had?.key ?? serverHookKey(place.account, place.project_id, server.id),
  scope: server.company_id === null ? 'project' : 'company',
  namespace: server.namespace,
  api_version: server.api_version,
  destination_url: server.destination_url,
  header_names: Object.keys(server.destination_headers),
  failing_since: server.failing_since ?? null,
  disabled_at: server.disabled_at ?? null,
  created_at: server.created_at,
  secret_unseen: had?.secret_unseen ?? false,
});

export const rowOfTrigger = (
  place: { readonly account: string; readonly project_id: number; readonly hook_key: string },
  server: WebhookTrigger,
  key: string | undefined,
  seen_at: number,
): TriggerRow => ({
  key: key ?? serverTriggerKey(place.account, place.project_id, server.id),
  account: place.account,
  project_id: place.project_id,
  hook_key: place.hook_key,
  seen_at,
  server_id: server.id,
  resource_name: server.resource_name,
  event_type: server.event_type,
});

export interface TriggerView {
  readonly key: string;
  readonly server_id: number | null;
  readonly resource_name: string;
  readonly event_type: WebhookEventType;
  readonly waiting: PendingSummary | null;
}

export interface HookView extends HookFields {
  readonly key: string;
  readonly lane: string;
  readonly server_id: number | null;
  readonly row: HookRow | null;
  readonly triggers: readonly TriggerView[];
  /** Pending operations of the hook itself. */
  readonly waiting: readonly PendingSummary[];
  /** The parked deletion of this hook, which therefore still exists. */
  readonly undeleted: PendingSummary | null;
}

type Mutable = { -readonly [K in keyof HookView]: HookView[K] };

type OverTrigger = Extract<OptimisticPatch, { puts: 'trigger' | 'no_trigger' }>;

const withTrigger = (view: Mutable, operation: OutboxOperation, over: OverTrigger): void => {
  const { trigger, trigger_key, trigger_id } = over;
  if (over.puts === 'trigger') {
    const rest = view.triggers.filter((one) => one.key !== trigger_key);
    const waiting = briefOf(operation);
    view.triggers = [...rest, { key: trigger_key, server_id: null, ...trigger, waiting }];
    return;
  }
  const meant = (one: TriggerView): boolean =>
    one.key === trigger_key || (one.server_id !== null && one.server_id === trigger_id);
  view.triggers =
    operation.state === 'parked'
      ? view.triggers.map((one) => (meant(one) ? { ...one, waiting: briefOf(operation) } : one))
      : view.triggers.filter((one) => !meant(one));
};

/**
 * The hooks with pending changes applied. Omits hooks with a pending deletion, unless it is parked. `operations`: those
 * of their lanes, by seq.
 */
export const showHooks = (
  rows: readonly HookRow[],
  triggers: readonly TriggerRow[],
  operations: readonly OutboxOperation[],
): readonly HookView[] => {
  const views = new Map<string, Mutable>();
  for (const row of rows) {
    const { key, server_id, scope, namespace, api_version, destination_url } = row;
    const lane = hookLane(row.account, row.project_id, row);
    const own = triggers.filter((one) => one.hook_key === key);
    views.set(key, {
      key,
      lane,
      server_id,
      row,
      scope,
      namespace,
      api_version,
      destination_url,
      triggers: own.map((one) => ({ ...one, waiting: null })),
      waiting: [],
      undeleted: null,
    });
  }
  for (const operation of operations) {
    const over = optimisticPatchOf(operation);
    if (over === null || !('record_key' in over)) continue;
    const { record_key, server_id } = over;
    const known =
      views.get(record_key) ??
      [...views.values()].find((one) => one.server_id !== null && one.server_id === server_id);
    if (over.puts === 'hook' && over.is_new) {
      const { scope = 'project', namespace = '', api_version = '' } = over.hook;
      views.set(record_key, {
        key: record_key,
        lane: operation.lane,
        server_id: null,
        row: null,
        scope,
        namespace,
        api_version,
        destination_url: over.hook.destination_url ?? '',
        triggers: known?.triggers ?? [],
        waiting: [briefOf(operation)],
        undeleted: null,
      });
    } else if (over.puts === 'no_hook' && known && operation.state === 'parked')
      known.undeleted = briefOf(operation);
    else if (over.puts === 'no_hook') views.delete(known?.key ?? '');
    else if (over.puts === 'hook' && known) {
      Object.assign(known, over.hook);
      known.waiting = [...known.waiting, briefOf(operation)];
    } else if (known && (over.puts === 'trigger' || over.puts === 'no_trigger'))
      withTrigger(known, operation, over);
  }
  return [...views.values()];
};

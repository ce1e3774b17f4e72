/**
 * Pure: hooks and their triggers, with what waits laid over (reference: Webhook hook, trigger and delivery). Of destination
 * headers only the names are kept on this laptop, and a signing secret never is.
 */
import type {
  WebhookEventType,
  WebhookHook,
  WebhookTrigger,
} from '../../../contract/rest/webhooks.ts';
import type { Over } from '../../entries/answers.ts';
import { overOf } from '../../entries/entry.ts';
import { briefOf, type WaitingBrief } from '../waiting-entries.ts';
import { companyLane } from '../lanes.ts';
import type { HookFields, HookRow, OutboxEntry, TriggerRow } from '../db.ts';
import { accountMark } from '../near-miss-rows.ts';

export const serverHookKey = (account: string, project_id: number, id: number): string =>
  `hook-srv-${accountMark(account)}-${project_id}-${id}`;
export const serverTriggerKey = (account: string, project_id: number, id: number): string =>
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
  readonly waiting: WaitingBrief | null;
}

export interface HookView extends HookFields {
  readonly key: string;
  readonly lane: string;
  readonly server_id: number | null;
  readonly row: HookRow | null;
  readonly triggers: readonly TriggerView[];
  /** What waits for the hook itself. */
  readonly waiting: readonly WaitingBrief[];
  /** The hook was deleted here, and that is parked: it is still there. */
  readonly undeleted: WaitingBrief | null;
}

type Mutable = { -readonly [K in keyof HookView]: HookView[K] };

type OverTrigger = Extract<Over, { puts: 'trigger' | 'no_trigger' }>;

const withTrigger = (view: Mutable, entry: OutboxEntry, over: OverTrigger): void => {
  const { trigger, trigger_key, trigger_id } = over;
  if (over.puts === 'trigger') {
    const rest = view.triggers.filter((one) => one.key !== trigger_key);
    const waiting = briefOf(entry);
    view.triggers = [...rest, { key: trigger_key, server_id: null, ...trigger, waiting }];
    return;
  }
  const meant = (one: TriggerView): boolean =>
    one.key === trigger_key || (one.server_id !== null && one.server_id === trigger_id);
  view.triggers =
    entry.state === 'parked'
      ? view.triggers.map((one) => (meant(one) ? { ...one, waiting: briefOf(entry) } : one))
      : view.triggers.filter((one) => !meant(one));
};

/** The hooks with what waits on top; those being deleted are not among them, unless that was refused. `entries`: of their lanes, by seq. */
export const showHooks = (
  rows: readonly HookRow[],
  triggers: readonly TriggerRow[],
  entries: readonly OutboxEntry[],
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
  for (const entry of entries) {
    const over = overOf(entry);
    if (over === null || !('record_key' in over)) continue;
    const { record_key, server_id } = over;
    const known =
      views.get(record_key) ??
      [...views.values()].find((one) => one.server_id !== null && one.server_id === server_id);
    if (over.puts === 'hook' && over.is_new) {
      const { scope = 'project', namespace = '', api_version = '' } = over.hook;
      views.set(record_key, {
        key: record_key,
        lane: entry.lane,
        server_id: null,
        row: null,
        scope,
        namespace,
        api_version,
        destination_url: over.hook.destination_url ?? '',
        triggers: known?.triggers ?? [],
        waiting: [briefOf(entry)],
        undeleted: null,
      });
    } else if (over.puts === 'no_hook' && known && entry.state === 'parked')
      known.undeleted = briefOf(entry);
    else if (over.puts === 'no_hook') views.delete(known?.key ?? '');
    else if (over.puts === 'hook' && known) {
      Object.assign(known, over.hook);
      known.waiting = [...known.waiting, briefOf(entry)];
    } else if (known && (over.puts === 'trigger' || over.puts === 'no_trigger'))
      withTrigger(known, entry, over);
  }
  return [...views.values()];
};

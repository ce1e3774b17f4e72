/**
 * Edits and reads webhooks. URLs and triggers are queued in the hook's lane like any other change. Secrets
 * (destination headers, signing secrets) are sent at once or not at all and are never stored here. Deliveries exist
 * only on the server.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type {
  WebhookDelivery,
  WebhookEventType,
  WebhookHook,
  WebhookTrigger,
} from '../../../contract/rest/webhooks.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { trigger as queuedTrigger, webhook } from '../../operations/queued.ts';
import type { HookPlace, TriggerToMake } from '../../operations/company/webhook.ts';
import { dropOperation, type QueueChange, replaceOperation } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { mirror } from '../db/mirror.ts';
import { askHooks, askTriggers, dropHook, ownerOf, putHook } from './webhook-server.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import {
  enqueueIn,
  operationsUnder,
  type Place,
  laneOperations,
} from '../near-misses/pending-operations.ts';
import { lanesOf } from '../model/lanes.ts';
import type {
  Deps,
  HookFields,
  HookRow,
  OutboxOperation,
  SpotterDb,
  TriggerRow,
} from '../db/db.ts';
import {
  hookLane,
  type HookView,
  rowOfHook,
  rowOfTrigger,
  showHooks,
  type TriggerView,
} from './webhook-rows.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';
import { forgetSecret, holdSecret } from './signing-secrets.ts';

const tables = (db: SpotterDb) => [db.hooks, db.triggers];

/** liveQuery: the hooks of a project's screen, with pending changes applied. */
export const listHooks = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Place,
): Promise<readonly HookView[]> => {
  const rows = await db.hooks.where({ account, project_id }).toArray();
  const triggers = await db.triggers
    .where('hook_key')
    .anyOf(rows.map(({ key }) => key))
    .toArray();
  const operations = await operationsUnder(db, `${lanesOf('webhooks', account, project_id)}-`);
  return showHooks(rows, triggers, operations);
};

/** Display name of a hook: the host of its URL. The rest of the URL may be a secret of the receiver. */
export const hookName = ({ destination_url }: Pick<HookFields, 'destination_url'>): string =>
  URL.canParse(destination_url) ? new URL(destination_url).host : destination_url.slice(0, 60);

const placeOf = ({ scope, namespace }: HookView): HookPlace => ({ scope, namespace });

const common = ({ company_id, project_id }: RefreshScope, view: HookView) => ({
  key: view.lane,
  company_id,
  project_id,
  about: hookName(view),
  record_key: view.key,
  server_id: view.server_id,
  place: placeOf(view),
});

/** Queues a new hook without headers. Returns its key. */
export const queueHook = (
  deps: Deps,
  { account, company_id, project_id }: RefreshScope,
  hook: HookFields,
): Promise<Result<string>> =>
  changeQueue(deps, tables, async (change) => {
    const record_key = ulid();
    const key = hookLane(account, project_id, { key: record_key, server_id: null });
    const made = webhook.create({
      key,
      company_id,
      project_id,
      record_key,
      hook,
      about: hookName(hook),
    });
    await enqueueIn(deps, change, account, made);
    return record_key;
  });

export const queueHookChange = (
  deps: Deps,
  scope: RefreshScope,
  view: HookView,
  hook: Pick<HookFields, 'api_version' | 'destination_url'>,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    const now = deps.clock.now();
    const operations = await laneOperations(deps.db, view.lane);
    const [create] = webhook.create.in(operations);
    if (create !== undefined && provablyNotSent(create)) {
      const changed = { ...create.payload.hook, ...hook };
      const about = hookName(changed);
      const next = webhook.create({ ...create.payload, hook: changed, about });
      await replaceOperation(deps.db, change, create, next, now);
      return null;
    }
    const made = webhook.update({ ...common(scope, view), about: hookName(hook), hook });
    const last = webhook.update.read(operations.at(-1));
    if (last !== null && last.state !== 'sending')
      await replaceOperation(deps.db, change, last, made, now);
    else await enqueueIn(deps, change, scope.account, made);
    return null;
  });

/**
 * Deletes a hook. `cancelled`: never sent, no trace left. `queued`: the deletion is sent later. `conflict`: its
 * create is parked and the server may have it.
 */
export const removeHook = async (
  deps: Deps,
  scope: RefreshScope,
  view: HookView,
): Promise<Result<'cancelled' | 'queued'>> => {
  const done = await changeQueue(deps, tables, async (change) => {
    const operations = await laneOperations(deps.db, view.lane);
    const [create] = webhook.create.in(operations);
    if (create !== undefined && !provablyNotSent(create) && create.state === 'parked')
      return 'conflict' as const;
    for (const operation of operations)
      if (provablyNotSent(operation)) await dropOperation(deps.db, change, operation);
    if (create !== undefined && provablyNotSent(create)) return 'cancelled' as const;
    await enqueueIn(deps, change, scope.account, webhook.delete(common(scope, view)));
    return 'queued' as const;
  });
  if (!done.ok) return done;
  if (done.value === 'conflict') return fail({ kind: 'conflict', status: 409, messages: [] });
  forgetSecret(view.key);
  return ok(done.value);
};

const queueTrigger = async (
  deps: Deps,
  change: QueueChange,
  scope: RefreshScope,
  view: HookView,
  trigger: TriggerToMake['trigger'],
): Promise<void> => {
  const { api_version } = view;
  const made = queuedTrigger.create({
    ...common(scope, view),
    trigger_key: ulid(),
    api_version,
    trigger,
    about: `${trigger.resource_name} (${trigger.event_type})`,
  });
  await enqueueIn(deps, change, scope.account, made);
};

/**
 * Subscribes the hook to an event or unsubscribes it. A pending opposite change that was never sent is cancelled
 * instead.
 */
export const setTrigger = (
  deps: Deps,
  scope: RefreshScope,
  view: HookView,
  trigger: { readonly resource_name: string; readonly event_type: WebhookEventType },
  on: boolean,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    const { resource_name, event_type } = trigger;
    const same = (one: Pick<TriggerView, 'resource_name' | 'event_type'>): boolean =>
      one.resource_name === resource_name && one.event_type === event_type;
    const wishOf = (operation: OutboxOperation): boolean | null => {
      const over = optimisticPatchOf(operation);
      const about = over?.puts === 'trigger' || over?.puts === 'no_trigger';
      return about && same(over.trigger) ? over.puts === 'trigger' : null;
    };
    const operations = await laneOperations(deps.db, view.lane);
    // The last queued change counts.
    const last = operations.findLast((operation) => wishOf(operation) !== null);
    if (last !== undefined && wishOf(last) === on) return null;
    if (last !== undefined && provablyNotSent(last)) {
      await dropOperation(deps.db, change, last);
      return null;
    }
    if (on) await queueTrigger(deps, change, scope, view, { resource_name, event_type });
    else {
      const known = view.triggers.find(same);
      if (known === undefined) return null;
      const made = queuedTrigger.delete({
        ...common(scope, view),
        trigger_key: known.key,
        trigger_id: known.server_id,
        trigger: { resource_name, event_type },
        about: `${resource_name} (${event_type})`,
      });
      await enqueueIn(deps, change, scope.account, made);
    }
    return null;
  });

/** Header values by name; they are dropped with the form. */
export type Headers = Readonly<Record<string, string>>;

const keep = async (
  { db, clock }: Deps,
  place: Place,
  server: WebhookHook,
  key?: string,
): Promise<string> =>
  db.transaction('rw', db.hooks, db.triggers, () =>
    putHook(db, place, server, { ...(key === undefined ? {} : { key }), seen_at: clock.tick() }),
  );

/**
 * Creates a hook with headers online. `idempotency_key`: use the same key for the same content, so that a retry after
 * a lost response creates no second hook. Holds the signing secret for display. Returns the hook's key.
 */
export const createHookNow = async (
  deps: Deps,
  scope: RefreshScope,
  { scope: whose, ...hook }: HookFields,
  destination_headers: Headers,
  idempotency_key: string,
): Promise<Result<string>> => {
  const answer = await deps.host.request('webhook_hooks.create', {
    params: {},
    body: { ...ownerOf({ scope: whose }, scope), hook: { ...hook, destination_headers } },
    idempotency_key,
  });
  if (!answer.ok) return answer;
  const { signing_secret, ...server } = answer.value.data;
  const key = await keep(deps, scope, server);
  if (signing_secret !== undefined) holdSecret(key, signing_secret);
  return ok(key);
};

const needServerId = ({ server_id }: HookView): Result<number> =>
  server_id === null ? fail({ kind: 'gone', status: 404, messages: [] }) : ok(server_id);

const queryOf = (scope: RefreshScope, view: HookView) => ({
  ...ownerOf(view, scope),
  namespace: view.namespace,
});

/** Changes a hook and replaces all its headers, online. */
export const changeHookNow = async (
  deps: Deps,
  scope: RefreshScope,
  view: HookView,
  hook: Pick<HookFields, 'api_version' | 'destination_url'>,
  destination_headers: Headers,
): Promise<Result<null>> => {
  const id = needServerId(view);
  if (!id.ok) return id;
  const answer = await deps.host.request('webhook_hooks.update', {
    params: { id: id.value },
    query: queryOf(scope, view),
    body: { hook: { ...hook, destination_headers } },
  });
  if (!answer.ok) return answer;
  await keep(deps, scope, answer.value.data, view.key);
  return ok(null);
};

/** [ours] Creates a new signing secret and holds it for display. Returns the time until which the old secret is valid. */
export const newSecret = async (
  deps: Deps,
  scope: RefreshScope,
  view: HookView,
  keep_previous: boolean,
): Promise<Result<string | null>> => {
  const id = needServerId(view);
  if (!id.ok) return id;
  const answer = await deps.host.request('webhook_signing_secrets.create', {
    params: { hook_id: id.value },
    query: queryOf(scope, view),
    body: { keep_previous },
  });
  if (!answer.ok) return answer;
  holdSecret(view.key, answer.value.data.signing_secret);
  return ok(answer.value.data.previous_valid_until);
};

/** Drops the secret from memory after a person has copied it. */
export const secretSeen = async ({ db }: Pick<Deps, 'db'>, key: string): Promise<void> => {
  forgetSecret(key);
  await db.hooks.update(key, { secret_unseen: false });
};

/** Resources that triggers can name; null if the server does not list them. */
export const listResources = async ({ host }: Pick<Deps, 'host'>) => {
  const answer = await host.request('webhook_resources.list', { params: {} });
  return answer.ok ? answer.value.data : null;
};

export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly total: number;
  readonly has_next: boolean;
}

/** A page of deliveries, newest first (decisions §9.7). */
export const listDeliveries = async (
  { host }: Pick<Deps, 'host'>,
  scope: RefreshScope,
  view: HookView,
  options: { readonly status: 'any' | 'successful' | 'failing'; readonly page: number },
): Promise<Result<DeliveryPage>> => {
  const id = needServerId(view);
  if (!id.ok) return id;
  const { status, page } = options;
  const answer = await host.request('webhook_deliveries.list', {
    params: { hook_id: id.value },
    query: { ...queryOf(scope, view), page, per_page: 50, filters: { status } },
  });
  if (!answer.ok) return answer;
  const { data, paging } = answer.value;
  return ok({
    deliveries: data,
    total: paging?.total ?? data.length,
    has_next: paging?.has_next ?? false,
  });
};

const refreshTriggers = async (
  deps: Deps,
  scope: RefreshScope,
  place: HookPlace,
  { key: hook_key, server_id }: Pick<HookRow, 'key' | 'server_id'>,
): Promise<Result<null>> => {
  const { triggers } = deps.db;
  const { account, project_id } = scope;
  const held = () => triggers.where('hook_key').equals(hook_key).toArray();
  const done = await mirror<WebhookTrigger, TriggerRow>(deps, {
    table: triggers,
    ask: (query) => askTriggers(deps, scope, place, server_id, query),
    known: held,
    idOf: ({ id }) => id,
    rowIdOf: (row) => row.server_id,
    rowOf: (server, had, seen_at) =>
      rowOfTrigger({ account, project_id, hook_key }, server, had?.key, seen_at),
    held,
    drop: (rows) => triggers.bulkDelete(rows.map(({ key }) => key)),
  });
  // The hook was deleted between the two requests; the next refresh removes it.
  return done.ok || done.problem.kind === 'gone' ? ok(null) : done;
};

/** Refreshes the hooks of a namespace and their triggers. */
export const refreshHooks = async (
  deps: Deps,
  scope: RefreshScope,
  place: HookPlace,
): Promise<Result<null>> => {
  const { hooks, triggers } = deps.db;
  const { account, project_id } = scope;
  const ofPlace = (row: HookRow): boolean =>
    row.scope === place.scope && row.namespace === place.namespace;
  const held = () => hooks.where({ account, project_id }).and(ofPlace).toArray();
  const done = await mirror<WebhookHook, HookRow>(deps, {
    table: hooks,
    with: [triggers],
    ask: (query) => askHooks(deps, scope, place, query),
    known: (copies) =>
      hooks
        .where('[account+server_id]')
        .anyOf(copies.map(({ id }) => [account, id]))
        .and((row) => row.project_id === project_id)
        .toArray(),
    idOf: ({ id }) => id,
    rowIdOf: ({ server_id }) => server_id,
    rowOf: (server, had, seen_at) => rowOfHook(scope, server, had, seen_at),
    held,
    drop: (rows) => Promise.all(rows.map(({ key }) => dropHook(deps.db, key))),
  });
  if (!done.ok) return done;
  for (const row of await held()) {
    if (!done.value.has(row.server_id)) continue;
    const refreshed = await refreshTriggers(deps, scope, place, row);
    if (!refreshed.ok) return refreshed;
  }
  return ok(null);
};

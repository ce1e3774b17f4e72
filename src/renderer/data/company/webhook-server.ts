/** Requests hooks and triggers from the server and stores the responses as rows. */
import { everyRow, type PageAsked } from '../../../contract/rest/protocol/every-page.ts';
import type { Result } from '../../../contract/problem.ts';
import type { WebhookHook, WebhookTrigger } from '../../../contract/rest/webhooks.ts';
import type { Place } from '../near-misses/pending-operations.ts';
import type { Deps, SpotterDb } from '../db/db.ts';
import { rowOfHook, rowOfTrigger } from './webhook-rows.ts';
import type { HookPlace } from '../../operations/company/webhook.ts';

type Ids = { readonly company_id: number; readonly project_id: number };

/** The API requires exactly one of the two (decisions §9.1). */
export const ownerOf = ({ scope }: Pick<HookPlace, 'scope'>, ids: Ids) =>
  scope === 'company' ? { company_id: ids.company_id } : { project_id: ids.project_id };

export const hookQuery = (payload: Ids & { readonly place: HookPlace }) => ({
  ...ownerOf(payload.place, payload),
  namespace: payload.place.namespace,
});

const PAGE_SIZE = 1000;

export const askHooks = (
  { host }: Pick<Deps, 'host'>,
  ids: Ids,
  place: HookPlace,
  paging: PageAsked,
) =>
  host.request('webhook_hooks.list', {
    params: {},
    query: { ...ownerOf(place, ids), namespace: place.namespace, ...paging },
  });

export const listHooksOf = (
  deps: Pick<Deps, 'host'>,
  ids: Ids,
  place: HookPlace,
): Promise<Result<WebhookHook[]>> =>
  everyRow(PAGE_SIZE, (paging) => askHooks(deps, ids, place, paging));

export const askTriggers = (
  { host }: Pick<Deps, 'host'>,
  ids: Ids,
  place: HookPlace,
  hook_id: number,
  paging: PageAsked,
) =>
  host.request('webhook_triggers.list', {
    params: { target_id: hook_id },
    query: { ...ownerOf(place, ids), namespace: place.namespace, ...paging },
  });

export const listTriggersOf = (
  deps: Pick<Deps, 'host'>,
  ids: Ids,
  place: HookPlace,
  hook_id: number,
): Promise<Result<WebhookTrigger[]>> =>
  everyRow(PAGE_SIZE, (paging) => askTriggers(deps, ids, place, hook_id, paging));

/** Stores the server's copy inside a transaction, under its local key. */
export const putHook = async (
  db: SpotterDb,
  place: Place,
  server: WebhookHook,
  options: { readonly key?: string; readonly secret_unseen?: boolean; readonly seen_at: number },
): Promise<string> => {
  const here = await db.hooks
    .where('[account+server_id]')
    .equals([place.account, server.id])
    .and((row) => row.project_id === place.project_id)
    .first();
  const row = rowOfHook(place, server, here, options.seen_at);
  const key = options.key ?? row.key;
  if (here !== undefined && here.key !== key) {
    await db.hooks.delete(here.key);
    await db.triggers.where('hook_key').equals(here.key).delete();
  }
  const secret_unseen = options.secret_unseen ?? row.secret_unseen;
  await db.hooks.put({ ...row, key, secret_unseen });
  return key;
};

export const dropHook = async (db: SpotterDb, key: string): Promise<void> => {
  await db.hooks.delete(key);
  await db.triggers.where('hook_key').equals(key).delete();
};

export const putTrigger = async (
  db: SpotterDb,
  place: Place & { readonly hook_key: string },
  server: WebhookTrigger,
  key: string | undefined,
  seen_at: number,
): Promise<void> => {
  await db.triggers
    .where('hook_key')
    .equals(place.hook_key)
    .and((row) => row.server_id === server.id && row.key !== key)
    .delete();
  await db.triggers.put(rowOfTrigger(place, server, key, seen_at));
};

/** The rules of hooks (reference: Webhooks management, Events; decisions §9). */
import type {
  WebhookHook,
  WebhookHookCreate,
  WebhookHookUpdate,
} from '../../../contract/rest/webhooks.ts';
import type { Db } from '../../store/engine/db.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { projectExists } from '../../store/users.ts';
import * as store from '../../store/webhooks/webhooks.ts';
import { requireMatch, versionTag } from '../etag.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { followedPage, followingOf, type FollowQuery } from '../following.ts';
import { pageOf } from '../page.ts';
import { forbidden, invalid, notFound } from '../problem.ts';
import { judgeHeaders, maskHeaders, hasMasked, mergeHeaders } from './webhook-headers.ts';
import type { JudgeUrl, Secrets } from './webhook-ports.ts';
import { openHeaders, sealHeaders, sealSigningSecret } from './webhook-secrets.ts';

export interface WebhookContext {
  readonly db: Db;
  /** The company of the header. */
  readonly company_id: number;
  readonly user_id: number;
  readonly now: number;
  /** The same time on the steady clock, which expiry uses. */
  readonly steady: number;
  readonly secrets: Secrets;
}

/** The owner, company or project, as a query or body names it. */
export interface Named {
  readonly company_id?: number | undefined;
  readonly project_id?: number | undefined;
}

export interface HookTarget extends Named {
  readonly id: number;
  readonly namespace: string;
}

const refuseBoth = ({ company_id, project_id }: Named): void => {
  if (company_id !== undefined && project_id !== undefined)
    throw invalid({ project_id: ['must not be given together with company_id'] });
};

/** The project, or null for the company. @throws Refusal 422, 403, 404 */
const scopeOf = async (
  { db, company_id }: WebhookContext,
  named: Named,
): Promise<number | null> => {
  refuseBoth(named);
  const { project_id } = named;
  if (named.company_id === undefined && project_id === undefined)
    throw invalid({ company_id: ['is required: give either company_id or project_id'] });
  if (named.company_id !== undefined && named.company_id !== company_id)
    throw forbidden('company_id is not the one of Service-Company-Id.');
  if (project_id !== undefined && !(await projectExists(db, { company_id, project_id })))
    throw notFound();
  return project_id ?? null;
};

/** A hook of another company, project or namespace counts as missing (decisions §9.1). @throws Refusal 422, 404 */
export const ownHook = async (
  { db, company_id }: WebhookContext,
  target: HookTarget,
): Promise<store.HookRow> => {
  refuseBoth(target);
  const hook = await store.findHook(db, { company_id, id: target.id });
  if (hook?.namespace !== target.namespace) throw notFound();
  if (target.project_id !== undefined && hook.project_id !== target.project_id) throw notFound();
  if (
    target.company_id !== undefined &&
    (target.company_id !== company_id || hook.project_id !== null)
  )
    throw notFound();
  return hook;
};

/** The hook's owner as responses name it: company or project. */
export const ownerOf = (hook: Pick<store.HookRow, 'company_id' | 'project_id'>) => ({
  company_id: hook.project_id === null ? hook.company_id : null,
  project_id: hook.project_id,
});

const viewHook = (secrets: Secrets, row: store.HookRow): WebhookHook => ({
  id: row.id,
  api_version: row.api_version,
  namespace: row.namespace,
  destination_url: row.destination_url,
  // Empty if the encryption key has changed.
  destination_headers: maskHeaders(openHeaders(secrets, row) ?? {}),
  ...ownerOf(row),
  failing_since: wireTimeOrNull(row.failing_since),
  disabled_at: wireTimeOrNull(row.disabled_at),
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
});

const tagOf = (row: store.HookRow): string => versionTag(row);

export const listHooks = async (
  context: WebhookContext,
  query: Named & FollowQuery & { readonly namespace: string },
) => {
  const { db, company_id, secrets } = context;
  const project_id = await scopeOf(context, query);
  const scope = { company_id, project_id, namespace: query.namespace };
  const view = (rows: readonly store.HookRow[]) => rows.map((row) => viewHook(secrets, row));
  const following = followingOf(query);
  return following === null
    ? pageOf(query, {
        count: () => store.countHooks(db, scope),
        rows: (slice) => store.listHooks(db, scope, slice),
        view,
      })
    : followedPage(query, {
        ...store.followHooks(db, scope, following),
        rows: (ids) => store.listHooksById(db, scope, ids),
        view,
      });
};

export const showHook = async (context: WebhookContext, target: HookTarget) => {
  const hook = await ownHook(context, target);
  return { data: viewHook(context.secrets, hook), etag: tagOf(hook) };
};

/** Validation that must run before the transaction, because it waits for DNS. @throws Refusal 422 */
export const checkDestination = async (
  hook: WebhookHookUpdate,
  judgeUrl: JudgeUrl,
): Promise<void> => {
  const url = hook.destination_url;
  const wrong = url === undefined ? null : await judgeUrl(url);
  const errors = {
    ...(wrong === null ? {} : { 'hook.destination_url': [wrong] }),
    ...judgeHeaders(hook.destination_headers ?? {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
};

/** `secret`: a new signing secret, shown only in this response. @throws Refusal 403, 404, 422 */
export const createHook = async (
  context: WebhookContext,
  named: Named,
  body: WebhookHookCreate,
  { secret, hooks_max }: { readonly secret: string; readonly hooks_max: number },
) => {
  const { db, company_id, user_id, now, secrets } = context;
  const project_id = await scopeOf(context, named);
  if ((await store.countCompanyHooks(db, company_id)) >= hooks_max)
    throw invalid({ hook: [`a company has at most ${hooks_max} hooks: delete one first`] });
  const key = { company_id, id: await takeIds(db, 'webhook_hooks') };
  const row: store.HookRow = {
    ...key,
    project_id,
    namespace: body.namespace,
    api_version: body.api_version,
    destination_url: body.destination_url,
    destination_headers: sealHeaders(secrets, key, body.destination_headers ?? {}),
    signing_secret: sealSigningSecret(secrets, key, secret),
    previous_signing_secret: null,
    previous_signing_secret_until: null,
    created_by: user_id,
    created_at: now,
    updated_at: await stampChange(db, company_id, now),
    version: 1,
    failures: 0,
    failing_since: null,
    next_attempt_at: 0,
    disabled_at: null,
    lease_owner: null,
    lease_until: 0,
  };
  await store.insertHook(db, row);
  return { ...viewHook(secrets, row), signing_secret: secret };
};

const SAY_HEADERS_AGAIN =
  'must be given again, in full, for another address: those that were kept go only where they were meant to go ({} for none)';

/**
 * Stored headers go only to the origin they were given for. A new origin requires them again, because a user who moves a hook
 * need not know its password. @throws Refusal 422
 */
const changedHeaders = (secrets: Secrets, hook: store.HookRow, body: WebhookHookUpdate) => {
  const had = openHeaders(secrets, hook) ?? {};
  const moves =
    body.destination_url !== undefined &&
    new URL(body.destination_url).origin !== new URL(hook.destination_url).origin;
  const kept = moves ? {} : had;
  const given = body.destination_headers;
  if (moves && Object.keys(had).length > 0 && (given === undefined || hasMasked(had, given ?? {})))
    throw invalid({ 'hook.destination_headers': [SAY_HEADERS_AGAIN] });
  if (given === undefined) return {};
  const headers = mergeHeaders(kept, given ?? {});
  return { destination_headers: sealHeaders(secrets, hook, headers) };
};

/** Changes a hook and retries it at once, even if it was disabled. */
export const updateHook = async (
  context: WebhookContext,
  target: HookTarget,
  body: WebhookHookUpdate,
  if_match: string | undefined,
) => {
  const { db, user_id, now, secrets } = context;
  const hook = await ownHook(context, target);
  requireMatch(if_match, tagOf(hook));
  if (body.namespace !== undefined && body.namespace !== hook.namespace)
    throw invalid({ 'hook.namespace': ['cannot be changed: make another hook'] });
  const updated_at = await stampChange(db, hook.company_id, now);
  if (body.api_version !== undefined)
    await store.moveTriggers(
      db,
      hook,
      { from: hook.api_version, to: body.api_version },
      updated_at,
    );
  await store.updateHook(db, hook, {
    ...(body.api_version === undefined ? {} : { api_version: body.api_version }),
    // The user who sets the destination becomes `created_by`: the hook receives only what this user may see (decisions §4.5).
    ...(body.destination_url === undefined
      ? {}
      : { destination_url: body.destination_url, created_by: user_id }),
    ...changedHeaders(secrets, hook, body),
    updated_at,
    version: hook.version + 1,
    failures: 0,
    failing_since: null,
    next_attempt_at: 0,
    disabled_at: null,
  });
  return showHook(context, target);
};

export const deleteHook = async (
  context: WebhookContext,
  target: HookTarget,
  if_match: string | undefined,
): Promise<void> => {
  const hook = await ownHook(context, target);
  requireMatch(if_match, tagOf(hook));
  const { db, now } = context;
  await store.deleteHook(db, hook, await stampChange(db, hook.company_id, now));
};

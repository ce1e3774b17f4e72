/**
 * `hook.create`: a new webhook without headers (decisions §9). One with headers never comes here: they are secrets, and what
 * waits is written down twice on this laptop. The signing secret of the answer is handed to whoever looks and kept nowhere.
 * A server without idempotency keys is asked first whether an earlier try has made it.
 */
import { ok } from '../../../contract/problem.ts';
import type { WebhookHook } from '../../../contract/rest/webhooks.ts';
import { holdSecret } from '../../data/signing-secrets.ts';
import { mayBeDouble } from './company.ts';
import { listHooksOf, ownerOf, putHook } from './webhooks.ts';
import type { Operation } from './operation.ts';

interface Made {
  readonly server: WebhookHook;
  /** Null where the server signs nothing, or the hook was found. */
  readonly secret: string | null;
}

export const hookCreateOperation: Operation<'hook.create', Made> = {
  async send(payload, context) {
    const { hook } = payload;
    const { scope: _scope, ...body } = hook;
    const double = await mayBeDouble(context, payload.project_id);
    if (!double.ok) return double;
    if (double.value) {
      const all = await listHooksOf(context, payload, hook);
      if (!all.ok) return all;
      const { account } = context.entry;
      const ids = all.value.map(({ id }) => [account, id]);
      const rows = await context.db.hooks.where('[account+server_id]').anyOf(ids).toArray();
      const mine = new Set(
        rows.flatMap((row) => (row.key.startsWith('hook-srv-') ? [] : [row.server_id])),
      );
      const found = all.value.find(
        (one) => one.destination_url === body.destination_url && !mine.has(one.id),
      );
      if (found) return ok({ server: found, secret: null });
    }
    const answer = await context.host.request('webhook_hooks.create', {
      params: {},
      body: { ...ownerOf(hook, payload), hook: body },
      idempotency_key: context.entry.id,
    });
    if (!answer.ok) return answer;
    const { signing_secret, ...server } = answer.value.data;
    return ok({ server, secret: signing_secret ?? null });
  },

  async settle({ record_key, project_id }, { server, secret }, { db, entry, seen_at }) {
    if (secret !== null) holdSecret(record_key, secret);
    await putHook(db, { account: entry.account, project_id }, server, {
      key: record_key,
      secret_unseen: secret !== null,
      seen_at,
    });
    return [{ local_id: record_key, server_id: server.id }];
  },
};

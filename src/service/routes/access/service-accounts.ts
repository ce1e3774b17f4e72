/** [ours] Service accounts, their secrets, and what a token is (decisions §12.8). Their bearers: http/oauth/. */
import type { serviceAccountEndpoints } from '../../../contract/rest/access/service-accounts.ts';
import { showTokenInfo } from '../../domain/access/bearers.ts';
import * as accounts from '../../domain/access/service-accounts.ts';
import { actorOf } from '../context.ts';
import type { HandlersOf } from '../handler.ts';

export const serviceAccountHandlers: HandlersOf<
  keyof typeof serviceAccountEndpoints | 'tokens.introspect'
> = {
  'service_accounts.list': ({ db, company_id, now, query }) =>
    accounts.listAccounts(db, company_id, now, query),
  'service_accounts.create': async (call) => ({
    data: await accounts.createAccount(call.db, actorOf(call), call.body.service_account),
  }),
  'service_accounts.delete': async (call) => {
    await accounts.deleteAccount(call.db, actorOf(call), call.params.id);
    return { data: undefined };
  },
  'service_account_secrets.create': async (call) => {
    const overlap = call.body.keep_previous ? call.app.options['account-secret-overlap'] : 0;
    return { data: await accounts.rotateSecret(call.db, actorOf(call), call.params.id, overlap) };
  },
  'tokens.introspect': async ({ db, token, now }) => ({
    data: await showTokenInfo(db, token.hash, now),
  }),
};

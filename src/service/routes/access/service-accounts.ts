/** [ours] Service accounts, their secrets, and what a token is (decisions §12.8). Their bearers: http/oauth/. */
import type { serviceAccountEndpoints } from '../../../contract/rest/access/service-accounts.ts';
import { showTokenInfo } from '../../domain/access/bearers.ts';
import * as accounts from '../../domain/access/service-accounts.ts';
import type { HandlersOf } from '../handler.ts';

export const serviceAccountHandlers: HandlersOf<
  keyof typeof serviceAccountEndpoints | 'tokens.introspect'
> = {
  'service_accounts.list': ({ db, company_id, now, query }) =>
    accounts.listAccounts(db, company_id, now, query),
  'service_accounts.create': async ({ db, company_id, body, now }) => ({
    data: await accounts.createAccount(db, company_id, body.service_account, now),
  }),
  'service_accounts.delete': async ({ db, company_id, params }) => {
    await accounts.deleteAccount(db, { company_id, user_id: params.id });
    return { data: undefined };
  },
  'service_account_secrets.create': async ({ db, company_id, params, body, now, app }) => {
    const overlap = body.keep_previous ? app.options['account-secret-overlap'] : 0;
    const of = { company_id, user_id: params.id };
    return { data: await accounts.rotateSecret(db, of, overlap, now) };
  },
  'tokens.introspect': async ({ db, token, now }) => ({
    data: await showTokenInfo(db, token.hash, now),
  }),
};

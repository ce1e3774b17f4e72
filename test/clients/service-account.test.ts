/**
 * The main job by a program with a service account: `@procore/js-sdk` as it comes, from its first calls to a near miss, with all of
 * its helpers that a program without a person can use (decisions §4.9, §12.8).
 */
import {
  client as procore,
  info,
  oauth,
  refresh,
  refresher,
  revoke,
  token as exchange,
} from '@procore/js-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewServiceAccount } from '../../src/contract/rest/access/service-accounts.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let account: NewServiceAccount;
beforeAll(async () => {
  t = await startTestService();
  const service_account = { name: 'Crane telemetry', level: 'standard' };
  const path = `/rest/v1.0/companies/${t.demo.company_id}/service_accounts`;
  account = (await t.demo.post(path, { service_account })).json as NewServiceAccount;
});
afterAll(() => t.stop());

/** The SDK has no helper for this grant: its users ask as the API's pages show, and hand the function to `refresher`. */
const ask = async (): Promise<{ access_token: string; expires_in: number }> => {
  const body = new FormData();
  body.append('grant_type', 'client_credentials');
  body.append('client_id', account.client_id);
  body.append('client_secret', account.client_secret);
  const answer = await fetch(`${t.url}/oauth/token`, { method: 'POST', body });
  return (await answer.json()) as { access_token: string; expires_in: number };
};

const client = (companyId?: number) => {
  // The first request has no token, is refused, and is sent again with one.
  const authorizer = refresher(oauth(''), ask);
  const options = { apiHostname: t.url, defaultCompanyId: companyId };
  return procore(authorizer as never, {}, options as never);
};

interface Row {
  readonly id: number;
}
const firstOf = ({ body }: { readonly body: unknown }): number => (body as Row[])[0]?.id ?? 0;

describe('a program with a service account', () => {
  it('decisions §4.3, §4.9, §12.8: @procore/js-sdk finds its company and project, and files a near miss', async () => {
    const stranger = client();
    const { id, name, client_id: login } = account;
    expect((await stranger.get({ base: '/me' })).body).toMatchObject({ id, login, name });
    const company_id = firstOf(await stranger.get({ base: '/companies' }));
    expect(company_id).toBe(t.demo.company_id);
    const sdk = client(company_id);
    const project_id = firstOf(await sdk.get({ base: '/projects', qs: { company_id } }));
    expect(project_id).toBe(t.demo.project_id);
    const shown = await sdk.get({ base: '/projects', params: { id: project_id } as never });
    expect(shown.body).toMatchObject({ id: project_id, company: { id: company_id } });
    const users = await sdk.get({ base: '/companies/{company_id}/users', params: { company_id } });
    expect((users.body as Row[]).map((one) => one.id)).not.toContain(id);
    const at = { params: { project_id } };
    const incident_id = firstOf(await sdk.get({ base: '/projects/{project_id}/incidents', ...at }));
    const near_misses = { base: '/projects/{project_id}/incidents/near_misses', ...at };
    const made = await sdk.post(near_misses, {
      near_miss: { incident_id, description: 'Wind over the limit' },
    });
    expect(made.body).toMatchObject({
      description_plain_text: 'Wind over the limit',
      created_by: { id, name: 'Crane telemetry', login: account.client_id },
    });
    // A bearer that has ended is replaced by the refresher.
    t.clock.advance(90 * 60_000);
    const listed = await sdk.get({ ...near_misses, qs: { per_page: 1 } });
    expect(firstOf(listed)).toBe((made.body as Row).id);
  });

  it('decisions §12.8: its helpers info and revoke work as they are; the grants of people are refused', async () => {
    const { access_token, expires_in } = await ask();
    expect(expires_in).toBe(5400);
    const seen = async (): Promise<unknown> => info(access_token, t.url);
    expect(await seen()).toMatchObject({
      resource_owner_id: account.id,
      expires_in: 5400,
      application: { uid: account.client_id },
    });
    const { client_id: clientId, client_secret: clientSecret } = account;
    const own = { token: access_token, clientId, clientSecret };
    expect(await revoke({ ...own, clientSecret: 'wrong' }, t.url)).toMatchObject({
      error: 'invalid_client',
    });
    expect(await revoke(own, t.url)).toEqual({});
    expect(await seen()).toEqual({ errors: [expect.stringContaining('access token')] });
    const person = { id: clientId, secret: clientSecret, uri: 'urn:ietf:wg:oauth:2.0:oob' };
    const unsupported = { error: 'unsupported_grant_type' };
    expect(await exchange({ ...person, code: 'x' }, t.url)).toMatchObject(unsupported);
    const again = { ...person, token: access_token, refresh: 'x' };
    expect(await refresh(again, t.url)).toMatchObject(unsupported);
  });
});

/**
 * Sign-in by an identity provider (decisions §12.9), with a real OpenID provider on loopback. Forged tokens are signed here with the
 * provider's own key where only their content is wrong, and with another key where the signature is.
 */
import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nonceText } from '../../src/contract/rest/access/sign-in.ts';
import { parseOptions, type Options } from '../../src/service/options.ts';
import {
  browse,
  CLIENT_ID,
  startIdentityProvider,
  type TestProvider,
} from '../support/identity-provider.ts';
import { clientOf, startTestService, testClock, type TestService } from '../support/service.ts';
import { accessUsers, companyPath, ME, statusOf, TOKENS } from './access-users.ts';

let provider: TestProvider;
let options: Partial<Options>;
let t: TestService;
beforeAll(async () => {
  provider = await startIdentityProvider();
  // The provider's tokens bear the time of this machine.
  options = { ...provider.options, 'public-url': `${ADDRESS}/` };
  t = await startTestService({ ...options, 'enrolment-rate': 20 }, testClock(Date.now()));
});
afterAll(async () => {
  await t.stop();
  await provider.close();
});
const { addUser, addLogin, change } = accessUsers(() => t);

const ADDRESS = 'https://spotter.example.com';
const PROOF = 'p'.repeat(43);
const hashOf = (proof: string): string => createHash('sha256').update(proof).digest('base64url');
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** The claims of a good ID token for this login. */
const claimsFor = (email: string, more: object = {}) => ({
  iss: provider.issuer,
  aud: CLIENT_ID,
  sub: email,
  iat: seconds(t.clock.now()),
  exp: seconds(t.clock.now()) + 300,
  email,
  email_verified: true,
  nonce: hashOf(nonceText(PROOF, ADDRESS)),
  ...more,
});

const exchange = (sign_in: object, at = t) =>
  at.demo.post('/rest/v1.0/sign_ins', { sign_in: { proof: PROOF, ...sign_in } });
const signIn = async (email: string, more: object = {}, at = t) =>
  exchange({ id_token: await provider.sign(claimsFor(email, more)), name: 'Laptop 12' }, at);

describe('decisions §12.9: sign-in by an identity provider', () => {
  it('decisions §12.9: a laptop learns how to sign in without a token; a service without a provider has no such address', async () => {
    const asked = await t.demo.get('/rest/v1.0/sign_in', { authorization: '' });
    expect([asked.status, asked.json]).toEqual([
      200,
      {
        issuer: provider.issuer,
        client_id: CLIENT_ID,
        client_secret: null,
        scope: 'openid email profile offline_access',
      },
    ]);
    for (const some of [{}, { ...options, plain: true }]) {
      const other = await startTestService(some);
      try {
        const without = await fetch(`${other.url}/rest/v1.0/sign_in`);
        const given = await fetch(`${other.url}/rest/v1.0/sign_ins`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sign_in: { id_token: 'x', proof: PROOF } }),
        });
        expect([without.status, given.status]).toEqual([404, 404]);
      } finally {
        await other.stop();
      }
    }
  });

  it('decisions §12.9: an ID token of the provider itself becomes a bearer with the level and the projects of its user', async () => {
    const user = await addUser({ level: 'reporter', project_ids: [t.demo.project_id] });
    Object.assign(provider.account, { email: user.login, email_verified: true });
    const config = await oidc.discovery(
      new URL(provider.issuer),
      CLIENT_ID,
      undefined,
      oidc.None(),
      {
        execute: [oidc.allowInsecureRequests],
      },
    );
    const [verifier, proof, state] = ['v'.repeat(50), 'p'.repeat(50), 'a state'];
    const nonce = hashOf(nonceText(proof, ADDRESS));
    const { url } = await browse(
      oidc.buildAuthorizationUrl(config, {
        // Nobody listens on this port, so the browser stops before it.
        redirect_uri: 'http://127.0.0.1:1/signed-in',
        scope: 'openid email profile offline_access',
        state,
        nonce,
        code_challenge: hashOf(verifier),
        code_challenge_method: 'S256',
      }).href,
      'http://127.0.0.1:1/',
    );
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    const { id_token = '' } = await oidc.authorizationCodeGrant(config, new URL(url), checks);
    expect((await exchange({ id_token })).json).toMatchObject({
      errors: { 'sign_in.id_token': [expect.stringContaining('does not belong')] },
    });
    expect((await exchange({ id_token, proof: `${proof}x` })).status).toBe(422);
    const made = await exchange({ id_token, proof, name: 'Laptop 12' });
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.json).toMatchObject({
      company_id: null,
      name: 'Laptop 12',
      level: null,
      user: { id: user.id, login: user.login },
      expires_at: new Date(t.clock.now() + 90 * 60_000).toISOString(),
    });
    const bearer = clientOf(t.url, { ...t.demo, token: made.json.token });
    const me = await bearer.get(ME);
    expect(me.json.companies).toMatchObject([
      { id: t.demo.company_id, level: 'reporter', project_ids: [t.demo.project_id] },
    ]);
    expect((await bearer.get(companyPath(t.demo) + '/users')).status).toBe(403);
    const listed = await t.demo.get(`${companyPath(t.demo)}/users/${user.id}/tokens`);
    expect(listed.json).toContainEqual(expect.objectContaining({ id: made.json.id }));
    const stored = JSON.stringify(await t.database.query('select * from tokens'));
    expect(stored).not.toContain(made.json.token);
    // A token that the bearer makes ends no later.
    const more = await bearer.post(TOKENS, { token: { name: 'longer' } });
    expect(more.json.expires_at).toBe(made.json.expires_at);
    t.clock.advance(90 * 60_000);
    expect(await statusOf(bearer)).toBe(401);
    t.clock.set(Date.now());
  });

  it('decisions §12.9: a deactivated user is refused at once; a bearer counts in every company of its user', async () => {
    const user = await addUser();
    const made = await signIn(user.login);
    const bearer = clientOf(t.url, { ...t.demo, token: made.json.token });
    expect(await statusOf(bearer)).toBe(200);
    await change(user.id, { active: false });
    expect(await statusOf(bearer)).toBe(401);
    const refused = await signIn(user.login);
    expect([refused.status, refused.json]).toEqual([
      422,
      { errors: { 'sign_in.account': [expect.stringContaining(user.login)] } },
    ]);
    await addLogin(t.other, user.login);
    const again = await signIn(user.login);
    const companies = await clientOf(t.url, { ...t.other, token: again.json.token }).get(ME);
    expect(companies.json.companies).toMatchObject([{ id: t.other.company_id }]);
    await change(user.id, { active: true });
    const both = await signIn(user.login);
    const me = await clientOf(t.url, { ...t.demo, token: both.json.token }).get(ME);
    expect(me.json.companies).toHaveLength(2);
  });

  it('decisions §12.9: a login is found in any case; a service account and a stranger are refused', async () => {
    const user = await addUser();
    expect((await signIn(user.login.toUpperCase())).json.user.id).toBe(user.id);
    const typed = await addUser({ login: 'Bob.Miller@Firm.example', level: 'reporter' });
    for (const login of [typed.login, 'bob.miller@firm.example', 'BOB.MILLER@FIRM.EXAMPLE'])
      expect((await signIn(login)).json.user.id, login).toBe(typed.id);
    const account = await t.demo.post(`${companyPath(t.demo)}/service_accounts`, {
      service_account: { name: 'Crane' },
    });
    for (const login of [account.json.client_id as string, 'nobody@example.com'])
      expect(Object.keys((await signIn(login)).json.errors)).toEqual(['sign_in.account']);
  });

  it('decisions §12.9: unknown accounts become standard users of the company that the option names, once', async () => {
    const { company_id } = t.demo;
    const some = { ...options, 'sign-in-new-users': company_id };
    const own = await startTestService(some, testClock(Date.now()));
    try {
      const answers = await Promise.all(
        ['New@Example.com', 'new@example.com'].map((email) => signIn(email, { name: 'Neu' }, own)),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      const [one, other] = answers.map(({ json }) => json.user);
      expect(one).toEqual(other);
      expect(one).toMatchObject({ login: 'new@example.com', name: 'Neu' });
      const users = `/rest/v1.0/companies/${company_id}/users`;
      const shown = await own.demo.get(`${users}/${one.id}`);
      expect(shown.json).toMatchObject({ level: 'standard', project_ids: null, active: true });
      // Another case is no new account: it would get round the level, the projects and the deactivation of the first.
      const typed = { login: 'Eve@Firm.example', name: 'Eve', level: 'reporter' };
      const { id } = (await own.demo.post(users, { user: typed })).json as { id: number };
      expect((await signIn('eve@firm.example', {}, own)).json.user.id).toBe(id);
      await own.demo.patch(`${users}/${id}`, { user: { active: false } });
      for (const login of [typed.login, 'eve@firm.example', 'EVE@firm.example'])
        expect((await signIn(login, {}, own)).status, login).toBe(422);
      // The Kelvin sign is no k.
      await own.demo.post(users, { user: { login: 'kate@firm.example', name: 'Kate' } });
      const kelvin = await signIn('\u212Aate@firm.example', {}, own);
      expect(kelvin.json.user).toMatchObject({ login: '\u212Aate@firm.example' });
    } finally {
      await own.stop();
    }
    const nowhere = await startTestService(
      { ...options, 'sign-in-new-users': 987_654 },
      testClock(Date.now()),
    );
    try {
      expect((await signIn('new@example.com', {}, nowhere)).status).toBe(422);
    } finally {
      await nowhere.stop();
    }
  });

  it('decisions §12.9: a user has 50 bearers: one more ends the oldest; none counts as a guess', async () => {
    const user = await addUser();
    const first = await signIn(user.login);
    for (let count = 0; count < 50; count += 1) {
      t.clock.advance(1);
      expect((await signIn(user.login)).status).toBe(201);
    }
    expect(await statusOf(clientOf(t.url, { ...t.demo, token: first.json.token }))).toBe(401);
    expect(await statusOf(user)).toBe(200);
    const rows = await t.database.query(
      `select token_hash from tokens where user_id = ${user.id} and company_id is null`,
    );
    expect(rows).toHaveLength(50);
  });
});

describe('decisions §12.9: forged and stolen tokens', () => {
  const login = 'ana.target@example.com';
  beforeAll(async () => {
    await addUser({ login });
  });
  const now = () => seconds(t.clock.now());

  it.each([
    ['a wrong audience', () => ({ aud: 'another-program' })],
    ['another program of several audiences', () => ({ aud: [CLIENT_ID, 'x'], azp: 'x' })],
    ['a wrong issuer', () => ({ iss: 'https://login.example.com' })],
    ['an issuer with a slash more', () => ({ iss: `${provider.issuer}/` })],
    ['an expired one', () => ({ iat: now() - 500, exp: now() - 400 })],
    ['one that never expires', () => ({ exp: undefined })],
    ['one that is older than ten minutes', () => ({ iat: now() - 900, exp: now() + 9000 })],
    ['one of the future', () => ({ iat: now() + 900, nbf: now() + 900, exp: now() + 9000 })],
    ['an unverified email', () => ({ email_verified: false })],
    ['an unverified email in words', () => ({ email_verified: 'false' })],
    ['no email', () => ({ email: undefined })],
    ['an email that is no text', () => ({ email: { $ne: '' } })],
    ['an email with NUL', () => ({ email: `${login}\0` })],
    ['an email with an outer space', () => ({ email: `${login} ` })],
    ['an email with an outer no-break space', () => ({ email: `\u00A0${login}` })],
    ['an email with a byte order mark', () => ({ email: `${login}\uFEFF` })],
    ['an email with a zero-width space', () => ({ email: login.replace('.', '\u200B.') })],
    ['an email that turns direction', () => ({ email: `\u202E${login}` })],
    ['an email with a line break', () => ({ email: `${login}\nx` })],
    ['a nonce that nobody proves', () => ({ nonce: 'x' })],
    ['a nonce that is no text', () => ({ nonce: 7 })],
    [
      'a nonce for another server',
      () => ({ nonce: hashOf(nonceText(PROOF, 'https://evil.example')) }),
    ],
    ['no nonce', () => ({ nonce: undefined })],
  ])('decisions §12.9: %s is a 422 that names the token', async (_, more) => {
    const answer = await signIn(login, more());
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['sign_in.id_token']]);
  });

  it('decisions §12.9: a renewed token without a nonce takes the ticket of its own sign-in, and no other', async () => {
    const { ticket } = (await signIn(login)).json;
    const other = await addUser();
    const renewed = async (more: object, email = login) =>
      (
        await exchange({
          id_token: await provider.sign(claimsFor(email, { nonce: undefined })),
          ticket,
          ...more,
        })
      ).status;
    expect(await renewed({ ticket: `${ticket.slice(0, -1)}x` })).toBe(422);
    expect(await renewed({ proof: 'q'.repeat(43) })).toBe(422);
    expect(await renewed({}, other.login)).toBe(422);
    expect(await renewed({})).toBe(201);
  });

  it('decisions §12.9: neither alg none, nor another key, nor the public key as a secret makes a token', async () => {
    const claims = claimsFor(login);
    const { privateKey } = await generateKeyPair('RS256');
    const jwks = await (await fetch(`${provider.issuer}/jwks`)).text();
    const secret = new TextEncoder().encode(jwks);
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await provider.sign(claims, privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'x' }).sign(privateKey),
      `${(await provider.sign(claims)).slice(0, -8)}AAAAAAAA`,
      'x',
      '..',
      '',
    ];
    for (const id_token of forged) expect((await exchange({ id_token })).status).toBe(422);
    expect((await exchange({ id_token: 'x'.repeat(40_000) })).status).toBe(422);
    expect((await exchange({ id_token: await provider.sign(claims) })).status).toBe(201);
  });

  it('decisions §12.9: a provider that is away, too long or without keys is a 503 with Retry-After, and works when it is back', async () => {
    const own = await startTestService(options, testClock(Date.now()));
    try {
      await own.demo.post(`${companyPath(own.demo)}/users`, { user: { login, name: 'Ana' } });
      for (const status of [500, 404, 200]) {
        provider.away = status;
        const answer = await signIn(login, {}, own);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
        expect(answer.text).toContain('cannot reach the identity provider');
      }
      provider.away = null;
      expect((await signIn(login, {}, own)).status).toBe(201);
      // Its keys are cached.
      provider.asked.length = 0;
      expect((await signIn(login, {}, own)).status).toBe(201);
      expect(provider.asked).toEqual([]);
    } finally {
      provider.away = null;
      await own.stop();
    }
  });
});

it('decisions §12.9: the options of a provider are checked at the start', () => {
  const client = ['--sign-in-client-id', 'x'];
  const known = [...client, '--public-url', ADDRESS];
  for (const argv of [
    client,
    ['--sign-in-issuer', 'https://login.example.com'],
    [...client, '--sign-in-issuer', 'https://login.example.com'],
    [...known, '--sign-in-issuer', 'http://login.example.com'],
    [...known, '--sign-in-issuer', 'https://login.example.com/?tenant=1'],
    [...known, '--sign-in-issuer', 'https://me@login.example.com'],
    ['--sign-in-window', '0s'],
  ])
    expect(() => parseOptions(argv), argv.join(' ')).toThrow('--sign-in-');
  for (const issuer of ['https://login.example.com/firm', 'http://127.0.0.1:8080'])
    expect(parseOptions([...known, '--sign-in-issuer', issuer])['sign-in-issuer']).toBe(issuer);
});

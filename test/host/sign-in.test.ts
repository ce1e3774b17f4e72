/**
 * Sign-in by an identity provider (decisions §12.9): the whole code flow with a real provider and a real service. The browser is a
 * `fetch` that follows redirects, the last one to the host's own listener.
 */
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { HostOptions } from '../../src/host/index.ts';
import { longSecrets } from '../../src/host/vault/long-secrets.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import type { Vault } from '../../src/host/vault/index.ts';
import { startChaos, type Plan } from '../support/chaos.ts';
import { eventually } from '../support/eventually.ts';
import { browse, CLIENT_ID, startIdentityProvider } from '../support/identity-provider.ts';
import { startTestService, testClock } from '../support/service.ts';
import { filesWith } from '../support/files.ts';
import { startWorld, type World } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

/** A monotonic clock that the test moves, so that no test waits for a pause. */
const movable = () => {
  let ahead = 0;
  return {
    advance: (ms: number) => void (ahead += ms),
    now: () => Date.now(),
    monotonic: () => performance.now() + ahead,
  };
};

const startSignIn = async (options: Partial<HostOptions> = {}) => {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.close());
  // The provider's tokens bear the time of this machine.
  const chaos = await startChaos(null, () => null, true);
  onTestFinished(() => chaos.close());
  const answers = { ...provider.options, 'public-url': chaos.url };
  const service = await startTestService(answers, testClock(Date.now()));
  onTestFinished(() => service.stop());
  chaos.target = service.url;
  const me = await service.demo.get('/rest/v1.0/me');
  provider.account.email = me.json.login;
  // A keychain outlives the program.
  const vault = options.vault ?? { ...memoryVault(), stop: async () => undefined };
  const clock = movable();
  const opened: string[] = [];
  const browser = { visit: async (href: string): Promise<unknown> => browse(href) };
  const open_link = async (href: string) => {
    opened.push(href);
    void browser.visit(href).catch(() => undefined);
    return true;
  };
  const host = { vault, clock, open_link, ...options };
  const world = await startWorld(host);
  const address = chaos.url;
  const { company_id, project_id } = service.demo;
  const connect = async (by: World = world) => {
    await by.call('session.sign_in', { address });
    return by.call('session.connect', { kind: 'sign_in', address, company_id, project_id });
  };
  const secret = async () => {
    const { account } = await world.call('session.get', {});
    const read = await longSecrets(vault).get(account ?? '');
    const { token, refresh_token } = JSON.parse(read.state === 'ok' ? read.token : '{}');
    return { token: String(token), refresh_token: String(refresh_token) };
  };
  const write = (description: string) => ({
    endpoint: 'near_misses.create',
    input: {
      params: { project_id },
      body: { near_miss: { incident_id: 1, description } },
      idempotency_key: ulid(),
    },
  });
  const total = async (query: string): Promise<number> =>
    Number(
      (await service.demo.get(`~/incidents/near_misses?filters[query]=${query}`)).headers.get(
        'total',
      ),
    );
  const paths = () => chaos.seen.map(({ method, path, status }) => `${method} ${path} ${status}`);
  const renewals = () => provider.asked.filter((asked) => asked === 'POST /token').length;
  /** Ends the bearers as their time would. */
  const endBearers = () =>
    service.database.query('delete from tokens where expires_at is not null');
  const fault = async () => {
    const problem = await world.problem('session.sign_in', { address });
    return problem.kind === 'bad_input' ? problem.fault : problem.kind;
  };
  const parts = { provider, service, chaos, vault, clock, opened, browser, host, address };
  return { ...world, ...parts, connect, secret, write, total, paths, renewals, endBearers, fault };
};

/** Where the provider sends the browser of this sign-in, and its state. */
const answerTo = (href: string) => {
  const query = new URL(href).searchParams;
  return { back: query.get('redirect_uri') ?? '', state: query.get('state') ?? '' };
};

it('decisions §12.9: the browser signs in, the session is that of the user, and both tokens are in the vault alone', async () => {
  const world = await startSignIn();
  const { address, provider, host } = world;
  expect(await world.call('session.offer', { address })).toEqual({
    address,
    issuer: provider.issuer,
  });
  const before = await world.call('session.get', {});
  const signedIn = await world.call('session.sign_in', { address });
  expect(signedIn.me?.login).toBe(provider.account.email);
  expect(await world.call('session.get', {})).toEqual(before);
  const { company_id, project_id } = world.service.demo;
  const input = { kind: 'sign_in' as const, address, company_id, project_id };
  const session = await world.call('session.connect', input);
  expect(session).toMatchObject({
    state: 'ready',
    kind: 'server',
    signed_in_with: provider.issuer,
    level: 'admin',
  });
  const query = new URL(world.opened[0] ?? '').searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/signed-in$/),
  });
  const { token, refresh_token } = await world.secret();
  for (const one of [token, refresh_token]) {
    expect(one.length).toBeGreaterThan(20);
    expect(JSON.stringify([signedIn, session, world.events, world.log])).not.toContain(one);
    expect(await filesWith(world.folder, one)).toEqual([]);
  }
  await world.door.stop();
  const again = await startWorld({ ...host, data_dir: world.folder });
  expect(await again.call('session.get', {})).toMatchObject({
    state: 'ready',
    signed_in_with: provider.issuer,
  });
  expect(await again.call('reach.check', {})).toBeDefined();
});

it('decisions §12.9: a bearer that ends between reports is renewed once: nothing is lost, nothing asked or made twice', async () => {
  const world = await startSignIn();
  await world.connect();
  const first = await world.secret();
  const asked = world.renewals();
  for (const at of [0, 1, 2]) {
    if (at === 2) world.provider.forgetNonces();
    await world.endBearers();
    const sent = await Promise.all(
      [1, 2, 3, 4, 5].map((count) =>
        world.call('rest.request', world.write(`mid-queue ${at} ${count}`)),
      ),
    );
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(world.renewals()).toBe(asked + at + 1);
  }
  expect(await world.total('mid-queue')).toBe(15);
  const last = await world.secret();
  expect(last.token).not.toBe(first.token);
  expect(last.refresh_token).not.toBe(first.refresh_token);
  expect((await world.call('session.get', {})).state).toBe('ready');
  expect(world.opened).toHaveLength(1);
});

slow(
  'decisions §12.9: a bearer is renewed before it ends, by the clock of the server',
  async () => {
    const world = await startSignIn();
    await world.connect();
    // The host hears the time with an answer.
    world.chaos.date = () => Date.now() + 86 * 60_000;
    await world.call('reach.check', {});
    const before = await world.secret();
    world.chaos.seen.length = 0;
    world.chaos.date = null;
    await world.call('rest.request', world.write('ahead'));
    expect(world.paths().filter((path) => path.endsWith('401'))).toEqual([]);
    expect(world.paths()[0]).toBe('POST /rest/v1.0/sign_ins 201');
    expect((await world.secret()).token).not.toBe(before.token);
  },
);

it('decisions §12.9: a provider that refuses holds the queue and is not asked again, until its user signs in', async () => {
  const world = await startSignIn();
  const { account } = await world.connect();
  world.provider.forgetAll();
  await world.endBearers();
  const report = world.write('zzheld');
  expect((await world.problem('rest.request', report)).kind).toBe('signed_out');
  expect((await world.call('session.get', {})).state).toBe('signed_out');
  const asked = world.provider.asked.length;
  world.clock.advance(600_000);
  for (let count = 0; count < 3; count += 1) {
    expect((await world.problem('rest.request', report)).kind).toBe('signed_out');
    await world.call('session.get', {});
  }
  expect(world.provider.asked.length).toBe(asked);
  expect(await world.connect()).toMatchObject({ state: 'ready', account });
  expect((await world.call('rest.request', report)).status).toBe(201);
  expect(await world.total('zzheld')).toBe(1);
});

it('decisions §12.9: while the provider is away the session stays, nothing was carried out, and it goes on by itself', async () => {
  const world = await startSignIn();
  await world.connect();
  await world.endBearers();
  world.provider.away = 503;
  const report = world.write('zzwaits');
  expect((await world.problem('rest.request', report)).kind).toBe('busy');
  expect((await world.call('session.get', {})).state).toBe('ready');
  // Not asked again at once.
  const asked = world.provider.asked.length;
  await world.problem('rest.request', report);
  expect(world.provider.asked.length).toBe(asked);
  world.provider.away = null;
  world.clock.advance(60_000);
  expect((await world.call('rest.request', report)).status).toBe(201);
  expect(await world.total('zzwaits')).toBe(1);
});

it('decisions §12.9: a rotated refresh token is in the keychain before the server is asked', async () => {
  const world = await startSignIn();
  const { account = '' } = await world.connect();
  const before = await world.secret();
  await world.endBearers();
  const kept: string[] = [];
  const plan: Plan = ({ path }) => {
    if (path !== '/rest/v1.0/sign_ins') return null;
    return { kind: 'answer', status: 503, body: '' };
  };
  world.chaos.plan = plan;
  expect((await world.problem('rest.request', world.write('cut'))).kind).toBe('busy');
  kept.push((await world.secret()).refresh_token);
  expect(kept[0]).not.toBe(before.refresh_token);
  world.chaos.plan = () => null;
  await world.door.stop();
  const again = await startWorld({ ...world.host, data_dir: world.folder });
  expect((await again.call('rest.request', world.write('cut'))).status).toBe(201);
  expect(await again.call('session.get', {})).toMatchObject({ state: 'ready', account });
});

slow(
  'decisions §12.9: a user who was deactivated is signed out at once; the provider’s word does not bring the user back',
  async () => {
    const world = await startSignIn();
    const { demo } = world.service;
    const users = `/rest/v1.0/companies/${demo.company_id}/users`;
    const user = { login: 'leaver@example.com', name: 'Leaver' };
    const made = await demo.post(users, { user });
    world.provider.account.email = user.login;
    await world.connect();
    await demo.patch(`${users}/${made.json.id}`, { user: { active: false } });
    expect((await world.problem('rest.request', world.write('gone'))).kind).toBe('signed_out');
    expect((await world.call('session.get', {})).state).toBe('signed_out');
    expect(await world.fault()).toBe('sign_in_unknown');
  },
);

it('decisions §12.9: signing out erases both tokens, and the next user does not get them', async () => {
  const world = await startSignIn();
  const { account } = await world.connect();
  expect(await world.vault.accounts()).toEqual([account]);
  await world.call('session.sign_out', {});
  expect(await world.vault.accounts()).toEqual([]);
  const { address, service } = world;
  const { company_id, project_id } = service.demo;
  const input = { kind: 'sign_in' as const, address, company_id, project_id };
  expect((await world.problem('session.connect', input)).kind).toBe('signed_out');
});

slow(
  'decisions §12.9: signing out ends the refresh token at the provider, and waits for none that is away',
  async () => {
    const world = await startSignIn();
    await world.connect();
    const { refresh_token } = await world.secret();
    const refreshed = async () => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: CLIENT_ID,
        refresh_token,
      });
      const answer = await fetch(`${world.provider.issuer}/token`, { method: 'POST', body });
      return answer.json();
    };
    await world.call('session.sign_out', {});
    await eventually(() => {
      expect(world.provider.asked).toContain('POST /token/revocation');
    });
    expect(await refreshed()).toMatchObject({ error: 'invalid_grant' });
    await world.connect();
    world.provider.away = 503;
    expect(await world.call('session.sign_out', {})).toMatchObject({ state: 'signed_out' });
    await eventually(() => {
      expect(JSON.stringify(world.log)).toContain('the identity provider was not told');
    });
  },
);

it('decisions §12.9: the listener takes one answer on one path with one state, and refuses all else', async () => {
  const world = await startSignIn();
  const statuses: Record<string, number> = {};
  const raw = async (back: URL, request: string): Promise<string> => {
    const socket = createConnection({ host: back.hostname, port: Number(back.port) });
    socket.end(request);
    return text(socket);
  };
  let late: Promise<unknown> = Promise.resolve();
  world.browser.visit = async (href) => {
    const { back, state } = answerTo(href);
    const here = new URL(back);
    const ask = async (name: string, address: string, init: RequestInit = {}) =>
      void (statuses[name] = (await fetch(address, init)).status);
    await ask('no state', `${back}?code=x`);
    await ask('wrong state', `${back}?code=x&state=${state.slice(0, -1)}_`);
    await ask('two states', `${back}?code=x&state=${state}&state=x`);
    await ask('other path', `${here.origin}/?code=x&state=${state}`);
    await ask('other method', `${back}?code=x&state=${state}`, { method: 'POST' });
    await ask('too long', `${back}?code=${'x'.repeat(9_000)}&state=${state}`);
    const line = `GET ${here.pathname}?code=x&state=${state} HTTP/1.1\r\n`;
    const foreign = await raw(here, `${line}Host: evil.example:${here.port}\r\n\r\n`);
    statuses['other name'] = Number(foreign.split(' ')[1]);
    const large = await raw(here, `${line}Host: ${here.host}\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
    statuses['too large'] = Number(large.split(' ')[1]);
    const { status, url } = await browse(href);
    statuses['answer'] = status;
    late = fetch(url);
    late.catch(() => undefined);
  };
  expect((await world.connect()).state).toBe('ready');
  await eventually(() => expect(statuses['answer']).toBe(200));
  expect(statuses).toEqual({
    'no state': 404,
    'wrong state': 404,
    'two states': 404,
    'other path': 404,
    'other method': 404,
    'too long': 404,
    'other name': 404,
    'too large': 431,
    answer: 200,
  });
  await expect(late).rejects.toThrow('fetch failed');
});

it('decisions §12.9: a code of another sign-in, and an ID token with another nonce, are refused', async () => {
  const world = await startSignIn();
  let taken = '';
  world.browser.visit = async (href) => {
    const { back } = answerTo(href);
    const { url } = await browse(href, back);
    taken = new URL(url).searchParams.get('code') ?? '';
    await world.call('session.cancel_sign_in', {});
  };
  expect(await world.fault()).toBe('cancelled');
  world.browser.visit = async (href) => {
    const { back, state } = answerTo(href);
    await fetch(`${back}?code=${taken}&state=${state}&iss=${world.provider.issuer}`);
  };
  expect(taken).not.toBe('');
  expect(await world.fault()).toBe('sign_in_denied');
  world.browser.visit = async (href) => {
    const url = new URL(href);
    url.searchParams.set('nonce', 'x'.repeat(43));
    await browse(url.href);
  };
  expect(await world.fault()).toBe('broken_reply');
});

it('decisions §12.9: a server that leads users to the provider of another server gets nothing that counts there', async () => {
  const world = await startSignIn();
  // The other server passes everything on.
  const evil = await startChaos(world.service.url, () => null, true);
  onTestFinished(() => evil.close());
  expect(await world.problem('session.sign_in', { address: evil.url })).toMatchObject({
    fault: 'sign_in_refused',
  });
  const [sent] = evil.seen.filter(({ path }) => path === '/rest/v1.0/sign_ins');
  const again = await fetch(`${world.address}/rest/v1.0/sign_ins`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: sent?.body.toString() ?? '',
  });
  expect([sent?.status, again.status]).toEqual([422, 422]);
});

it('decisions §12.9: what goes wrong is said by name: no browser, refused, unknown, cancelled, no provider, provider away', async () => {
  const world = await startSignIn();
  const { provider, address, service } = world;
  provider.denies = true;
  expect(await world.fault()).toBe('sign_in_denied');
  provider.denies = false;
  const known = provider.account.email;
  provider.account.email = 'stranger@example.com';
  expect(await world.fault()).toBe('sign_in_unknown');
  provider.account.email = known;
  provider.account.email_verified = false;
  expect(await world.fault()).toBe('sign_in_refused');
  provider.away = 503;
  expect(['server_error', 'broken_reply']).toContain(await world.fault());
  provider.away = null;
  const none = await startWorld({ ...world.host, open_link: async () => false });
  expect(await none.problem('session.sign_in', { address })).toMatchObject({
    fault: 'sign_in_browser',
  });
  const plain = await startTestService({ plain: true });
  onTestFinished(() => plain.stop());
  for (const url of [plain.url]) {
    expect(await world.call('session.offer', { address: url })).toEqual({
      address: url,
      issuer: null,
    });
    expect(await world.problem('session.sign_in', { address: url })).toMatchObject({
      fault: 'sign_in_unsupported',
    });
  }
  expect(service.url).not.toBe(plain.url);
});

it('decisions §12.9: a secret that is longer than an entry is kept in parts, replaced whole, and erased whole', async () => {
  const inner = memoryVault();
  const vault = longSecrets(inner);
  const account = 'https://spotter.example/1/2';
  const long = (letter: string) => `{"refresh_token":"${letter.repeat(5_000)}"}`;
  expect(await vault.set(account, long('a'))).toBe('ok');
  expect((await inner.accounts()).length).toBeGreaterThan(4);
  expect(await vault.accounts()).toEqual([account]);
  expect(await vault.get(account)).toEqual({ state: 'ok', token: long('a') });
  const parts = await inner.accounts();
  expect(await vault.set(account, long('é'))).toBe('ok');
  expect(await vault.get(account)).toEqual({ state: 'ok', token: long('é') });
  expect((await inner.accounts()).filter((name) => parts.includes(name))).toEqual([account]);
  // The program ends before the entry that names the parts is written: the secret before is whole.
  const failing: Vault = {
    ...inner,
    set: async (name, secret) => (name === account ? 'locked' : inner.set(name, secret)),
  };
  expect(await longSecrets(failing).set(account, long('b'))).toBe('locked');
  expect(await vault.get(account)).toEqual({ state: 'ok', token: long('é') });
  expect(await vault.set(account, 'short')).toBe('ok');
  expect(await inner.accounts()).toEqual([account]);
  expect(await vault.set(account, long('c'))).toBe('ok');
  expect(await vault.remove(account)).toBe('ok');
  expect(await inner.accounts()).toEqual([]);
  expect(await vault.set(account, 'x'.repeat(60_000))).toBe('too_long');
});

/**
 * Who the browser shell's address lets in: failures S24 and the row "Loopback server". Raw requests, because a
 * browser would not let a test lie about Host and Origin.
 */
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../src/contract/window-policy.ts';
import { type BrowserPair, browserPair } from './pairs.ts';

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const ask = (origin: string, { method = 'GET', path = '/', headers = {}, body }: Ask) =>
  new Promise<Answer>((resolve, reject) => {
    const call = request(`${origin}${path}`, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });

describe('S24: the loopback address of the browser shell', () => {
  let pair: BrowserPair;
  let now = 1_000;
  let own: Record<string, string>;
  const post = (headers: Record<string, string | undefined>, path = '/host/reach.check') =>
    ask(pair.server.origin, {
      method: 'POST',
      path: `${pair.server.secrets.at}${path}`,
      headers: JSON.parse(JSON.stringify(headers)) as Record<string, string>,
      body: '{}',
    });
  beforeEach(async () => {
    pair = await browserPair({ now: () => now });
    const { cookie, key } = pair.server.secrets;
    own = {
      cookie: `${cookie.name}=${cookie.value}`,
      'spotter-key': key,
      origin: pair.server.origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    };
  });
  afterEach(() => pair.stop());

  it('the control: with everything right the host is asked', async () => {
    expect((await post(own)).status).toBe(200);
    expect(pair.door.heard).toHaveLength(1);
  });

  it.each([
    ['no cookie', { cookie: undefined }, 401],
    ['a cookie of another launch', { cookie: 'spotter-1=x' }, 401],
    ['the cookie alone', { 'spotter-key': undefined }, 403],
    ['the cookie, and a key of another launch', { 'spotter-key': 'A'.repeat(43) }, 403],
    ['the cookie, and its value as the key', { 'spotter-key': 'cookie' }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['origin null', { origin: 'null' }, 403],
    ['no origin', { origin: undefined }, 403],
    ['cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['same-site, as another port is', { 'sec-fetch-site': 'same-site' }, 403],
    ['a visit that writes', { 'sec-fetch-site': 'none' }, 403],
    ['no Sec-Fetch-Site', { 'sec-fetch-site': undefined }, 403],
    ['a rebound name as Host', { host: 'evil.example' }, 421],
    ['localhost as Host', { host: 'localhost' }, 421],
    ['text/plain', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('%s is refused and the host is not asked', async (_title, change, status) => {
    const headers: Record<string, string | undefined> = { ...own, ...change };
    if (headers['spotter-key'] === 'cookie')
      headers['spotter-key'] = pair.server.secrets.cookie.value;
    expect((await post(headers)).status).toBe(status);
    expect(pair.door.heard).toHaveLength(0);
  });

  it('the port is part of the Host', async () => {
    expect((await post({ ...own, host: '127.0.0.1' })).status).toBe(421);
  });

  it('S24: every address of the host wants both secrets, whatever it is called and whoever asks', async () => {
    const { at } = pair.server.secrets;
    // What holds no data: the window's files, and what trades a code.
    const open = ['/enter', '/enter.js', '/', '/*'];
    const shut = pair.server.routes.filter(({ url }) => !open.includes(url));
    expect(shut.map(({ url }) => url.replace(at, ''))).toEqual(
      expect.arrayContaining(['/host/:method', '/calls/:method', '/answers/:ticket', '/events']),
    );
    for (const { method, url } of shut)
      for (const type of ['application/json', 'application/octet-stream']) {
        const forged = { ...own, 'content-type': type };
        const body = method === 'POST' ? '{}' : '';
        const asked = async (without: string) => {
          const headers = Object.fromEntries(
            Object.entries(forged).filter(([name]) => name !== without),
          );
          const path = url.replace(/:\w+/, 'session.get');
          return (await ask(pair.server.origin, { method, path, headers, body })).status;
        };
        expect([await asked('spotter-key'), await asked('cookie')], url).toEqual([403, 401]);
      }
    expect(pair.door.heard).toHaveLength(0);
  });

  it('S24: an address of the host in another spelling wants both secrets too', async () => {
    const { at } = pair.server.secrets;
    for (const path of [
      `/%61${at.slice(2)}/events`,
      `${at.replace('-', '%2d')}/events`,
      `${at}%2fevents`,
    ]) {
      expect((await ask(pair.server.origin, { path })).status, path).toBe(401);
      const { cookie = '' } = own;
      expect((await ask(pair.server.origin, { path, headers: { cookie } })).status, path).toBe(403);
    }
  });

  it('S24: the cookie is bound to a path of this launch, so that no other program is ever sent it', async () => {
    const other = await browserPair();
    const paths = [pair, other].map(({ server }) => server.secrets.at);
    expect(paths[0]).not.toBe(paths[1]);
    for (const path of paths) expect(path).toMatch(/^\/at-[\w-]{43}$/);
    await other.stop();
  });

  it('no header of another page can open the events or the window', async () => {
    const { at } = pair.server.secrets;
    for (const path of [`${at}/events`, '/', '/index.html', '/assets/x.js'])
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'http://evil.example'],
      ] as const)
        expect(
          (await ask(pair.server.origin, { path, headers: { ...own, [name]: value } })).status,
        ).toBe(403);
    const without = await ask(pair.server.origin, { path: `${at}/events` });
    expect(without.status).toBe(401);
  });

  it('no CORS header is ever sent, preflights are refused', async () => {
    const answer = await ask(pair.server.origin, {
      method: 'OPTIONS',
      path: '/host/reach.check',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(answer.status).toBe(405);
    for (const { headers } of [answer, await post(own)])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('every answer carries the policy and nosniff', async () => {
    const answers = [
      await post(own),
      await ask(pair.server.origin, { path: '/', headers: own }),
      await ask(pair.server.origin, { path: '/enter' }),
      await ask(pair.server.origin, { path: '/nowhere', headers: own }),
      await ask(pair.server.origin, { path: `${pair.server.secrets.at}/events` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401]);
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe(contentSecurityPolicy);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(contentSecurityPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
  });

  const enter = (code: unknown) =>
    ask(pair.server.origin, {
      method: 'POST',
      path: '/enter',
      headers: {
        origin: pair.server.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ code }),
    });
  const codeOf = (address: string) => new URL(address).hash.slice(1);

  const bought = (answer: Answer): string =>
    [answer.headers['set-cookie'] ?? []].flat().find((one) => !/^spotter-code/.test(one)) ?? '';

  it('a code buys a cookie no script can read, and the page its key, once', async () => {
    const code = codeOf(pair.server.address());
    const first = await enter(code);
    expect(first.status).toBe(200);
    const { at, key } = JSON.parse(first.text) as { at: string; key: string };
    expect([at, key]).toEqual([pair.server.secrets.at, pair.server.secrets.key]);
    const cookie = bought(first);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(cookie).toContain(`; Path=${at};`);
    const mine = { ...own, cookie: cookie.split(';')[0], 'spotter-key': key };
    expect((await post(mine)).status).toBe(200);
    const second = await enter(code);
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  it('the code that is put into the own browser is spent by its first page, and no other cookie buys the key', async () => {
    const { name, value, path } = pair.server.entry();
    expect(path).toBe('/enter');
    const headers = { ...own, cookie: `${name}=${value}`, 'spotter-key': '' };
    const come = (given: typeof headers) =>
      ask(pair.server.origin, { method: 'POST', path, headers: given, body: '{"code":""}' });
    expect((await come({ ...headers, cookie: own['cookie'] ?? '' })).status).toBe(401);
    const first = await come(headers);
    expect(first.status).toBe(200);
    expect(JSON.parse(first.text)).toMatchObject({ key: pair.server.secrets.key });
    expect([first.headers['set-cookie'] ?? []].flat().join()).toMatch(/spotter-code-\d+=;/);
    expect((await come(headers)).status).toBe(401);
  });

  it('a code ends after five minutes', async () => {
    const code = codeOf(pair.server.address());
    now += 5 * 60_000;
    expect((await enter(code)).status).toBe(401);
  });

  it('a code of nobody buys nothing, whatever it is', async () => {
    pair.server.address();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (code) => {
        const { status, headers } = await enter(code);
        expect(status).toBe(401);
        expect(headers['set-cookie']).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('key and codes are 256 bits, new at each launch', async () => {
    const other = await browserPair();
    const all = [pair, other].flatMap(({ server: { secrets } }) => [
      secrets.key,
      secrets.cookie.value,
      secrets.at.slice('/at-'.length),
    ]);
    for (const one of all) expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    expect(new Set(all).size).toBe(6);
    expect(Buffer.from(codeOf(pair.server.address()), 'base64url')).toHaveLength(32);
    await other.stop();
  });

  it('what is open holds no secret and sets no cookie', async () => {
    pair.server.address();
    const { at, key, cookie } = pair.server.secrets;
    for (const path of ['/', '/index.html', '/enter', '/enter.js']) {
      const { status, text, headers } = await ask(pair.server.origin, { path });
      expect(status).toBe(200);
      for (const one of [at, key, cookie.value]) expect(text).not.toContain(one);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('bodies over the cap are refused before they are read whole', async () => {
    // Only the length is sent: the answer must come before the body does.
    for (const [type, cap] of [
      ['application/octet-stream', 4 * 1024 * 1024],
      ['application/json', 16 * 1024 * 1024],
    ] as const) {
      const over = await ask(pair.server.origin, {
        method: 'POST',
        path: `${pair.server.secrets.at}/host/photos.write`,
        headers: { ...own, 'content-type': type, 'content-length': String(cap + 1) },
      });
      expect(over.status, type).toBe(413);
    }
    expect(pair.door.heard).toHaveLength(0);
  });

  it('A30: broken JSON is a 400 and the host is not asked', async () => {
    const answer = await ask(pair.server.origin, {
      method: 'POST',
      path: `${pair.server.secrets.at}/host/reach.check`,
      headers: own,
      body: '{"a":',
    });
    expect(answer.status).toBe(400);
    expect(pair.door.heard).toHaveLength(0);
  });

  it('files stay inside the window', async () => {
    for (const path of [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/.env',
    ])
      expect((await ask(pair.server.origin, { path, headers: own })).status, path).toBeGreaterThan(
        399,
      );
  });

  it('only 127.0.0.1 is listened on', async () => {
    const port = Number(new URL(pair.server.origin).port);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter(
        (one) =>
          one !== undefined && one.address !== '127.0.0.1' && !one.address.startsWith('fe80'),
      )
      .map((one) => one?.address ?? '');
    for (const address of others)
      await expect(
        new Promise((resolve, reject) =>
          connect(port, address, () => resolve(address)).on('error', reject),
        ),
        address,
      ).rejects.toThrow();
  });
});

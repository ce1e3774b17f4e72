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
      path,
      headers: JSON.parse(JSON.stringify(headers)) as Record<string, string>,
      body: '{}',
    });
  beforeEach(async () => {
    pair = await browserPair({ now: () => now });
    const { name, value } = pair.server.key;
    own = {
      cookie: `${name}=${value}`,
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
    expect((await post({ ...own, ...change })).status).toBe(status);
    expect(pair.door.heard).toHaveLength(0);
  });

  it('the port is part of the Host', async () => {
    expect((await post({ ...own, host: '127.0.0.1' })).status).toBe(421);
  });

  it('no header of another page can open the events or the window', async () => {
    for (const path of ['/events', '/', '/index.html', '/assets/x.js'])
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'http://evil.example'],
      ] as const)
        expect(
          (await ask(pair.server.origin, { path, headers: { ...own, [name]: value } })).status,
        ).toBe(403);
    const without = await ask(pair.server.origin, { path: '/events' });
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
      await ask(pair.server.origin, { path: '/host/x' }),
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

  it('a code buys a cookie no script can read, once', async () => {
    const code = codeOf(pair.server.address());
    const first = await enter(code);
    expect(first.status).toBe(204);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect((await post({ ...own, cookie: cookie.split(';')[0] })).status).toBe(200);
    const second = await enter(code);
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
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
    expect(Buffer.from(pair.server.key.value, 'base64url')).toHaveLength(32);
    expect(other.server.key.value).not.toBe(pair.server.key.value);
    expect(Buffer.from(codeOf(pair.server.address()), 'base64url')).toHaveLength(32);
    await other.stop();
  });

  it('without the cookie the first page leads to the entry page, which holds no secret', async () => {
    const first = await ask(pair.server.origin, { path: '/' });
    expect([first.status, first.headers['location']]).toEqual([303, '/enter']);
    pair.server.address();
    const page = await ask(pair.server.origin, { path: '/enter' });
    expect(page.text).not.toContain(pair.server.key.value);
  });

  it('bodies over the cap are refused before they are read whole', async () => {
    // Only the length is sent: the answer must come before the body does.
    for (const [type, cap] of [
      ['application/octet-stream', 4 * 1024 * 1024],
      ['application/json', 16 * 1024 * 1024],
    ] as const) {
      const over = await ask(pair.server.origin, {
        method: 'POST',
        path: '/host/photos.write',
        headers: { ...own, 'content-type': type, 'content-length': String(cap + 1) },
      });
      expect(over.status, type).toBe(413);
    }
    expect(pair.door.heard).toHaveLength(0);
  });

  it('A30: broken JSON is a 400 and the host is not asked', async () => {
    const answer = await ask(pair.server.origin, {
      method: 'POST',
      path: '/host/reach.check',
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

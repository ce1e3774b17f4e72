/**
 * Photos from a phone under attack: a custom program with the code, one without it, and requests for other things. All are
 * refused and counted; nothing can be read.
 */
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawConnection, rawRequest } from '../support/raw-request.ts';
import { sha256 } from '../e2e/steps.ts';
import { until } from './fixtures/folder.ts';
import { cannotConnect, closed, hello, jpeg, post, takeAll } from './fixtures/phone-steps.ts';
import { fileOf, PAGE, phoneOf, request, startPhoneWorld, strangerWith } from './fixtures/phone.ts';

describe('whoever has the code and a program of their own', () => {
  const roomy = { free_space: async () => 1e13 };

  it('is held to the sizes: over 2 GB, over 4 GB together, more files than one code takes', async () => {
    const host = await startPhoneWorld({}, roomy);
    const say = await strangerWith(await host.show());
    const gigabytes = (...sizes: readonly number[]) =>
      sizes.map((size, at) => ({ name: `../${at}\\CON.jpg`, size: size * 1024 ** 3 }));
    const files = gigabytes(3, 1.5, 1.5, 1.5, 1);
    expect(await say({ ask: 'offer', from: 0, files })).toMatchObject({
      files: [
        { state: 'refused', why: 'too_large', name: '_CON.jpg' },
        { state: 'coming', why: null },
        { state: 'coming', why: null },
        { state: 'refused', why: 'too_many' },
        { state: 'coming', why: null },
      ],
    });
    const more = Array.from({ length: 56 }, () => ({ name: 'a', size: 1 }));
    expect(await say({ ask: 'offer', from: 5, files: more })).toMatchObject({
      files: { length: 5 },
    });
    expect(await say({ ask: 'offer', from: 0, files: Array(61).fill(files[1]) })).toBe(403);
    // An announcement alone stores nothing on disk.
    expect(await readdir(join(host.folder, 'phone'))).toEqual([]);
  });

  it('gets no byte to another place than the next, none beyond the size, and none beside other messages', async () => {
    const host = await startPhoneWorld({}, roomy);
    const say = await strangerWith(await host.show());
    const photo = await jpeg(15, 100_000);
    const half = photo.subarray(0, 50_000);
    await say({ ask: 'offer', from: 0, files: [{ name: 'a.jpg', size: photo.length }] });
    const received = async (question: object, bytes?: Uint8Array) => {
      const answer = await say(question, bytes);
      return typeof answer === 'number' ? answer : answer.files.map((one) => one.received);
    };
    const part = { ask: 'part', file: 0, offset: 0 };
    expect(await received({ ...part, offset: 1 }, half)).toEqual([0]);
    expect(await received({ ...part, file: 1 }, half)).toEqual([0]);
    expect(await received({ ask: 'look' }, half)).toBe(403);
    expect(await received(part, half)).toEqual([50_000]);
    expect(await received(part, half)).toEqual([50_000]);
    expect(await received({ ...part, offset: 50_000 }, photo)).toEqual([50_000]);
    expect(await received({ ask: 'whole', file: 0, sha256: sha256(half) })).toEqual([50_000]);
    expect(await received({ ask: 'write', file: 0 })).toBe(403);
    expect(await host.files()).toEqual(['coming']);
    expect(await received({ ...part, offset: 50_000 }, photo.subarray(50_000))).toEqual([
      photo.length,
    ]);
    await say({ ask: 'whole', file: 0, sha256: sha256(photo) });
    expect(await host.files()).toEqual(['checked']);
    // From here on the file belongs to the laptop.
    await say({ ask: 'whole', file: 0, sha256: sha256(half) });
    expect(await received({ ...part, offset: photo.length }, half)).toEqual([photo.length]);
    expect(await host.files()).toEqual(['checked']);
  });
});

describe('one code, one phone', () => {
  it('a second phone with the code is told so and gets nothing, and the laptop knows of it; a new code lets it in', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const first = phoneOf(shown);
    await first.begin();
    const second = phoneOf(shown);
    await second.add([fileOf('theirs.jpg', await jpeg(11))]);
    expect(second.view()).toMatchObject({ link: 'taken', files: [{ state: 'waiting' }] });
    expect(await host.call('phone.get', {})).toMatchObject({ another: true, files: [] });
    const anew = await host.show();
    expect(anew.port === shown.port && anew.secret === shown.secret).toBe(false);
    expect(await cannotConnect(shown.port)).toBe(true);
    const third = phoneOf(anew);
    await third.begin();
    expect(third.view().link).toBe('ready');
    expect(await host.call('phone.get', {})).toMatchObject({ another: false, state: 'joined' });
  });

  it('a wrong secret, no seal, a cut one, one more byte: all 403, and after twenty of them all is 403', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const right = hello(shown.secret);
    const wrong = [
      hello(randomBytes(32)),
      randomBytes(100),
      randomBytes(1),
      right.subarray(0, -1),
      Buffer.concat([right, Buffer.alloc(1)]),
    ];
    for (const body of wrong) expect((await post(shown, '/hello', body)).status).toBe(403);
    expect((await post(shown, '/ask', randomBytes(100))).status).toBe(403);
    // Control: none of these used up the code.
    expect((await post(shown, '/hello', right)).status).toBe(200);
    for (let at = 0; at < 14; at += 1)
      await post(shown, '/hello', wrong[at % 5] ?? right).catch(() => null);
    await expect(post(shown, '/hello', right)).rejects.toThrow();
    expect(await host.call('phone.get', {})).toMatchObject({ why: null });
  });

  it.skipIf(process.platform === 'darwin')(
    'wrong messages bar their address and no phone; eight barred addresses end the code (needs 127.0.0.2)',
    async () => {
      const host = await startPhoneWorld({ refusals: 2 });
      const shown = await host.show();
      const say = (from: string, body: Uint8Array) =>
        request(shown, { method: 'POST', path: '/hello', body, from }).then(
          ({ status }) => status,
          () => 'closed',
        );
      const wrong = randomBytes(100);
      const said = [];
      for (let at = 0; at < 3; at += 1) said.push(await say('127.0.0.2', wrong));
      expect(said).toEqual([403, 403, 'closed']);
      expect(await say('127.0.0.1', hello(shown.secret))).toBe(200);
      for (let other = 3; other < 10; other += 1)
        for (let at = 0; at < 2; at += 1) await say(`127.0.0.${other}`, wrong);
      await closed(host, 'refused');
      expect(await cannotConnect(shown.port)).toBe(true);
    },
  );

  it('a message that is sent again by somebody, of before or of another file, changes nothing', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown);
    const added = phone.add([fileOf('a.jpg', await jpeg(12, 1_300_000))]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    await takeAll(host, shown.code);
    await added;
    const before = await host.call('phone.get', {});
    const asks = phone.sent.filter(({ path }) => path === '/ask');
    expect(asks.length).toBeGreaterThan(4);
    for (const { path, body } of asks.slice(0, 6))
      expect((await post(shown, path, body)).status).toBe(403);
    expect(await host.call('phone.get', {})).toEqual(before);
    // A replayed hello gets the same answer, which only the phone can use.
    const [first] = phone.sent;
    const heard = await post(shown, '/hello', first?.body ?? new Uint8Array());
    expect(heard.status).toBe(200);
    expect(await host.call('phone.get', {})).toEqual(before);
  });

  it('the answers, the page and what is on its way say nothing of the photos, of their names and of the secret', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const heard: Uint8Array[] = [];
    const phone = phoneOf(shown, {
      post: async (path, body) => {
        const answer = await request(shown, { method: 'POST', path, body });
        heard.push(body.slice(), answer.body);
        return answer;
      },
    });
    const photo = await jpeg(13);
    const added = phone.add([fileOf('anna-meier.jpg', photo)]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    await takeAll(host, shown.code);
    await added;
    const air = Buffer.concat(heard);
    const secrets = [
      Buffer.from('anna-meier'),
      Buffer.from(photo.subarray(500, 540)),
      Buffer.from(shown.secret),
    ];
    expect(secrets.map((secret) => air.includes(secret))).toEqual([false, false, false]);
    expect(air.length).toBeGreaterThan(photo.length);
  });
});

describe('nothing but the page and its messages', () => {
  it('every other path and method is 404; the page has the policy that names its own script', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    expect(await host.call('phone.get', {})).toMatchObject({ state: 'open' });
    const page = await request(shown, {});
    expect(page).toMatchObject({ status: 200, body: Buffer.from(PAGE) });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; connect-src 'self'/,
    );
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
    expect(await host.call('phone.get', {})).toMatchObject({ state: 'seen' });
    const others: readonly (readonly [string, string])[] = [
      ['GET', '/?x'],
      ['GET', '//'],
      ['GET', '/..%2fsession.json'],
      ['GET', '/ask'],
      ['GET', '/0'],
      ['HEAD', '/'],
      ['PUT', '/'],
      ['OPTIONS', '/ask'],
      ['POST', '/'],
      ['POST', '/ask/'],
      ['DELETE', '/ask'],
    ];
    for (const [method, path] of others)
      expect((await request(shown, { method, path })).status, `${method} ${path}`).toBe(404);
  });

  it('another name for this address, another origin, no length, too great a length: refused', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const { port, secret, origin } = shown;
    for (const name of ['evil.example', `localhost:${port}`, '127.0.0.1'])
      expect((await request(shown, { headers: { host: name } })).status, name).toBe(404);
    const body = hello(secret);
    const from = (headers: Record<string, string>) => post(shown, '/hello', body, headers);
    expect((await from({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await from({ origin: 'null' })).status).toBe(403);
    expect((await from({ 'content-type': 'text/plain' })).status).toBe(403);
    expect((await from({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const raw = (more: string) =>
      rawRequest(
        port,
        `POST /ask HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${origin}\r\ncontent-type: application/octet-stream\r\n${more}\r\n\r\n`,
      );
    expect(await raw('transfer-encoding: chunked')).toMatch(/^HTTP\/1.1 413 /);
    expect(await raw('content-length: 99999999')).toMatch(/^HTTP\/1.1 413 /);
    expect(await raw('content-length: 0')).toMatch(/^HTTP\/1.1 413 /);
    expect(await raw(`x: ${'y'.repeat(9_000)}`)).toMatch(/^HTTP\/1.1 431 /);
    // Control.
    expect((await from({})).status).toBe(200);
  });

  it('so many connections, and no more: a silent one gives way, one that sends does not', async () => {
    const host = await startPhoneWorld({ connections: 2 });
    const { port, ...shown } = await host.show();
    const silent = [rawConnection(port), rawConnection(port)];
    onTestFinished(() => silent.forEach(({ socket }) => socket.destroy()));
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    const gone = once(silent[0]?.socket ?? new EventEmitter(), 'close');
    expect((await request({ port, ...shown }, {})).status).toBe(200);
    await gone;
    silent[1]?.socket.destroy();
    const begun = `POST /ask HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${shown.origin}\r\ncontent-type: application/octet-stream\r\ncontent-length: 500\r\n\r\nhalf`;
    const held = [rawConnection(port), rawConnection(port)];
    onTestFinished(() => held.forEach(({ socket }) => socket.destroy()));
    const page = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
    // Data of one write was read at once: once the page arrived, the message has begun.
    const begins = held.map(({ socket }) => once(socket, 'data'));
    for (const { socket } of held) socket.write(page + begun);
    await Promise.all(begins);
    await expect(request({ port, ...shown }, {})).rejects.toThrow();
    held[0]?.socket.destroy();
    await until(
      () =>
        request({ port, ...shown }, {}).then(
          ({ status }) => status === 200,
          () => false,
        ),
      'there is room again',
    );
  });

  it('more requests than a phone makes are told to wait, and a request that does not end is ended', async () => {
    const host = await startPhoneWorld({
      requests: 5,
      requests_per_second: 0.01,
      request_ms: 300,
      head_ms: 300,
    });
    const { port, ...shown } = await host.show();
    const begun = `POST /ask HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${shown.origin}\r\ncontent-type: application/octet-stream\r\ncontent-length: 500\r\n\r\nhalf`;
    await rawRequest(port, begun);
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1) statuses.push((await request({ port, ...shown }, {})).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429]);
  });
});

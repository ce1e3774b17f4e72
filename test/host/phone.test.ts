/**
 * Photos from a phone, the laptop's side: the page's own sender over real HTTP against a real host. What arrives is what was sent; the
 * code counts once, for one phone; all else is refused, counted, and ends the code; nothing can be read.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { drawNonce, helloKeys, PART_BYTES, seal } from '../../src/contract/phone-seal.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { rawConnection, rawRequest } from '../support/raw-request.ts';
import { sha256 } from '../e2e/steps.ts';
import { ADDRESS_VARIABLE } from '../../src/host/phone/networks.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { startServerWorld } from './fixtures/world.ts';
import { fileOf, PAGE, phoneOf, request, startPhoneWorld, type Shown } from './fixtures/phone.ts';

const jpeg = async (seed: number, bytes = 200_000) =>
  new Uint8Array(await makeJpeg({ seed, bytes }));
type Host = Awaited<ReturnType<typeof startPhoneWorld>>;

/** As the window does it: reads every file that is whole, and says what became of it. */
const takeAll = async (host: Host, code: string, state: 'kept' | 'there' = 'kept') => {
  const taken: string[] = [];
  await until(async () => {
    const { files } = await host.call('phone.get', {});
    for (const [file, { state: now, size }] of files.entries()) {
      if (now !== 'checked') continue;
      const parts: Uint8Array[] = [];
      for (let offset = 0; offset < size; offset += 300_000) {
        const { result, bytes } = await host.reply('phone.read', {
          code,
          file,
          offset,
          length: 300_000,
        });
        expect(result).toMatchObject({ ok: true, value: { size } });
        parts.push(bytes ?? new Uint8Array());
      }
      taken.push(sha256(Buffer.concat(parts)));
      await host.call('phone.took', { code, file, state });
    }
    return files.every(({ state: now }) => now !== 'coming' && now !== 'checked');
  }, 'the window has taken all');
  return taken;
};

const closed = (host: Host, why: string) =>
  until(async () => {
    const view = await host.call('phone.get', {});
    return view.state === 'closed' && view.why === why;
  }, `closed: ${why}`);

const cannotConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });

describe('what is sent arrives', () => {
  it('three files in parts: each read here is, by its sha256, the one that was sent; then the phone says so', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown);
    const photos = [await jpeg(1), await jpeg(2, PART_BYTES), await jpeg(3, 1_300_000)];
    const added = phone.add(photos.map((bytes, at) => fileOf(`IMG_${at}.jpg`, bytes)));
    await until(async () => (await host.files()).length === 3, 'all are named');
    expect(phone.view().files.every(({ state }) => state !== 'on_laptop')).toBe(true);
    const taken = await takeAll(host, shown.code);
    await added;
    expect(taken.sort()).toEqual(photos.map(sha256).sort());
    expect(phone.view()).toMatchObject({ link: 'ready', left_out: 0 });
    expect(phone.view().files.map(({ state }) => state)).toEqual(Array(3).fill('on_laptop'));
    // Nothing of them lies here twice.
    expect(await readdir(join(host.folder, 'phone'))).toEqual([]);
    await host.call('phone.close', {});
    expect(await cannotConnect(shown.port)).toBe(true);
  });

  it('failures A37: a connection that is cut six times in the middle goes on where it was, and sends no more than was lost', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const proxy = await startCuttingProxy(() => shown.port);
    onTestFinished(() => proxy.close());
    const phone = phoneOf(shown, { through: proxy.port });
    const photo = await jpeg(4, 4_000_000);
    await phone.begin();
    proxy.cutAfter(...Array<number>(6).fill(700_000));
    const added = phone.add([fileOf('IMG_4.jpg', photo)]);
    await until(async () => (await host.files()).length === 1, 'it is named');
    const [taken] = await takeAll(host, shown.code);
    await added;
    expect(taken).toBe(sha256(photo));
    expect(proxy.cuts()).toBe(6);
    const bytes = phone.sent.reduce((sum, { body }) => sum + body.length, 0);
    expect(bytes).toBeLessThan(photo.length + 7 * (PART_BYTES + 2_000));
    expect((await host.call('phone.get', {})).state).toBe('joined');
  });

  it('what the report had already counts as there; a second choice is added to the first', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown);
    const first = phone.add([fileOf('a.jpg', await jpeg(5))]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    await takeAll(host, shown.code, 'there');
    await first;
    const second = phone.add([fileOf('b.jpg', await jpeg(6))]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    await takeAll(host, shown.code);
    await second;
    expect(await host.files()).toEqual(['there', 'kept']);
    expect(phone.view().files.map(({ state }) => state)).toEqual(['on_laptop', 'on_laptop']);
  });

  it('the page loaded anew is the same phone to the laptop', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    let kept: string | null = null;
    const memory = { get: () => kept, set: (drawn: string) => void (kept = drawn) };
    await phoneOf(shown, { memory }).begin();
    const again = phoneOf(shown, { memory });
    const added = again.add([fileOf('a.jpg', await jpeg(7))]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    await takeAll(host, shown.code);
    await added;
    expect(again.view().files).toMatchObject([{ state: 'on_laptop' }]);
    expect(await host.call('phone.get', {})).toMatchObject({ another: false });
  });
});

describe('only photos, so many, so large', () => {
  it('a text file, an empty one and a list that is too long are refused, each with its reason; the photo stays', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown);
    const text = new TextEncoder().encode(
      '<html>not a photo at all, whatever it is called</html>'.repeat(9),
    );
    const added = phone.add([
      fileOf('notes.jpg', text),
      fileOf('empty.jpg', new Uint8Array()),
      fileOf('a.jpg', await jpeg(8)),
      ...Array.from({ length: 60 }, (_, at) => fileOf(`${at}.jpg`, new Uint8Array())),
    ]);
    await until(async () => (await host.files()).includes('checked'), 'the photo came');
    await takeAll(host, shown.code);
    await added;
    const { files, left_out } = phone.view();
    expect(files.slice(0, 3)).toMatchObject([
      { state: 'refused', why: 'not_a_photo' },
      { state: 'refused', why: 'empty' },
      { state: 'on_laptop', why: null },
    ]);
    expect({ files: files.length, left_out }).toEqual({ files: 60, left_out: 3 });
  });

  it('more than the disk holds is refused before a byte of it is sent', async () => {
    const host = await startPhoneWorld({}, { free_space: async () => 70 * 1024 * 1024 });
    const shown = await host.show();
    const phone = phoneOf(shown);
    await phone.add([fileOf('a.jpg', await jpeg(9, 4_000_000))]);
    expect(phone.view().files).toMatchObject([{ state: 'refused', why: 'no_space', received: 0 }]);
  });

  it.each([
    [
      'differs on every reading begins anew and is refused after three tries',
      1,
      'refused',
      'differs',
    ],
    ['is the same on every reading arrives: the control', 0, 'on_laptop', null],
  ] as const)('a file that %s', async (_title, step, state, why) => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    let lost = false;
    const phone = phoneOf(shown, {
      // The first part is lost on its way: it is read, and hashed, before the reading that is sent.
      post: async (path, body) => {
        if (body.length < 10_000 || lost) return request(shown, { method: 'POST', path, body });
        lost = true;
        throw new Error('lost');
      },
    });
    const bytes = await jpeg(10);
    const moody = {
      name: 'a.jpg',
      size: bytes.length,
      slice: () => {
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + step;
        return new Blob([bytes]);
      },
    } as unknown as File;
    const added = phone.add([moody]);
    await until(async () => (await host.files()).length === 1, 'it is named');
    await takeAll(host, shown.code);
    await added;
    expect(phone.view().files).toMatchObject([{ state, why }]);
  });
});

const hello = (secret: Uint8Array) => {
  const drawn = randomBytes(32);
  const sealed = seal(helloKeys(secret, drawn).to_laptop, drawNonce(randomBytes), { hello: 1 });
  return Buffer.concat([drawn, sealed]);
};
const post = (shown: Shown, path: string, body: Uint8Array, headers = {}) =>
  request(shown, { method: 'POST', path, body, headers });

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

  it('a wrong secret, no seal, a cut one, one more byte: all 403, and the twentieth ends the code', async () => {
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
    // The control: none of these spent the code.
    expect((await post(shown, '/hello', right)).status).toBe(200);
    for (let at = 0; at < 14; at += 1)
      await post(shown, '/hello', wrong[at % 5] ?? right).catch(() => null);
    await closed(host, 'refused');
    expect(await cannotConnect(shown.port)).toBe(true);
  });

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
    // A hello heard on the air is answered as before, with what only the phone can use.
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
    // The control.
    expect((await from({})).status).toBe(200);
  });

  it('so many connections, and no more', async () => {
    const host = await startPhoneWorld({ connections: 2 });
    const { port, ...shown } = await host.show();
    const held = [rawConnection(port), rawConnection(port)];
    onTestFinished(() => held.forEach(({ socket }) => socket.destroy()));
    await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
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

describe('the code ends', () => {
  it.each([
    ['idle', { idle_ms: 50, look_ms: 10 }, true],
    ['window', { window_ms: 50, look_ms: 10 }, false],
  ] as const)('by itself: %s', async (why, limits, asks) => {
    const host = await startPhoneWorld(limits);
    const shown = await host.show();
    if (asks) await closed(host, why);
    await until(() => cannotConnect(shown.port), 'nobody listens');
    expect(await host.call('phone.get', {})).toMatchObject({ state: 'closed', why });
    expect(host.log).toContainEqual(expect.objectContaining({ level: 'warn', code: why }));
    expect(JSON.stringify(host.log)).not.toContain(Buffer.from(shown.secret).toString('hex'));
  });

  it('with the session that let the phone in', async () => {
    const folder = await temporaryFolder();
    const page = join(folder, 'phone.html');
    await writeFile(page, PAGE);
    const env = { [ADDRESS_VARIABLE]: '127.0.0.1' };
    const { call } = await startServerWorld({ env, phone_page: page });
    const shown = await call('phone.open', { address: '127.0.0.1' });
    const port = Number(new URL(shown?.url ?? '').port);
    // What changes nothing about who it is ends nothing.
    await call('session.unlock', {});
    expect(await cannotConnect(port)).toBe(false);
    await call('session.sign_out', {});
    await until(() => cannotConnect(port), 'nobody listens');
    expect(await call('phone.get', {})).toMatchObject({ state: 'closed', why: 'account' });
  });

  it('idle, however often an old hello is said again', async () => {
    const clock = { ms: 0, now: () => Date.now(), monotonic: () => clock.ms };
    const host = await startPhoneWorld({ look_ms: 10 }, { clock });
    const shown = await host.show();
    const phone = phoneOf(shown);
    await phone.begin();
    const [first] = phone.sent;
    for (let minute = 0; minute < 9; minute += 1) {
      clock.ms += 60_000;
      await host.call('phone.get', {});
      expect((await post(shown, '/hello', first?.body ?? new Uint8Array())).status).toBe(200);
    }
    clock.ms += 61_000;
    await closed(host, 'idle');
    expect(await cannotConnect(shown.port)).toBe(true);
  });

  it('with the host; what was on its way is not left on the disk', async () => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown);
    void phone.add([fileOf('a.jpg', await jpeg(14))]);
    await until(async () => (await host.files()).includes('checked'), 'it came');
    expect(await readdir(join(host.folder, 'phone'))).toHaveLength(1);
    await host.door.stop();
    expect(await cannotConnect(shown.port)).toBe(true);
    expect(await readdir(host.folder)).not.toContain('phone');
  });

  it('only on an address of this laptop, and only where there is a page', async () => {
    const host = await startPhoneWorld();
    expect(await host.call('phone.networks', {})).toEqual({
      networks: [{ name: 'SPOTTER_PHONE_ADDRESS', address: '127.0.0.1' }],
    });
    expect(await host.call('phone.open', { address: '127.0.0.2' })).toBeNull();
    expect(await host.problem('phone.open', { address: '0.0.0.0/0' })).toMatchObject({
      kind: 'bad_input',
    });
    const without = await startPhoneWorld({}, { phone_page: '/nowhere/phone.html' });
    expect(await without.call('phone.networks', {})).toEqual({ networks: [] });
    expect(await without.call('phone.open', { address: '127.0.0.1' })).toBeNull();
  });
});

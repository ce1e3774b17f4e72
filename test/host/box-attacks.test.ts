/**
 * The report box under attack from its own Wi-Fi: without the poster, with it, with recordings, and with many phones at once. The
 * poster hangs on a wall, so whatever it allows is allowed to everybody who passes by.
 */
import { x25519 } from '@noble/curves/ed25519.js';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BoxAnswer } from '../../src/contract/phone/box-messages.ts';
import {
  drawNonce,
  freshSecret,
  helloKeys,
  seal,
  talkKeys,
  unseal,
} from '../../src/contract/phone/phone-seal.ts';
import { rawConnection, rawRequest } from '../support/raw-request.ts';
import { slow } from '../support/slow.ts';
import {
  beginning,
  type BoxWorld,
  type Poster,
  readPhoto,
  sendTo,
  sha256,
  startBoxWorld,
  talkWith,
} from './fixtures/box.ts';
import { until } from './fixtures/folder.ts';
import { jpeg, post } from './fixtures/phone-steps.ts';
import { PAGE, request } from './fixtures/phone.ts';

const of = (poster: Poster) => ({ ...poster, code: '', secret: poster.key });
const send = (poster: Poster, path: string, body: Uint8Array, headers = {}) =>
  post(of(poster), path, body, headers).then(({ status }) => status);
const hello = (key: Uint8Array, own: Uint8Array = randomBytes(32)): Buffer => {
  const shown = x25519.getPublicKey(own);
  const keys = helloKeys(x25519.getSharedSecret(own, key), shown);
  return Buffer.concat([shown, seal(keys.to_laptop, drawNonce(randomBytes), { report: 1 })]);
};
const why = (answer: BoxAnswer) => (answer.kind === 'refused' ? answer.why : answer.kind);
const photo = (size: number, name = 'a.jpg') => ({ name, size, sha256: '0'.repeat(64) });

describe('without the poster', () => {
  it('another key, no seal, a cut hello, a key of small order: 403; twenty bar the address for a while', async () => {
    let late = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late };
    const host = await startBoxWorld({}, { clock });
    const { poster } = host;
    const right = hello(poster.key);
    const wrong = [
      hello(x25519.getPublicKey(randomBytes(32))),
      randomBytes(100),
      randomBytes(1),
      right.subarray(0, -1),
      Buffer.concat([right, Buffer.alloc(1)]),
      Buffer.concat([Buffer.alloc(32), right.subarray(32)]),
      Buffer.concat([Buffer.alloc(32, 255), right.subarray(32)]),
    ];
    for (const body of wrong) expect(await send(poster, '/hello', body)).toBe(403);
    expect(await send(poster, '/hello', right)).toBe(200);
    for (let at = 0; at < 14; at += 1)
      await send(poster, '/hello', wrong[at % 7] ?? right).catch(() => null);
    await expect(send(poster, '/hello', right)).rejects.toThrow();
    // The box stays open: it is not one attacker's to close.
    expect(await host.call('box.get', {})).toMatchObject({ state: 'open' });
    late = 11 * 60_000;
    expect(await send(poster, '/hello', right)).toBe(200);
  });

  it('an unknown conversation gets a 409, so that the phone begins another, and nothing else', async () => {
    const { poster } = await startBoxWorld();
    expect(await send(poster, '/ask', randomBytes(16))).toBe(409);
    expect(await send(poster, '/ask', randomBytes(400))).toBe(409);
  });

  it.skipIf(process.platform === 'darwin')(
    'barred addresses bar no other, and never close the box (needs 127.0.0.2)',
    async () => {
      const host = await startBoxWorld({ refusals: 2 });
      for (let other = 2; other < 14; other += 1)
        for (let at = 0; at < 3; at += 1)
          await request(host.poster, {
            method: 'POST',
            path: '/hello',
            body: randomBytes(100),
            from: `127.0.0.${other}`,
          }).catch(() => null);
      expect(await sendTo(talkWith(host.poster))).toMatchObject({ kind: 'stored' });
    },
  );
});

describe('who read the poster and records the Wi-Fi', () => {
  it('finds text, name, photo, code and reason in nothing that is on its way, and cannot open it', async () => {
    const host = await startBoxWorld();
    const { poster } = host;
    const air: Buffer[] = [];
    const say = talkWith(poster, {
      post: async (path, body) => {
        const reply = await request(poster, { method: 'POST', path, body });
        air.push(Buffer.from(body), reply.body);
        return reply;
      },
    });
    const picture = await jpeg(61);
    const sent = await sendTo(say, { text: 'the text', name: 'Ana Ruiz', photos: [picture] });
    const code = sent.kind === 'stored' ? sent.code : '';
    const [report] = await host.reports();
    await host.call('box.discard', { report: report?.id ?? '', reason: 'the reason' });
    await say({ ask: 'look', code });
    const all = Buffer.concat(air);
    for (const secret of [
      'the text',
      'Ana Ruiz',
      code,
      'the reason',
      Buffer.from(picture.subarray(500, 540)),
    ])
      expect(all.includes(secret)).toBe(false);
    // Who gets the laptop's private key later opens the greetings of a recording, and no report.
    const setup = await readFile(join(host.folder, 'box/box.json'), 'utf8');
    const { key: stolen } = JSON.parse(setup) as { key: string };
    const [greeting = Buffer.alloc(0), , begin = Buffer.alloc(0)] = air;
    const shown = greeting.subarray(0, 32);
    const fixed = x25519.getSharedSecret(Buffer.from(stolen, 'hex'), shown);
    const opened = unseal(helloKeys(fixed, shown).to_laptop, greeting.subarray(32));
    expect(opened?.words).toEqual({ report: 1 });
    for (const secret of [fixed, freshSecret(fixed, new Uint8Array(32))])
      for (const { to_laptop } of [helloKeys(secret, shown), talkKeys(secret, shown, poster.key)])
        expect(unseal(to_laptop, begin.subarray(16))).toBeNull();
    // The key on the poster opens no message, as a secret on it would.
    for (const message of air)
      for (const name of ['to_laptop', 'to_phone'] as const) {
        const phone = message.subarray(0, 32);
        for (const key of [poster.key, helloKeys(poster.key, phone)[name]])
          for (const from of [0, 16, 32]) expect(unseal(key, message.subarray(from))).toBeNull();
      }
  });

  it('a message sent again, in its conversation or another, is refused and changes nothing', async () => {
    const host = await startBoxWorld();
    const bodies: Buffer[] = [];
    const say = talkWith(host.poster, {
      post: (path, body) => {
        if (path === '/ask') bodies.push(Buffer.from(body));
        return request(host.poster, { method: 'POST', path, body });
      },
    });
    await sendTo(say, { photos: [await jpeg(62)] });
    const before = await host.reports();
    for (const body of bodies) expect(await send(host.poster, '/ask', body)).toBe(403);
    // Under the name of another conversation it does not open.
    let other = Buffer.alloc(0);
    const second = talkWith(host.poster, {
      post: (path, body) => {
        if (path === '/ask') other = Buffer.from(body.subarray(0, 16));
        return request(host.poster, { method: 'POST', path, body });
      },
    });
    await second({ ask: 'look', code: 'BBBBBB' });
    const moved = Buffer.concat([other, bodies[0]?.subarray(16) ?? Buffer.alloc(0)]);
    expect(await send(host.poster, '/ask', moved)).toBe(403);
    expect(await host.reports()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it('cannot answer in the laptop’s place: the phone believes only the key on its poster', async () => {
    const { poster } = await startBoxWorld();
    const impostor = await startBoxWorld();
    const redirected = talkWith(poster, {
      post: (path, body) => request(impostor.poster, { method: 'POST', path, body }),
    });
    expect(await sendTo(redirected)).toEqual({ kind: 'old' });
    expect(await impostor.reports()).toEqual([]);
    const old: { body: Buffer; status: number }[] = [];
    let replay = false;
    const say = talkWith(poster, {
      post: async (path, body) => {
        const reply = replay ? old[1] : await request(poster, { method: 'POST', path, body });
        if (reply === undefined) throw new Error('nothing recorded');
        old.push(reply);
        return reply;
      },
    });
    await say({ ask: 'look', code: 'BBBBBB' });
    replay = true;
    await expect(say({ ask: 'look', code: 'CCCCCC' })).rejects.toThrow();
  });
});

describe('a program with the key of the poster', () => {
  it('is held to the sizes of a report: text, name, photos, bytes; nothing of a refused one stays', async () => {
    const host = await startBoxWorld({ reports_of_one: 100 });
    const say = talkWith(host.poster);
    const megabytes = 1024 ** 2;
    const said = async (given: object) => {
      try {
        return why(await say(beginning(given)));
      } catch {
        return 403;
      }
    };
    expect(await said({ text: ' \n', photos: [] })).toBe('empty');
    expect(await said({ photos: [photo(25 * megabytes + 1)] })).toBe('too_large');
    expect(await said({ photos: Array(3).fill(photo(24 * megabytes)) })).toBe('too_large');
    expect(await said({ photos: [photo(0)] })).toBe('not_a_photo');
    expect(await said({ text: 'x'.repeat(5_001) })).toBe(403);
    expect(await said({ name: 'x'.repeat(201) })).toBe(403);
    expect(await said({ photos: Array(7).fill(photo(1)) })).toBe(403);
    expect(await said({ report: '../../../etc/passwd' })).toBe(403);
    expect(await said({ report: '..%2f'.padEnd(32, '0') })).toBe(403);
    expect(await said({ language: 'xx' })).toBe(403);
    expect(await host.reports()).toEqual([]);
    expect(await readdir(join(host.folder, 'box/coming'))).toEqual([]);
  });

  it('writes to no other place: names are only shown, offsets only continue, types are looked at', async () => {
    const host = await startBoxWorld({ reports_of_one: 100 });
    const say = talkWith(host.poster);
    const bytes = await jpeg(63, 100_000);
    const facts = { name: '..\\..//../CON.jpg\u202e', size: bytes.length, sha256: sha256(bytes) };
    const begin = beginning({ photos: [facts] });
    const { report } = begin;
    const part = (offset: number, given: Uint8Array, at = 0) =>
      say({ ask: 'part', report, photo: at, offset }, given);
    await say(begin);
    expect(await part(1, bytes)).toMatchObject({ received: [0] });
    expect(await part(0, bytes, 5)).toMatchObject({ received: [0] });
    expect(await part(0, Buffer.concat([bytes, Buffer.alloc(1)]))).toMatchObject({ received: [0] });
    expect(await say({ ask: 'done', report })).toMatchObject({ kind: 'coming', received: [0] });
    await part(0, bytes);
    expect(await say({ ask: 'done', report })).toMatchObject({ kind: 'stored' });
    const [stored] = await host.reports();
    expect(stored?.photos[0]?.name).not.toMatch(/[/\\]|\.\.|\u202e/u);
    expect(await readdir(join(host.folder, 'box/reports', stored?.id ?? ''))).toEqual([
      '0',
      'report.json',
    ]);

    const bad = async (name: string, given: Uint8Array, hash = sha256(given)) => {
      const one = beginning({ photos: [{ name, size: given.length, sha256: hash }] });
      await say(one);
      const first = await say({ ask: 'part', report: one.report, photo: 0, offset: 0 }, given);
      return first.kind === 'coming'
        ? why(await say({ ask: 'done', report: one.report }))
        : why(first);
    };
    const page = Buffer.from(`<html><script>alert(1)</script>${' '.repeat(80)}</html>`);
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(90)]);
    expect(await bad('a.jpg', page)).toBe('not_a_photo');
    expect(await bad('a.jpg', Buffer.from('MZ'.padEnd(100)))).toBe('not_a_photo');
    expect(await bad('a.jpg', video)).toBe('not_a_photo');
    expect(await bad('a.jpg', Buffer.from('x'))).toBe('not_a_photo');
    expect(await bad('a.jpg', bytes, '0'.repeat(64))).toBe('differs');
    expect(await host.reports()).toHaveLength(1);
    expect(await readdir(join(host.folder, 'box/coming'))).toEqual([]);
  });

  it('sends at most four reports a minute from one address, four unfinished ones, and so many in all', async () => {
    let late = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late };
    const host = await startBoxWorld({ waiting: 6 }, { clock });
    const say = talkWith(host.poster);
    const sent = async () => {
      const answer = await sendTo(say);
      return answer.kind === 'refused' ? answer.why : answer.kind;
    };
    const minute = [];
    for (let at = 0; at < 6; at += 1) minute.push(await sent());
    expect(minute).toEqual(['stored', 'stored', 'stored', 'stored', 'often', 'often']);
    late = 61_000;
    // Begun reports count as waiting, or many phones together would pass the limit.
    const unfinished = beginning({ photos: [photo(100)] });
    expect(why(await say(unfinished))).toBe('coming');
    expect([await sent(), await sent()]).toEqual(['stored', 'full']);
    // The box is full, and still answers who asks for a report.
    expect(await say({ ask: 'look', code: 'BBBBBB' })).toMatchObject({ kind: 'unknown' });
    const [first] = await host.reports();
    await host.call('box.discard', { report: first?.id ?? '', reason: 'Room for others' });
    expect(await sent()).toBe('stored');
  });

  it('unfinished reports: four of one address, and they are deleted when their phone is silent', async () => {
    let late = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late };
    const host = await startBoxWorld({ reports_of_one: 100, look_ms: 20 }, { clock });
    const say = talkWith(host.poster);
    const begin = async () => why(await say(beginning({ photos: [photo(100)] })));
    const said = [];
    for (let at = 0; at < 5; at += 1) said.push(await begin());
    expect(said).toEqual(['coming', 'coming', 'coming', 'coming', 'often']);
    late = 11 * 60_000;
    await until(
      async () => (await readdir(join(host.folder, 'box/coming'))).length === 0,
      'deleted',
    );
    expect(await begin()).toBe('coming');
  });

  it('fills no more of the disk than the box may, unfinished reports included', async () => {
    const host = await startBoxWorld({ bytes: 1_000_000, reports_of_one: 100 });
    const say = talkWith(host.poster);
    expect(await sendTo(say, { photos: [await jpeg(64, 400_000)] })).toMatchObject({
      kind: 'stored',
    });
    expect(why(await say(beginning({ photos: [photo(500_000)] })))).toBe('coming');
    expect(why(await say(beginning({ photos: [photo(200_000)] })))).toBe('full');
    // Text still comes.
    expect(await sendTo(say)).toMatchObject({ kind: 'stored' });
  });

  it('gets answers to five wrong codes in ten minutes, then to no code, a right one included', async () => {
    let late = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late };
    const host = await startBoxWorld({}, { clock });
    const say = talkWith(host.poster);
    const sent = await sendTo(say);
    const code = sent.kind === 'stored' ? sent.code : '';
    const look = async (typed: string) => (await say({ ask: 'look', code: typed })).kind;
    const said = [];
    for (const typed of ['BBBBBB', 'CCCCCC', code, '', 'no code', 'DDDDDD', code, 'FFFFFF'])
      said.push(await look(typed));
    expect(said.join(' ')).toBe('unknown unknown found unknown unknown unknown later later');
    // Another conversation of the same address gains nothing.
    expect(await talkWith(host.poster)({ ask: 'look', code })).toMatchObject({ kind: 'later' });
    late = 11 * 60_000;
    expect(await look(code)).toBe('found');
  });

  it.skipIf(process.platform === 'darwin')(
    'guesses from many addresses are limited together (needs 127.0.0.2)',
    async () => {
      const host = await startBoxWorld({ guesses: 6 });
      const said = [];
      for (let other = 2; other < 6; other += 1) {
        const say = talkWith(host.poster, { from: `127.0.0.${other}` });
        for (const code of ['BBBBBB', 'CCCCCC']) said.push((await say({ ask: 'look', code })).kind);
      }
      expect(said).toEqual([...Array<string>(6).fill('unknown'), 'later', 'later']);
    },
  );

  it('opens many conversations and loses its own; the bound on all of them holds', async () => {
    const host = await startBoxWorld({ talks_of_one: 3 });
    const paths: string[] = [];
    const first = talkWith(host.poster, {
      post: (path, body) => {
        paths.push(path);
        return request(host.poster, { method: 'POST', path, body });
      },
    });
    await first({ ask: 'look', code: 'BBBBBB' });
    for (let at = 0; at < 3; at += 1)
      expect(await send(host.poster, '/hello', hello(host.poster.key))).toBe(200);
    // Its page begins another one.
    expect(await first({ ask: 'look', code: 'BBBBBB' })).toMatchObject({ kind: 'unknown' });
    expect(paths).toEqual(['/hello', '/ask', '/ask', '/hello', '/ask']);
  });

  it('markup stays text, control characters and right-to-left marks included, and the log names nothing', async () => {
    const host = await startBoxWorld();
    const text = '<img src=x onerror=alert(1)> \u202egpj.exe {{7*7}} =cmd()|’; DROP TABLE';
    await sendTo(talkWith(host.poster), { text, name: '<b>x</b>' });
    expect(await host.reports()).toMatchObject([{ text, name: '<b>x</b>' }]);
    const logged = JSON.stringify(host.log);
    for (const part of ['onerror', '<b>', '127.0.0.1']) expect(logged).not.toContain(part);
    const [report] = await host.reports();
    const file = join(host.folder, 'box/reports', report?.id ?? '', 'report.json');
    // Who sent it, by address, is not kept.
    expect(await readFile(file, 'utf8')).not.toContain('127.0.0.1');
  });
});

describe('nothing but the page and its messages', () => {
  it('every other path, method, host name, origin, type and length is refused', async () => {
    const { poster } = await startBoxWorld();
    const page = await request(poster, {});
    expect(page).toMatchObject({ status: 200, body: Buffer.from(PAGE) });
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha/);
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
    const others: readonly (readonly [string, string])[] = [
      ['GET', '/?x'],
      ['GET', '//'],
      ['GET', '/..%2fbox.json'],
      ['GET', '/../box/box.json'],
      ['GET', '/reports'],
      ['HEAD', '/'],
      ['OPTIONS', '/ask'],
      ['POST', '/'],
      ['DELETE', '/ask'],
    ];
    for (const [method, path] of others)
      expect((await request(poster, { method, path })).status, `${method} ${path}`).toBe(404);
    // A name that resolves to this laptop (DNS rebinding).
    for (const name of ['evil.example', `localhost:${poster.port}`, '127.0.0.1'])
      expect((await request(poster, { headers: { host: name } })).status, name).toBe(404);
    const body = hello(poster.key);
    const from = (headers: Record<string, string>) => send(poster, '/hello', body, headers);
    expect(await from({ origin: 'http://evil.example' })).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ 'content-type': 'text/plain' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    const raw = (more: string) =>
      rawRequest(
        poster.port,
        `POST /ask HTTP/1.1\r\nhost: 127.0.0.1:${poster.port}\r\norigin: ${poster.origin}\r\ncontent-type: application/octet-stream\r\n${more}\r\n\r\n`,
      );
    expect(await raw('transfer-encoding: chunked')).toMatch(/^HTTP\/1.1 413 /);
    expect(await raw('content-length: 99999999')).toMatch(/^HTTP\/1.1 413 /);
    expect(await raw(`x: ${'y'.repeat(9_000)}`)).toMatch(/^HTTP\/1.1 431 /);
    expect(await from({})).toBe(200);
  });

  it('silent connections give way, slow ones end, and a flood from one address gets a 429', async () => {
    const { poster } = await startBoxWorld({
      connections: 4,
      request_ms: 300,
      head_ms: 300,
      of_one: { requests: 8, requests_per_second: 0.01 },
    });
    const silent = Array.from({ length: 4 }, () => rawConnection(poster.port));
    onTestFinished(() => silent.forEach(({ socket }) => socket.destroy()));
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    const gone = once(silent[0]?.socket ?? new EventEmitter(), 'close');
    expect((await request(poster, {})).status).toBe(200);
    await gone;
    // Slow: a head and half a body that never end are ended.
    await rawRequest(poster.port, 'POST /ask HTTP/1.1\r\nhost: ');
    await rawRequest(
      poster.port,
      `POST /ask HTTP/1.1\r\nhost: 127.0.0.1:${poster.port}\r\norigin: ${poster.origin}\r\ncontent-type: application/octet-stream\r\ncontent-length: 500\r\n\r\nhalf`,
    );
    const statuses: number[] = [];
    for (let at = 0; at < 9; at += 1) statuses.push((await request(poster, {})).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1);
    expect(statuses[0]).toBe(200);
  });
});

/** Phones that send at once, each from its own address. */
const crowd = async (host: BoxWorld, phones: number, bytes: number) => {
  const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => jpeg(seed, bytes)));
  const sent = await Promise.all(
    Array.from({ length: phones }, (_, at) =>
      sendTo(talkWith(host.poster, { from: `127.0.1.${at + 1}` }), {
        text: `Report of phone ${at}`,
        photos,
      }),
    ),
  );
  expect(sent.filter(({ kind }) => kind === 'stored')).toHaveLength(phones);
  const reports = await host.reports();
  expect(new Set(reports.map(({ text }) => text)).size).toBe(phones);
  expect(new Set(reports.map(({ code }) => code)).size).toBe(phones);
  for (const report of reports) {
    expect(report.photos.map(({ sha256: hash }) => hash)).toEqual(photos.map(sha256));
    expect((await readPhoto(host, report.id, 5)).equals(photos[5] ?? Buffer.alloc(0))).toBe(true);
  }
};

it.skipIf(process.platform === 'darwin')(
  'five phones with six photos each at once: every report is whole (needs 127.0.1.1)',
  async () => crowd(await startBoxWorld(), 5, 60_000),
);

if (process.platform !== 'darwin')
  slow(
    '30 phones with six photos each at once, while another floods the box: all are whole',
    async () => {
      const host = await startBoxWorld();
      let over = false;
      const flood = (async () => {
        while (!over) {
          const tries = Array.from({ length: 20 }, () =>
            request(host.poster, { from: '127.0.2.1' }).catch(() => null),
          );
          await Promise.all(tries);
        }
      })();
      await crowd(host, 30, 1_200_000);
      over = true;
      await flood;
    },
  );

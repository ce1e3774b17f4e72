/**
 * Photos from a phone, the laptop's side: the page's own sender over real HTTP against a real host. Bytes arrive unchanged,
 * other files are refused, and access ends when it should.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PART_BYTES } from '../../src/contract/phone/phone-seal.ts';
import { ADDRESS_VARIABLE } from '../../src/host/phone/networks.ts';
import { sha256 } from '../e2e/steps.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { cannotConnect, closed, jpeg, post, takeAll } from './fixtures/phone-steps.ts';
import {
  changedOnTheWay,
  fileOf,
  PAGE,
  phoneOf,
  request,
  startPhoneWorld,
} from './fixtures/phone.ts';
import { startServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

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
    // The phone folder keeps no second copy.
    expect(await readdir(join(host.folder, 'phone'))).toEqual([]);
    await host.call('phone.close', {});
    expect(await cannotConnect(shown.port)).toBe(true);
  });

  slow(
    'failures A37: a connection that is cut six times in the middle goes on where it was, and sends no more than was lost',
    async () => {
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
    },
  );

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
      // The first part is lost: its file is read for the hash before it is read for sending.
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

describe('the phone counts only', () => {
  const sendOne = async (change: Parameters<typeof changedOnTheWay>[1]) => {
    const host = await startPhoneWorld();
    const shown = await host.show();
    const phone = phoneOf(shown, { post: changedOnTheWay(shown, change) });
    const added = phone.add([fileOf('a.jpg', await jpeg(16))]);
    await Promise.race([
      added,
      until(async () => (await host.files()).includes('checked'), 'came'),
    ]);
    if ((await host.files()).length > 0) await takeAll(host, shown.code);
    await added;
    return phone.view();
  };

  it('what the laptop has with its own sha256 and size', async () => {
    expect((await sendOne(() => undefined)).files).toMatchObject([{ state: 'on_laptop' }]);
    const others = await sendOne(({ files }) => {
      for (const one of files) if (one.sha256 !== null) one.sha256 = 'f'.repeat(64);
    });
    expect(others.files).toMatchObject([{ state: 'refused' }]);
  });

  it('answers to what it asked: an older one, given again, ends the conversation', async () => {
    const view = await sendOne((answer) => {
      answer.n -= 1;
    });
    expect(view).toMatchObject({ link: 'unreadable', files: [{ state: 'waiting' }] });
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

  it('by the window that shows it, and by no other with a code of before', async () => {
    const host = await startPhoneWorld();
    const before = await host.show();
    const shown = await host.show();
    await host.call('phone.close', { code: before.code });
    expect(await cannotConnect(shown.port)).toBe(false);
    await host.call('phone.close', { code: shown.code });
    expect(await cannotConnect(shown.port)).toBe(true);
  });

  it('with the session that let the phone in', async () => {
    const folder = await temporaryFolder();
    const page = join(folder, 'phone.html');
    await writeFile(page, PAGE);
    const env = { [ADDRESS_VARIABLE]: '127.0.0.1' };
    const { call } = await startServerWorld({ env, phone_page: page });
    const shown = await call('phone.open', { address: '127.0.0.1' });
    const port = Number(new URL(shown?.url ?? '').port);
    // An unlock does not change the account, so it ends nothing.
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
      networks: [{ name: '127.0.0.1', address: '127.0.0.1' }],
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

it('both pages show the company’s privacy notice as text, also when it changes while the box is open', async () => {
  const pages = join(import.meta.dirname, '../../src/phone');
  const [phone_page, report_page] = [join(pages, 'index.html'), join(pages, 'report/index.html')];
  const host = await startPhoneWorld({}, { phone_page, report_page });
  const { url } = await host.call('box.set', { on: true });
  const box = new URL(url ?? '');
  const places = [await host.show(), { origin: box.origin, port: Number(box.port) }];
  const shown = async (): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const place of places) {
      const { body, headers } = await request(place, {});
      expect(headers['content-length']).toBe(String(body.length));
      texts.push(/<p id="privacy" dir="auto">([^]*?)<\/p>/.exec(body.toString())?.[1] ?? 'none');
    }
    return texts;
  };
  expect(await shown()).toEqual(['', '']);
  await host.call('phone.notice', {
    text: 'Kept 3 years. Ask <script>anna</script> & $& for yours.',
  });
  const text = 'Kept 3 years. Ask &lt;script&gt;anna&lt;/script&gt; &amp; $&amp; for yours.';
  expect(await shown()).toEqual([text, text]);
  await host.call('phone.notice', { text: '' });
  expect(await shown()).toEqual(['', '']);
  expect(await host.problem('phone.notice', { text: 'x'.repeat(601) })).toMatchObject({
    kind: 'bad_input',
  });
});

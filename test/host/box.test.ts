/** The report box: a whole report from a phone to the inbox, across lost answers and restarts, and what its code answers. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/lib/clock.ts';
import { beginning, readPhoto, reportOf, sendTo, startBoxWorld, talkWith } from './fixtures/box.ts';
import { until } from './fixtures/folder.ts';
import { cannotConnect, jpeg } from './fixtures/phone-steps.ts';
import { request } from './fixtures/phone.ts';
import { startWorld } from './fixtures/world.ts';
import { resumeReport, sendReport } from '../../src/phone/report/send-report.ts';

describe('a report', () => {
  it('comes with text, name and six photos, is on disk before the phone hears its code, and survives a restart', async () => {
    const host = await startBoxWorld();
    const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => jpeg(seed, 700_000)));
    const sent = await sendTo(talkWith(host.poster), {
      text: ' Łańcuch pękł <b>przy</b> bramie \n',
      name: ' Ana ',
      language: 'pl',
      photos,
    });
    expect(sent).toMatchObject({
      kind: 'stored',
      code: expect.stringMatching(/^[BCDFGHJKMNPRSTWXYZ]{6}$/),
    });
    const [report] = await host.reports();
    expect(report).toMatchObject({
      text: 'Łańcuch pękł <b>przy</b> bramie',
      name: 'Ana',
      language: 'pl',
      state: 'waiting',
      photos: { length: 6 },
    });
    expect(report).not.toHaveProperty('phone_id');
    expect(host.events.filter(({ kind }) => kind === 'box.changed').length).toBeGreaterThan(0);
    expect(await readdir(join(host.folder, 'box/coming'))).toEqual([]);
    await host.door.stop();

    const again = await startBoxWorld({}, { data_dir: host.folder });
    expect(again.poster).toEqual(host.poster);
    expect(await again.reports()).toEqual([report]);
    expect((await again.call('box.get', {})).waiting).toBe(1);
    for (const [at, photo] of photos.entries())
      expect((await readPhoto(again, report?.id ?? '', at)).equals(photo)).toBe(true);
    // The same poster still works.
    expect(await sendTo(talkWith(again.poster))).toMatchObject({ kind: 'stored' });
  });

  it('goes on where it broke off, also when the laptop restarts meanwhile, and is stored once', async () => {
    const host = await startBoxWorld();
    const say = talkWith(host.poster);
    let asked = 0;
    // Every third answer is lost on the way, that of the last message too.
    const losing: typeof say = async (question, bytes) => {
      const answer = await say(question, bytes);
      asked += 1;
      if (asked % 3 === 0 || (answer.kind === 'stored' && asked < 12)) throw new Error('lost');
      return answer;
    };
    const photos = [await jpeg(21, 1_300_000), await jpeg(22, 600_000)];
    const sent = await sendTo(losing, { photos });
    expect(sent).toMatchObject({ kind: 'stored' });
    expect(await host.reports()).toHaveLength(1);

    const half = beginning({ photos: [{ name: 'a', size: 500, sha256: '0'.repeat(64) }] });
    expect(await say(half)).toMatchObject({ kind: 'coming', received: [0] });
    await host.door.stop();
    const again = await startBoxWorld({}, { data_dir: host.folder });
    expect(await readdir(join(host.folder, 'box/coming'))).toEqual([]);
    // The laptop does not know the conversation any more: the page begins another.
    expect(await say(half)).toMatchObject({ kind: 'coming', received: [0] });
    expect(await again.reports()).toHaveLength(1);
  });

  it('two messages at once and a repeated one store it once, with one code', async () => {
    const host = await startBoxWorld();
    const [one, other] = [talkWith(host.poster), talkWith(host.poster)];
    const begin = beginning();
    await one(begin);
    const done = { ask: 'done' as const, report: begin.report };
    const answers = await Promise.all([one(done), other(done), one(begin), other(begin)]);
    const codes = answers.map((answer) => (answer.kind === 'stored' ? answer.code : answer.kind));
    expect(await one(done)).toMatchObject({ kind: 'stored', code: codes[0] });
    expect(await host.reports()).toHaveLength(1);
    expect(new Set(codes.filter((code) => code !== 'coming'))).toEqual(new Set([codes[0]]));
  });

  it('failures A73: a page that is reloaded while it sends learns its code, or that it has to send again', async () => {
    const host = await startBoxWorld();
    const reload = (id: string) =>
      resumeReport(id, {
        say: talkWith(host.poster),
        wait: async () => undefined,
        progress: () => undefined,
      });
    // The page goes away when the answer to this message is on its way.
    const cut = async (ask: string, photos: readonly Uint8Array<ArrayBuffer>[] = []) => {
      const say = talkWith(host.poster);
      const report = reportOf({ photos });
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      void sendReport(report, {
        say: async (question, bytes) => {
          const answer = await say(question, bytes);
          if (question.ask !== ask) return answer;
          leave();
          return new Promise(() => undefined);
        },
        wait: async () => undefined,
        progress: () => undefined,
      });
      await left;
      return report.id;
    };
    const stored = await reload(await cut('done', [await jpeg(71)]));
    expect(stored).toMatchObject({ kind: 'stored' });
    expect(await host.reports()).toMatchObject([
      { code: stored?.kind === 'stored' && stored.code },
    ]);
    // A text alone had arrived, so this stores it.
    expect(await reload(await cut('begin'))).toMatchObject({ kind: 'stored' });
    expect(await host.reports()).toHaveLength(2);
    for (const id of [await cut('part', [await jpeg(72, 1_300_000)]), 'a'.repeat(32)])
      expect(await reload(id)).toBeNull();
    expect(await host.reports()).toHaveLength(2);
  });

  it('a full disk: refused with the reason, nothing stays, and earlier reports do', async () => {
    let free = 1e12;
    const host = await startBoxWorld({}, { free_space: async () => free });
    const say = talkWith(host.poster);
    expect(await sendTo(say)).toMatchObject({ kind: 'stored' });
    free = 0;
    expect(await sendTo(say, { photos: [await jpeg(31)] })).toMatchObject({ why: 'no_space' });
    expect(await host.reports()).toHaveLength(1);
    expect(await readdir(join(host.folder, 'box/coming'))).toEqual([]);
  });
});

it('a report that was deleted while its phone was silent is announced again and arrives whole', async () => {
  let late = 0;
  const clock = { now: () => Date.now(), monotonic: () => performance.now() + late };
  const host = await startBoxWorld({ look_ms: 20 }, { clock });
  const say = talkWith(host.poster);
  const photos = [await jpeg(61, 900_000)];
  let parts = 0;
  const sent = await sendReport(reportOf({ photos }), {
    say: async (question, bytes) => {
      if (question.ask === 'part' && (parts += 1) === 2) {
        late = 11 * 60_000;
        const coming = join(host.folder, 'box/coming');
        await until(async () => (await readdir(coming)).length === 0, 'deleted');
      }
      return say(question, bytes);
    },
    wait: async () => undefined,
    progress: () => undefined,
  });
  expect(sent).toMatchObject({ kind: 'stored' });
  const [report] = await host.reports();
  expect(report?.photos).toMatchObject([{ size: photos[0]?.length }]);
});

describe('what became of it', () => {
  it('the code answers: waiting, discarded with the reason, put back, filed with number and answer', async () => {
    const host = await startBoxWorld();
    const say = talkWith(host.poster);
    const sent = await sendTo(say, { name: 'Ana', photos: [await jpeg(41)] });
    const code = sent.kind === 'stored' ? sent.code : '';
    const look = (typed = code) => say({ ask: 'look', code: typed });
    const [report] = await host.reports();
    const id = report?.id ?? '';
    expect(await look()).toMatchObject({ kind: 'found', state: 'waiting', number: '', said: '' });
    expect(await look(`${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`)).toMatchObject({
      state: 'waiting',
    });
    await host.call('box.discard', { report: id, reason: 'Reported twice' });
    expect(await look()).toMatchObject({ state: 'discarded', said: 'Reported twice' });
    expect((await host.call('box.get', {})).waiting).toBe(0);
    expect(await host.problem('box.discard', { report: id, reason: 'x' })).toMatchObject({
      kind: 'bad_input',
    });
    await host.call('box.restore', { report: id });
    expect(await look()).toMatchObject({ state: 'waiting', said: '' });
    await host.call('box.tell', { outcomes: [{ id, number: '', answer: '' }] });
    expect(await look()).toMatchObject({ state: 'filed', number: '', said: '' });
    await host.call('box.tell', { outcomes: [{ id, number: '12', answer: 'New boards' }] });
    expect(await look()).toMatchObject({ state: 'filed', number: '12', said: 'New boards' });
    // The near miss has text, name and photos; the box keeps none of them.
    expect(await host.reports()).toMatchObject([{ text: '', name: '', photos: [] }]);
    expect(await readdir(join(host.folder, 'box/reports', id))).toEqual(['report.json']);
    const kept = await readFile(join(host.folder, 'box/reports', id, 'report.json'), 'utf8');
    expect(kept).not.toContain('Ana');
  });

  it('a discarded report and its reason are gone after 30 days, a waiting one stays', async () => {
    let days = 0;
    const clock = { ...systemClock, now: () => Date.now() + days * 86_400_000 };
    const host = await startBoxWorld({ look_ms: 20 }, { clock });
    const say = talkWith(host.poster);
    await sendTo(say);
    const second = await sendTo(say);
    const [first] = await host.reports();
    await host.call('box.discard', { report: first?.id ?? '', reason: 'Twice' });
    days = 29;
    await until(async () => (await host.reports()).length === 2, 'still there');
    days = 31;
    await until(async () => (await host.reports()).length === 1, 'the old one is gone');
    expect(await readdir(join(host.folder, 'box/reports'))).toHaveLength(1);
    const code = second.kind === 'stored' ? second.code : '';
    expect(await say({ ask: 'look', code })).toMatchObject({ state: 'waiting' });
  });
});

describe('the box', () => {
  it('is off at first, opens on request, stays open across a restart, and closes', async () => {
    const host = await startBoxWorld();
    expect(await host.call('box.get', {})).toMatchObject({ state: 'open', address: '127.0.0.1' });
    expect((await request(host.poster, {})).status).toBe(200);
    await host.call('box.set', { on: false });
    expect(await host.call('box.get', {})).toMatchObject({ state: 'off' });
    expect(await cannotConnect(host.poster.port)).toBe(true);
    await host.door.stop();
    const off = await startBoxWorld({}, { data_dir: host.folder });
    expect(await off.call('box.get', {})).toMatchObject({ state: 'off' });
    await off.call('box.set', { on: true });
    expect(await off.now()).toEqual(host.poster);
  });

  it('a renewed poster: the page of the old one says so, on the same address; the new one works', async () => {
    const host = await startBoxWorld();
    const old = talkWith(host.poster);
    expect(await sendTo(old)).toMatchObject({ kind: 'stored' });
    await host.call('box.renew', {});
    const fresh = await host.now();
    expect(fresh.port).toBe(host.poster.port);
    expect(Buffer.from(fresh.key).equals(Buffer.from(host.poster.key))).toBe(false);
    expect(await sendTo(talkWith(host.poster))).toEqual({ kind: 'old' });
    expect(await sendTo(talkWith(fresh))).toMatchObject({ kind: 'stored' });
    expect(await host.reports()).toHaveLength(2);
  });

  it('waits for its network, and takes a new port only when asked', async () => {
    const env: Record<string, string> = { SPOTTER_PHONE_ADDRESS: '127.0.0.1' };
    const host = await startBoxWorld({ look_ms: 20 }, { env });
    const state = async () => (await host.call('box.get', {})).state;
    env.SPOTTER_PHONE_ADDRESS = 'off';
    await until(async () => (await state()) === 'no_network', 'the network is gone');
    expect(await cannotConnect(host.poster.port)).toBe(true);
    env.SPOTTER_PHONE_ADDRESS = '127.0.0.1';
    await until(async () => (await state()) === 'open', 'it is back');
    expect(await sendTo(talkWith(host.poster))).toMatchObject({ kind: 'stored' });
    await host.door.stop();

    const other = await startBoxWorld();
    const path = join(host.folder, 'box/box.json');
    const setup = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...setup, port: other.poster.port }));
    const taken = await startBoxWorld({}, { data_dir: host.folder });
    expect(await taken.call('box.get', {})).toMatchObject({ state: 'port_taken' });
    expect(await taken.call('box.renew', {})).toMatchObject({ state: 'open' });
    expect((await taken.now()).port).not.toBe(other.poster.port);
  });

  it('photos that a crash left of a filed report are deleted at the next start', async () => {
    const host = await startBoxWorld();
    await sendTo(talkWith(host.poster), { photos: [await jpeg(71)] });
    const [report] = await host.reports();
    const id = report?.id ?? '';
    const folder = join(host.folder, 'box/reports', id);
    const photo = await readFile(join(folder, '0'));
    await host.call('box.tell', { outcomes: [{ id, number: '7', answer: '' }] });
    expect(await readdir(folder)).toEqual(['report.json']);
    await host.door.stop();
    await writeFile(join(folder, '0'), photo);
    await startWorld({ data_dir: host.folder });
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  it('a damaged setup turns the box off, a damaged report hides only itself', async () => {
    const host = await startBoxWorld();
    const say = talkWith(host.poster);
    await sendTo(say);
    await sendTo(say, { text: 'second' });
    const [first] = await host.reports();
    await host.door.stop();
    await writeFile(join(host.folder, 'box/box.json'), '{"on":tru');
    await writeFile(join(host.folder, 'box/reports', first?.id ?? '', 'report.json'), '{');
    const again = await startWorld({ data_dir: host.folder });
    expect(await again.call('box.get', {})).toMatchObject({ url: null, waiting: 1 });
    expect(await again.call('box.list', {})).toMatchObject({ reports: [{ text: 'second' }] });
    expect(await readdir(join(host.folder, 'box'))).toContain('box.json.damaged');
    expect(again.log.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'a report in the box cannot be read',
        'the setup of the report box cannot be read',
      ]),
    );
  });

  it('needs no photos and no name, and the page’s own loop reports progress', async () => {
    const host = await startBoxWorld();
    const seen: number[] = [];
    const photos = [await jpeg(51, 900_000)];
    const sent = await sendReport(reportOf({ text: '', photos }), {
      say: talkWith(host.poster),
      wait: async () => undefined,
      progress: ({ sent: bytes }) => void seen.push(bytes),
    });
    expect(sent).toMatchObject({ kind: 'stored' });
    expect(seen).toEqual([0, 524_288, photos[0]?.length]);
  });
});

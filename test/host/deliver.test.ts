/**
 * The delivery of a photo, against the real service through the chaos proxy. Whatever is cut, killed, expired or done by others
 * between its steps, the photo is attached exactly once, and only verified bytes count.
 */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { firstOf, startChaos, type Seen } from '../support/chaos.ts';
import { makeJpeg, makeLongJpeg } from '../support/jpeg.ts';
import { startTestService, testClock, type TestClock } from '../support/service.ts';
import { attachmentsOf, newNearMiss, onto } from './fixtures/delivery.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { spawnHost } from './fixtures/spawn-host.ts';
import { startServerWorld, startWorld, type ServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const WEEK = 7 * 24 * 3_600_000;
let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await makeJpeg({ seed: 71, bytes: 120_000 });
});

const capture = async (world: Pick<ServerWorld, 'spool'>, bytes: Uint8Array = jpeg) => {
  const photo_id = ulid();
  await world.spool(photo_id, 'site photo.jpg', bytes);
  return photo_id;
};

/** A photo, a near miss of the real service, and the call that delivers the photo. */
const setUp = async (clock?: TestClock) => {
  const world = await startServerWorld({}, clock);
  const { demo } = world.service;
  const photo_id = await capture(world);
  const { id } = await newNearMiss(demo);
  return { world, demo, photo_id, id, input: onto(demo, photo_id, id) };
};

/** Matches the PATCH of the near miss that attaches a photo; the completion of an upload has a different path. */
const hangs = (seen: Seen): boolean =>
  seen.method === 'PATCH' && seen.path.includes('/near_misses/');
const attaches = (seen: Seen): boolean =>
  seen.method === 'POST' && seen.path.includes('entry_attachments');
const keysOf = ({ chaos }: Pick<ServerWorld, 'chaos'>, which: (seen: Seen) => boolean) =>
  chaos.seen.filter(which).map(({ headers }) => headers['idempotency-key']);

it('the answer that hung it on is lost: asked again it goes on under the same key, and it hangs there once', async () => {
  const { world, demo, id, input, photo_id } = await setUp();
  world.chaos.plan = firstOf(1, hangs, { kind: 'cut_reply', after: 0 });
  expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'broken_reply' });
  expect(await world.call('photos.delivery', { photo_id })).toMatchObject({ attached: 'maybe' });
  expect(await world.call('photos.deliver', input)).toMatchObject({
    outcome: 'delivered',
    receipt: { sha256: sha256(jpeg) },
  });
  expect(await attachmentsOf(demo, id)).toHaveLength(1);
  const keys = keysOf(world, hangs);
  expect(keys).toHaveLength(2);
  expect(new Set(keys)).toEqual(new Set([input.key]));
  expect(await world.call('photos.delivery', { photo_id })).toMatchObject({ attached: 'yes' });
});

slow(
  'failures A70: that answer is lost, and a month later the key is forgotten: the same upload hangs there once',
  async () => {
    const clock = testClock();
    const { world, demo, id, input } = await setUp(clock);
    world.chaos.plan = firstOf(1, hangs, { kind: 'cut_reply', after: 0 });
    expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'broken_reply' });
    clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(await world.call('photos.deliver', input)).toMatchObject({ outcome: 'delivered' });
    expect(await attachmentsOf(demo, id)).toHaveLength(1);
  },
);

slow(
  'failures A12: the upload is over by the time it is to hang: a new upload, under a new key',
  async () => {
    const clock = testClock();
    const { world, demo, id, input } = await setUp(clock);
    let aged = false;
    world.chaos.plan = (seen) => {
      if (hangs(seen) && !aged) {
        aged = true;
        clock.advance(WEEK + 1);
      }
      return null;
    };
    await world.call('photos.deliver', input);
    const [attachment, ...more] = await attachmentsOf(demo, id);
    expect(attachment?.sha256).toBe(sha256(jpeg));
    expect(more).toEqual([]);
    const [first, second] = keysOf(world, hangs);
    expect(first).toBe(input.key);
    expect(second).not.toBe(first);
  },
);

it('the server holds other bytes, a part of them, or a page: no receipt; once it holds the photo there is one', async () => {
  const { world, demo, id, input } = await setUp();
  await world.call('photos.deliver', input);
  const [attachment] = await attachmentsOf(demo, id);
  const { pathname } = new URL(attachment?.url ?? '', world.chaos.url);
  const wrong = Buffer.from(jpeg);
  wrong[9000] = (wrong[9000] ?? 0) ^ 1;
  const serve = (body: Buffer | string, type = 'image/jpeg') => {
    world.chaos.plan = (seen) =>
      seen.path.startsWith(pathname)
        ? { kind: 'answer', status: 200, headers: { 'content-type': type }, body }
        : null;
  };
  serve(wrong);
  expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'gone', status: 200 });
  serve(jpeg.subarray(0, 1000));
  expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'gone', status: 200 });
  serve('<html>portal</html>', 'text/html');
  expect(await world.problem('photos.deliver', input)).toMatchObject({
    kind: 'broken_reply',
    looks_like: 'html',
  });
  world.chaos.plan = () => null;
  expect(await world.call('photos.deliver', input)).toMatchObject({
    receipt: { sha256: sha256(jpeg) },
  });
  expect(keysOf(world, hangs)).toHaveLength(1);
});

describe('a line that cuts what is read back', () => {
  const readsBack = (seen: Seen): boolean =>
    seen.method === 'GET' && !seen.path.startsWith('/rest/');
  const large = async () => {
    const world = await startServerWorld();
    await world.call('settings.set', { photo_read_back: true });
    const { demo } = world.service;
    const bytes = await makeLongJpeg({ seed: 72, bytes: 1_500_000 });
    const photo_id = await capture(world, bytes);
    const { id } = await newNearMiss(demo);
    const ranges = () => world.chaos.seen.filter(readsBack).map(({ headers }) => headers.range);
    return { world, bytes, input: onto(demo, photo_id, id), ranges };
  };

  it('goes on where it was cut, and the receipt comes within one call', async () => {
    const { world, bytes, input, ranges } = await large();
    world.chaos.plan = firstOf(3, readsBack, { kind: 'cut_reply', after: 400_000 });
    expect(await world.call('photos.deliver', input)).toMatchObject({
      receipt: { size: bytes.length, sha256: sha256(bytes) },
    });
    const [first, ...others] = ranges();
    expect(first).toBeUndefined();
    const from = others.map((range) => Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1]));
    expect(from).toHaveLength(3);
    // Acknowledged segments are not resent; lost ones are.
    expect([...from].sort((a, b) => a - b)).toEqual(from);
    expect(from.at(-1)).toBeGreaterThan(3 * 256 * 1024);
  });

  it('a server that gives no parts is read from the first byte', async () => {
    const { world, bytes, input, ranges } = await large();
    let cut = false;
    world.chaos.plan = (seen) => {
      if (!readsBack(seen)) return null;
      if (!cut) {
        cut = true;
        return { kind: 'cut_reply', after: 400_000 };
      }
      const headers = { 'content-type': 'image/jpeg' };
      return { kind: 'answer', status: 200, headers, body: bytes };
    };
    expect(await world.call('photos.deliver', input)).toMatchObject({
      receipt: { sha256: sha256(bytes) },
    });
    expect(ranges()).toHaveLength(2);
  });

  it('other bytes behind the cut are no receipt, and a line that brings hardly any ends the call', async () => {
    const { world, bytes, input, ranges } = await large();
    world.chaos.plan = (seen) => {
      if (!readsBack(seen)) return null;
      const from = Number(/^bytes=(\d+)-/.exec(seen.headers.range ?? '')?.[1] ?? 0);
      if (from === 0) return { kind: 'cut_reply', after: 400_000 };
      const body = Buffer.alloc(bytes.length - from);
      const headers = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      return { kind: 'answer', status: 206, headers, body };
    };
    expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'gone' });
    const before = ranges().length;
    world.chaos.plan = (seen) => (readsBack(seen) ? { kind: 'cut_reply', after: 1_000 } : null);
    expect(await world.problem('photos.deliver', input)).toMatchObject({
      kind: 'broken_reply',
      looks_like: 'truncated',
    });
    expect(ranges()).toHaveLength(before + 1);
  });
});

it('somebody took it off before it was read back: gone; sent again by a person it hangs there anew', async () => {
  const { world, demo, id, input } = await setUp();
  await world.call('photos.deliver', input);
  const [first] = await attachmentsOf(demo, id);
  await demo.delete(`~/incidents/near_misses/${id}/attachments/${first?.id}`);
  expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'gone', status: 404 });
  const again = await world.call('photos.deliver', { ...input, key: ulid() });
  const [second, ...more] = await attachmentsOf(demo, id);
  expect(again).toMatchObject({ receipt: { attachment_id: second?.id } });
  expect(more).toEqual([]);
});

slow(
  'failures A19: another laptop has sent it already, from an upload of its own: found by its bytes, not attached twice',
  async () => {
    const { world, demo, id, input } = await setUp();
    await world.call('photos.deliver', input);
    const other = await startWorld();
    const { company_id, project_id, token } = demo;
    const address = world.chaos.url;
    await other.call('session.connect', { kind: 'server', address, company_id, project_id, token });
    await other.spool(input.photo_id, 'site photo.jpg', jpeg);
    const sent = await other.call('photos.deliver', { ...input, outcome_unknown: true });
    const [attachment, ...more] = await attachmentsOf(demo, id);
    expect(sent).toMatchObject({ upload_uuid: attachment?.upload_uuid });
    expect(more).toEqual([]);
    // Two photos with the same bytes stay two.
    const twin = await capture(other);
    const not_uploads = [attachment?.upload_uuid ?? ''];
    await other.call('photos.deliver', {
      ...onto(demo, twin, id),
      outcome_unknown: true,
      to: { kind: 'near_miss', id, not_uploads },
    });
    expect(await attachmentsOf(demo, id)).toHaveLength(2);
  },
);

slow(
  'asked for twice at once, as by a window that was reopened: one delivery serves both',
  async () => {
    const { world, demo, id, input } = await setUp();
    const [one, two] = await Promise.all([
      world.call('photos.deliver', input),
      world.call('photos.deliver', input),
    ]);
    expect(one).toEqual(two);
    expect(keysOf(world, hangs)).toHaveLength(1);
    expect(await attachmentsOf(demo, id)).toHaveLength(1);
  },
);

slow(
  'failures A2: the host is killed after the server hung it on and before it knew: it hangs there once',
  async () => {
    const service = await startTestService();
    onTestFinished(() => service.stop());
    const chaos = await startChaos(service.url);
    onTestFinished(() => chaos.close());
    const { demo } = service;
    const { company_id, project_id, token } = demo;
    const connect = { kind: 'server', address: chaos.url, company_id, project_id, token } as const;
    const folder = await temporaryFolder();
    const first = await spawnHost(folder);
    await first.call('session.connect', connect);
    const photo_id = ulid();
    await first.call('photos.begin', { photo_id, filename: 'a.jpg', size: jpeg.length });
    await first.call('photos.write', { photo_id, offset: 0 }, new Uint8Array(jpeg));
    await first.call('photos.finish', { photo_id });
    const { id } = await newNearMiss(demo);
    const held = Promise.withResolvers<'pass' | 'cut'>();
    chaos.plan = firstOf(1, hangs, { kind: 'hold_reply', until: () => held.promise });
    const input = onto(demo, photo_id, id);
    void first.reply('photos.deliver', input);
    await until(async () => (await attachmentsOf(demo, id)).length === 1, 'the service has it');
    await first.kill();
    held.resolve('cut');
    const second = await spawnHost(folder);
    await second.call('session.connect', connect);
    expect(await second.call('photos.delivery', { photo_id })).toMatchObject({ attached: 'maybe' });
    const sent = await second.call('photos.deliver', input);
    expect(sent).toMatchObject({ receipt: { sha256: sha256(jpeg) } });
    expect(await attachmentsOf(demo, id)).toHaveLength(1);
    expect(chaos.seen.filter((seen) => seen.method === 'PUT')).toHaveLength(1);
  },
);

/** A server with only the reference API: no keys, no photos on near misses. */
const plainWorld = async (clock?: TestClock) => {
  const service = await startTestService({ plain: true }, clock);
  onTestFinished(() => service.stop());
  const chaos = await startChaos(service.url);
  onTestFinished(() => chaos.close());
  const world = await startWorld();
  const { company_id, project_id, token } = service.demo;
  const address = chaos.url;
  await world.call('session.connect', { kind: 'server', address, company_id, project_id, token });
  const { store } = service.service.app;
  return { ...world, service, chaos, demo: service.demo, store };
};

slow(
  'decisions §3.7: a server that says nothing of photos takes none on near misses, and is not asked to read one back',
  async () => {
    const world = await plainWorld();
    const { id } = await newNearMiss(world.demo);
    const photo_id = await capture(world);
    expect(await world.call('photos.deliver', onto(world.demo, photo_id, id))).toEqual({
      outcome: 'takes_no_photos',
    });
    expect(await world.call('photos.delivery', { photo_id })).toMatchObject({
      uploaded: true,
      attached: 'no',
    });
  },
);

const entryFiles = async ({ demo }: { demo: ServerWorld['service']['demo'] }) =>
  (await demo.get('~/time_and_material_entry_attachments')).json as { id: number }[];

const entryId = (): number => 1;

it('outbox promise 2: without keys the answer is lost: what hangs on the entry is found by its bytes, and hangs there once', async () => {
  const world = await plainWorld();
  const photo_id = await capture(world);
  const to = { kind: 'time_and_material_entry' as const, id: entryId(), not_attachments: [] };
  const input = { ...onto(world.demo, photo_id, 1), to };
  const had = await entryFiles(world);
  world.chaos.plan = firstOf(1, attaches, { kind: 'cut_reply', after: 0 });
  expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'broken_reply' });
  const sent = await world.call('photos.deliver', input);
  expect(sent).toMatchObject({ receipt: { checked: 'bytes' }, attachment: null });
  expect(await entryFiles(world)).toHaveLength(had.length + 1);
  expect(world.chaos.seen.filter(attaches)).toHaveLength(1);
});

it('failures A12: for an entry, too, an upload that is over is begun anew under a new key', async () => {
  const clock = testClock();
  const { world, demo, input } = await setUp(clock);
  const catalog = (await demo.get('~/catalog')).json;
  const id = Number(catalog.time_and_material_entries[0].id);
  let aged = false;
  world.chaos.plan = (seen) => {
    if (attaches(seen) && !aged) {
      aged = true;
      clock.advance(WEEK + 1);
    }
    return null;
  };
  const to = { kind: 'time_and_material_entry' as const, id, not_attachments: [] };
  const sent = await world.call('photos.deliver', { ...input, to });
  expect(sent).toMatchObject({ receipt: { sha256: sha256(jpeg), checked: 'proof' } });
  const [first, second] = keysOf(world, attaches);
  expect(first).toBe(input.key);
  expect(second).not.toBe(first);
});

slow(
  'a setting that names another place by now does not send it twice: it goes on where it may hang',
  async () => {
    const world = await plainWorld();
    const photo_id = await capture(world);
    const { id } = await newNearMiss(world.demo);
    const entry = { kind: 'time_and_material_entry' as const, id: entryId(), not_attachments: [] };
    const input = { ...onto(world.demo, photo_id, id), to: entry };
    world.chaos.plan = firstOf(1, attaches, { kind: 'cut_reply', after: 0 });
    await world.problem('photos.deliver', input);
    const field = { kind: 'custom_field' as const, id: 1, near_miss_id: id };
    const sent = await world.call('photos.deliver', { ...input, to: field });
    expect(sent).toMatchObject({ receipt: { place: { kind: 'time_and_material_entry' } } });
  },
);

/**
 * Retention: a file leaves the spool only after the server was verified to hold it, byte for byte, and after the retention
 * time.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { beforeAll, expect, it } from 'vitest';
import { openSpool } from '../../src/host/photos/spool/spool.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { newNearMiss, onto } from './fixtures/delivery.ts';
import { startServerWorld, startWorld, type ServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const DAY = 86_400_000;
const KEEPING = [0, 7, 30] as const;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
let one: Buffer;
let two: Buffer;
let three: Buffer;

beforeAll(async () => {
  [one, two, three] = (await Promise.all(
    [61, 62, 63].map((seed) => makeJpeg({ seed, bytes: 60_000 })),
  )) as [Buffer, Buffer, Buffer];
});

const capture = async (world: ServerWorld, bytes: Uint8Array): Promise<string> => {
  const photo_id = ulid();
  await world.spool(photo_id, 'site photo.jpg', bytes);
  return photo_id;
};

/** The input that delivers it to a new near miss. */
const delivery = async (world: ServerWorld, photo_id: string) => {
  const { demo } = world.service;
  return onto(demo, photo_id, (await newNearMiss(demo)).id);
};

const originals = async (folder: string): Promise<readonly string[]> =>
  (await readdir(join(folder, 'photos/originals'))).sort();

slow(
  'kept for the days set after the receipt, then dropped with its original; a restart between changes nothing',
  async () => {
    let at = Date.now();
    const clock = { now: () => at, monotonic: () => performance.now() };
    const world = await startServerWorld({ clock });
    const original = await capture(world, one);
    const sent = await capture(world, two);
    const waiting = await capture(world, three);
    await world.call('photos.deliver', { ...(await delivery(world, sent)), original });
    expect(await world.call('photos.usage', {})).toEqual({
      photos: 3,
      bytes: one.length + two.length + three.length,
      delivered_photos: 1,
      delivered_bytes: two.length,
      freed: { files: 0, bytes: 0 },
    });

    await world.door.stop();
    at += 6 * DAY;
    const sixth = await startWorld({ data_dir: world.folder, clock });
    await sixth.call('settings.set', { photo_keep_days: 7 }); // triggers a sweep
    const gone = await capture({ ...world, ...sixth }, await makeJpeg({ seed: 64, bytes: 60_000 }));
    expect(await sixth.call('photos.discard', { photo_id: gone })).toEqual({ dropped: true });
    await sixth.door.stop();
    expect(await originals(world.folder)).toEqual([one, two, three].map(sha256).sort());

    at += 2 * DAY;
    const eighth = await startWorld({ data_dir: world.folder, clock });
    await eighth.call('settings.set', { photo_keep_days: 7 });
    await until(async () => (await originals(world.folder)).length === 1, 'the sweep');
    expect(await originals(world.folder)).toEqual([sha256(three)]);
    const freed = { files: 2, bytes: one.length + two.length };
    await until(
      async () => (await eighth.call('photos.usage', {})).freed.files === 2,
      'what was freed is reported',
    );
    expect(await eighth.call('photos.usage', {})).toMatchObject({
      photos: 1,
      delivered_photos: 0,
      freed,
    });
    expect(
      (await eighth.reply('photos.read', { photo_id: waiting, offset: 0, length: 9 })).result.ok,
    ).toBe(true);
    expect(await readdir(join(world.folder, 'photos/uploads'))).toEqual([]);
  },
);

slow(
  '0 days: gone once the queue needs it no more, and only where the bytes read back were equal',
  async () => {
    const world = await startServerWorld();
    await world.call('settings.set', { photo_keep_days: 0 });
    const queued = await capture(world, one);
    const other = await capture(world, two);
    const wrong = await capture(world, three);
    const operation = {
      id: ulid(),
      seq: 1,
      account: 'a',
      kind: 'photo.send',
      version: 1,
      lane: 'l',
      created_at: 1,
      payload: { photo: { photo_id: queued } },
    };
    await world.call('journal.append', { operations: [operation] });

    // Verification gets other bytes: no receipt, so the file is kept for good.
    world.chaos.plan = (seen) =>
      /\/files\/|\/attachments\//.test(seen.path)
        ? { kind: 'answer', status: 200, headers: { 'content-type': 'image/jpeg' }, body: one }
        : null;
    const bad = await delivery(world, wrong);
    expect(await world.problem('photos.deliver', bad)).toMatchObject({ kind: 'gone' });
    world.chaos.plan = () => null;
    await world.call('photos.deliver', await delivery(world, queued));
    await world.call('photos.deliver', await delivery(world, other));

    const left = async () => new Set(await originals(world.folder));
    await world.call('settings.set', { photo_keep_days: 0 });
    await until(async () => !(await left()).has(sha256(two)), 'what the queue does not name');
    expect(await left()).toEqual(new Set([sha256(one), sha256(three)]));
    await world.call('journal.settle', { operation_ids: [operation.id], links: [] });
    await until(async () => !(await left()).has(sha256(one)), 'what is settled');
    expect(await left()).toEqual(new Set([sha256(three)]));
  },
);

slow('what is to be sent again is delivered no more: it stays, whatever is swept', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world, one);
  await world.call('photos.deliver', await delivery(world, photo_id));
  expect(await world.call('photos.usage', {})).toMatchObject({ delivered_photos: 1 });
  await world.call('photos.restart', { photo_id });
  expect(await world.call('photos.usage', {})).toMatchObject({ photos: 1, delivered_photos: 0 });
});

it('a file that two photos share stays until the last of them goes, after a restart too; the days are those offered', async () => {
  const folder = await temporaryFolder();
  const take = async (spool: Awaited<ReturnType<typeof openSpool>>, photo_id: string) => {
    await spool.begin({ photo_id, filename: 'a.jpg', size: one.length });
    await spool.write(photo_id, 0, one);
    expect((await spool.finish(photo_id)).ok).toBe(true);
  };
  const [a, b] = [ulid(), ulid()];
  const first = await openSpool(folder, async () => Infinity);
  await take(first, a);
  await take(first, b);
  expect(await first.usage()).toMatchObject({ photos: 2, bytes: one.length });
  await first.delivered(a, 5);
  await first.close();
  const second = await openSpool(folder, async () => Infinity);
  expect(await second.sweep(4, () => false)).toEqual({ photo_ids: [], bytes: 0 });
  expect(await second.sweep(5, () => false)).toEqual({ photo_ids: [a], bytes: 0 });
  expect((await second.find(b)).ok).toBe(true);
  await second.delivered(b, 6);
  expect(await second.sweep(6, () => true)).toEqual({ photo_ids: [], bytes: 0 });
  expect(await second.sweep(6, () => false)).toEqual({ photo_ids: [b], bytes: one.length });
  expect(await readdir(join(folder, 'originals'))).toEqual([]);
  const world = await startWorld();
  for (const photo_keep_days of KEEPING)
    expect(await world.call('settings.set', { photo_keep_days })).toMatchObject({
      photo_keep_days,
    });
  const refused = await world.reply('settings.set', { photo_keep_days: 3 });
  expect(refused.result.ok).toBe(false);
});

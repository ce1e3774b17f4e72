/** Photos against the real service through the chaos proxy: resume, renewal, wrong bytes, expiry, receipt. */
import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '../../src/host/http/http-client.ts';
import { firstOf, type Seen } from '../support/chaos.ts';
import { makeJpeg, makeLongJpeg } from '../support/jpeg.ts';
import { testClock } from '../support/service.ts';
import { attachmentsOf, newNearMiss, onto } from './fixtures/delivery.ts';
import { until } from './fixtures/folder.ts';
import { startServerWorld, type ServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const HOUR = 3_600_000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isSegment = (seen: Seen): boolean => seen.method === 'PUT';
let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await makeLongJpeg({ seed: 1, bytes: 4_000_000 });
});

const capture = async (world: ServerWorld, bytes: Uint8Array = jpeg) => {
  const photo_id = ulid();
  await world.spool(photo_id, 'site photo.jpg', bytes);
  return photo_id;
};

const uploadInput = (world: ServerWorld, photo_id: string) => ({
  photo_id,
  company_id: world.service.demo.company_id,
});
const upload = (world: ServerWorld, photo_id: string) =>
  world.call('photos.upload', uploadInput(world, photo_id));

/** Creates a near miss with the upload, as `near_miss.create` would, and returns it. */
const associate = (world: ServerWorld, upload_uuid: string) =>
  newNearMiss(world.service.demo, [upload_uuid]);

it('decisions §5: a 4 MB photo goes up in segments, is associated and read back equal, byte for byte', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  const { demo } = world.service;
  const { id } = await newNearMiss(demo);
  const sent = await world.call('photos.deliver', onto(demo, photo_id, id));
  const puts = world.chaos.seen.filter(isSegment);
  expect(puts).toHaveLength(4);
  expect(puts.every((put) => put.headers.authorization === undefined)).toBe(true);
  expect(puts.every((put) => put.headers['service-company-id'] === undefined)).toBe(true);
  const [attachment] = await attachmentsOf(demo, id);
  expect(sent).toMatchObject({
    outcome: 'delivered',
    upload_uuid: attachment?.upload_uuid,
    near_miss: { id },
    receipt: {
      photo_id,
      attachment_id: attachment?.id,
      size: jpeg.length,
      sha256: sha256(jpeg),
      filename: 'site photo.jpg',
    },
  });
  const steps = world.events.flatMap((event) =>
    event.kind === 'photo.progress' ? [event.step] : [],
  );
  const all = ['creating', 'sending', 'completing', 'attaching', 'verifying'];
  expect([...new Set(steps)]).toEqual(all);

  const place = {
    project_id: demo.project_id,
    near_miss_id: id,
    attachment_id: attachment?.id ?? 0,
  };
  const full = await world.reply('photos.attachment', { ...place, variant: 'full' });
  expect(full.result).toMatchObject({ ok: true, value: { content_type: 'image/jpeg' } });
  expect(sha256(full.bytes ?? new Uint8Array())).toBe(sha256(jpeg));
  const small = await world.reply('photos.attachment', { ...place, variant: 'thumbnail' });
  expect(small.result.ok).toBe(true);
  expect(small.bytes?.length ?? Infinity).toBeLessThan(jpeg.length / 4);
});

slow('asked again after it is complete: nothing is sent again', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  const first = await upload(world, photo_id);
  world.chaos.seen.length = 0;
  expect(await upload(world, photo_id)).toEqual(first);
  expect(world.chaos.seen.filter(isSegment)).toHaveLength(0);
});

slow(
  'failures A13: a bit flipped on the way is refused by the service and the segment is sent again',
  async () => {
    const world = await startServerWorld();
    const photo_id = await capture(world);
    world.chaos.plan = firstOf(2, isSegment, { kind: 'flip', at: 1000 });
    const { upload_uuid } = await upload(world, photo_id);
    expect(world.chaos.seen.filter((seen) => seen.status === 400)).toHaveLength(2);
    const nearMiss = await associate(world, upload_uuid);
    expect(nearMiss.attachments[0]?.sha256).toBe(sha256(jpeg));
  },
);

slow(
  'failures A13: a segment that is refused four times is reported, with the photo intact',
  async () => {
    const world = await startServerWorld();
    const photo_id = await capture(world, await makeJpeg({ seed: 5, bytes: 300_000 }));
    world.chaos.plan = (seen) => (isSegment(seen) ? { kind: 'flip', at: 1000 } : null);
    const problem = await world.problem('photos.upload', uploadInput(world, photo_id));
    expect(problem).toMatchObject({ kind: 'refused', status: 400 });
    expect(world.chaos.seen.filter(isSegment)).toHaveLength(4);
  },
);

slow(
  'failures A13, A14: a photo changed, cut short or deleted on disk is `photo_damaged`, never sent as if whole',
  async () => {
    const world = await startServerWorld();
    const damage = async (harm: (path: string) => Promise<void>) => {
      const bytes = await makeJpeg({ seed: Math.floor(performance.now() * 1000), bytes: 300_000 });
      const photo_id = await capture(world, bytes);
      await harm(join(world.folder, 'photos', 'originals', sha256(bytes)));
      return world.problem('photos.upload', uploadInput(world, photo_id));
    };
    const flip = async (path: string) => {
      const bytes = await readFile(path);
      bytes[5000] = (bytes[5000] ?? 0) ^ 1;
      await writeFile(path, bytes);
    };
    expect(await damage(flip)).toMatchObject({ kind: 'photo_damaged', reason: 'changed' });
    expect(await damage((path) => truncate(path, 100))).toMatchObject({
      kind: 'photo_damaged',
      reason: 'changed',
    });
    expect(await damage((path) => appendFile(path, 'x'))).toMatchObject({
      kind: 'photo_damaged',
      reason: 'changed',
    });
    expect(await damage((path) => rm(path))).toMatchObject({
      kind: 'photo_damaged',
      reason: 'missing',
    });
  },
);

slow(
  'failures A3: a segment whose answer was lost is not sent again when the server has it',
  async () => {
    const world = await startServerWorld();
    const photo_id = await capture(world);
    world.chaos.plan = firstOf(1, isSegment, { kind: 'cut_reply', after: -1 });
    const whole = () =>
      world.chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200).length;
    await upload(world, photo_id);
    expect(whole()).toBe(4);
  },
);

slow(
  'failures A24: a line that cuts every other request: the photo arrives within one call, and what is in is not sent again',
  async () => {
    const world = await startServerWorld();
    const photo_id = await capture(world);
    let turn = 0;
    world.chaos.plan = (seen) =>
      isSegment(seen) && (turn += 1) % 2 === 1 ? { kind: 'cut_request', after: 1_000 } : null;
    await upload(world, photo_id);
    const puts = world.chaos.seen.filter(isSegment);
    expect(puts.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(puts.length).toBeGreaterThan(4);
  },
);

it('failures A24: a line that cuts every request: the call ends after a few rounds, and says why', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  world.chaos.plan = (seen) => (isSegment(seen) ? { kind: 'cut_request', after: 1_000 } : null);
  expect(await world.problem('photos.upload', uploadInput(world, photo_id))).toMatchObject({
    kind: 'offline',
    reason: 'reset',
  });
  const progress = () => world.call('photos.delivery', { photo_id });
  expect(await progress()).toEqual({ segments: 0, uploaded: false, attached: 'no' });
  world.chaos.plan = () => null;
  await upload(world, photo_id);
  expect(await progress()).toEqual({ segments: 4, uploaded: true, attached: 'no' });
});

it('failures A11: more than an hour after creation the upload goes on or begins anew, and the same photo arrives', async () => {
  const clock = testClock();
  const world = await startServerWorld({}, clock);
  const photo_id = await capture(world);
  world.chaos.plan = firstOf(
    1,
    (seen) => isSegment(seen) && world.chaos.seen.filter(isSegment).length === 3,
    { kind: 'answer', status: 503 },
  );
  await world.problem('photos.upload', uploadInput(world, photo_id));
  clock.advance(2 * HOUR);
  const { upload_uuid } = await upload(world, photo_id);
  const nearMiss = await associate(world, upload_uuid);
  expect(nearMiss.attachments[0]).toMatchObject({ sha256: sha256(jpeg), size: jpeg.length });
});

slow(
  'failures A12: an upload that was not associated for over a week is started again from the spool',
  async () => {
    const clock = testClock();
    const world = await startServerWorld({}, clock);
    const photo_id = await capture(world);
    const first = await upload(world, photo_id);
    clock.advance(8 * 24 * HOUR);
    const { demo } = world.service;
    const { id } = await newNearMiss(demo);
    const second = await world.call('photos.deliver', onto(demo, photo_id, id));
    expect(second).toMatchObject({ receipt: { sha256: sha256(jpeg) } });
    const [attachment] = await attachmentsOf(demo, id);
    expect(attachment?.upload_uuid).not.toBe(first.upload_uuid);
  },
);

it('failures A4, A5: a service that is away or says 503 is a problem to wait for; later the upload goes on', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  world.chaos.plan = (seen) =>
    seen.method === 'PATCH'
      ? { kind: 'answer', status: 503, headers: { 'retry-after': '2' } }
      : null;
  expect(await world.problem('photos.upload', uploadInput(world, photo_id))).toMatchObject({
    kind: 'server_error',
    retry_after_ms: 2000,
  });
  world.chaos.plan = () => null;
  world.chaos.target = 'http://127.0.0.1:1';
  expect(await world.problem('photos.upload', uploadInput(world, photo_id))).toMatchObject({
    kind: 'offline',
  });
  world.chaos.target = world.service.url;
  await upload(world, photo_id);
  expect(world.chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200)).toHaveLength(4);
});

it('failures A8: a portal that answers segments with HTML and 200 has not stored them', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  world.chaos.plan = firstOf(1, isSegment, {
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<html>hi</html>',
  });
  expect(await world.problem('photos.upload', uploadInput(world, photo_id))).toMatchObject({
    kind: 'broken_reply',
    looks_like: 'html',
  });
});

slow(
  'failures A7: an upload that stalls is given up after the idle deadline; tried again, it goes on',
  async () => {
    const world = await startServerWorld({ limits: { ...usualLimits, idle_ms: 3_000 } });
    const photo_id = await capture(world);
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    world.chaos.plan = firstOf(1, isSegment, {
      kind: 'hold_request',
      after: 5_000,
      until: gate.promise,
    });
    const problem = await world.problem('photos.upload', uploadInput(world, photo_id));
    expect(problem).toEqual({ kind: 'timeout', after_ms: 3_000 });
    await upload(world, photo_id);
    expect(world.chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200)).toHaveLength(
      4,
    );
  },
);

slow('cancelled mid-segment, begun again: it goes on; restarted: a new upload', async () => {
  const world = await startServerWorld();
  const photo_id = await capture(world);
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  world.chaos.plan = (seen) =>
    isSegment(seen) ? { kind: 'hold_request', after: 100_000, until: gate.promise } : null;
  const running = world.reply('photos.upload', uploadInput(world, photo_id));
  await until(
    () => world.chaos.seen.some((seen) => isSegment(seen) && seen.received > 100_000),
    'a segment on its way',
  );
  await world.call('photos.cancel', { photo_id });
  expect((await running).result).toEqual({ ok: false, problem: { kind: 'cancelled' } });
  world.chaos.plan = () => null;
  const first = await upload(world, photo_id);
  await world.call('photos.restart', { photo_id });
  expect((await upload(world, photo_id)).upload_uuid).not.toBe(first.upload_uuid);
});

slow(
  'failures A25: photos on a slow line hold up no record: a few segments at once, the rest waits, requests pass',
  async () => {
    const world = await startServerWorld();
    const photos = await Promise.all(
      [1, 2, 3].map(async (seed) =>
        capture(world, await makeLongJpeg({ seed: 100 + seed, bytes: 3_000_000 })),
      ),
    );
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    world.chaos.plan = (seen) =>
      isSegment(seen) ? { kind: 'hold_request', after: 100_000, until: gate.promise } : null;
    const running = photos.map((photo_id) => upload(world, photo_id));
    const held = () =>
      world.chaos.seen.filter((seen) => isSegment(seen) && seen.received > 100_000).length;
    await until(() => held() === 6, 'six segments on their way');
    const request = { endpoint: 'me.show', input: { params: {} } };
    expect(await world.call('rest.request', request)).toMatchObject({ status: 200 });
    expect(world.chaos.seen.filter(isSegment)).toHaveLength(6);
    gate.resolve();
    expect(await Promise.all(running)).toHaveLength(3);
  },
);

it('failures A23: the clock jumps a day forth and back in an upload: it goes on, and the receipt has the server’s time', async () => {
  let shift = 24 * HOUR;
  const clock = { now: () => Date.now() + shift, monotonic: () => performance.now() };
  const world = await startServerWorld({ clock });
  const photo_id = await capture(world);
  let segments = 0;
  world.chaos.plan = (seen) => {
    // The clock jumps a day back and an hour forward while segments are in flight.
    if (isSegment(seen)) shift = (segments += 1) % 2 === 0 ? -24 * HOUR : HOUR;
    return null;
  };
  await upload(world, photo_id);
  await world.call('reach.check', {}); // as the window does every 20 s: reads the clock offset again
  const { demo } = world.service;
  const { id } = await newNearMiss(demo);
  const sent = await world.call('photos.deliver', onto(demo, photo_id, id));
  expect((await attachmentsOf(demo, id))[0]?.sha256).toBe(sha256(jpeg));
  const at = sent.outcome === 'delivered' ? sent.receipt.checked_at : 0;
  expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
});

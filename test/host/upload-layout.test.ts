/**
 * The segment size of an upload: chosen by the link's speed within the server's limits, fixed at creation, unchanged after a
 * SIGKILL.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { ulid } from 'ulid';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capturedIn } from '../../src/host/photos/hash.ts';
import { createLink } from '../../src/host/photos/segment-size.ts';
import { firstOf, startChaos, type Plan, type Seen } from '../support/chaos.ts';
import { makeJpeg, makeLongJpeg } from '../support/jpeg.ts';
import { startTestService, testClock } from '../support/service.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { spawnHost } from './fixtures/spawn-host.ts';
import { startServerWorld, type ServerWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const HOUR = 3_600_000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isSegment = (seen: Seen): boolean => seen.method === 'PUT';
const sizesOf = (seen: readonly Seen[]): number[] =>
  seen.filter(isSegment).map((put) => Number(put.headers['content-length']));

const capture = async (world: ServerWorld, bytes: Uint8Array): Promise<string> => {
  const photo_id = ulid();
  await world.spool(photo_id, 'site photo.jpg', bytes);
  return photo_id;
};
const input = (world: ServerWorld, photo_id: string) => ({
  photo_id,
  company_id: world.service.demo.company_id,
});

/** The service's files of an upload, once it is attached to a near miss. */
const storedAs = async (world: ServerWorld, upload_uuid: string): Promise<string> => {
  const { demo } = world.service;
  const { json: incidents } = await demo.get('~/incidents');
  const made = await demo.post('~/incidents/near_misses', {
    near_miss: { incident_id: incidents[0].id, description: 'x', upload_uuids: [upload_uuid] },
  });
  expect(made.status, made.text).toBe(201);
  return made.json.attachments[0].sha256 as string;
};

describe('the size of a segment', () => {
  const upload = {
    uuid: 'u',
    min_segment_size: 256 * KIB,
    max_segment_size: 100 * MIB,
    max_segments: 10_000,
  };
  const segmentOf = (link: ReturnType<typeof createLink>, size: number, base = 'a'): number =>
    link.segmentSize(base, { size, segment_size: capturedIn(size) });
  const linkAt = (bytes_per_second: number) => {
    const link = createLink();
    link.learn('a', upload);
    for (let n = 0; n < 20; n += 1) link.measured(MIB, (MIB / bytes_per_second) * 1000);
    return link;
  };

  it('decisions §5.1: what a link carries in a few seconds, between the minimum told and what the spool hashed', () => {
    expect(segmentOf(linkAt(20_000), 50 * MIB)).toBe(256 * KIB);
    expect(segmentOf(linkAt(150_000), 50 * MIB)).toBe(512 * KIB);
    expect(segmentOf(linkAt(300_000), 50 * MIB)).toBe(MIB);
    expect(segmentOf(linkAt(2_000_000), 2_000 * MIB)).toBe(4 * MIB);
    expect(segmentOf(linkAt(1_000_000_000), 2_000 * MIB)).toBe(8 * MIB);
  });

  it('before anything was measured or told it is as captured; a photo that takes no second goes whole, a film never', () => {
    expect(segmentOf(createLink(), 4 * MIB)).toBe(MIB);
    expect(segmentOf(linkAt(1_000_000_000), 4 * MIB + 7)).toBe(4 * MIB + 7);
    expect(segmentOf(linkAt(4 * MIB), 4 * MIB)).toBe(4 * MIB);
    expect(segmentOf(linkAt(3 * MIB), 4 * MIB)).toBe(MIB);
    expect(segmentOf(linkAt(1_000_000_000), 20 * MIB)).toBe(MIB);
    expect(segmentOf(linkAt(1_000_000_000), 256 * MIB)).toBe(4 * MIB);
    expect(segmentOf(createLink(), 256 * MIB)).toBe(4 * MIB);
    const link = linkAt(1_000_000_000);
    link.forget();
    expect(segmentOf(link, 4 * MIB)).toBe(MIB);
    expect(segmentOf(link, 256 * MIB)).toBe(MIB);
  });

  it('decisions §5.1: it grows where the file would need more segments than the server takes, or the server wants larger ones', () => {
    const link = createLink();
    link.learn('a', { ...upload, max_segments: 10 });
    expect(segmentOf(link, 100 * MIB)).toBe(10 * MIB);
    link.learn('a', { ...upload, min_segment_size: 5 * MIB });
    expect(segmentOf(link, 100 * MIB)).toBe(5 * MIB);
    expect(segmentOf(link, 100 * MIB, 'another server')).toBe(2 * MIB);
  });
});

slow(
  'decisions §5.1: after a slow upload the next photo is cut smaller, after a fast one as captured; both arrive whole',
  async () => {
    // The host's clock makes the loopback slow or fast by stretching every elapsed time.
    let stretch = 1_000;
    let at = 0;
    let last = performance.now();
    const monotonic = (): number => {
      const now = performance.now();
      at += (now - last) * stretch;
      last = now;
      return at;
    };
    const world = await startServerWorld({ clock: { now: () => Date.now(), monotonic } });
    const send = async (bytes: Buffer) => {
      const photo_id = await capture(world, bytes);
      world.chaos.seen.length = 0;
      const { upload_uuid } = await world.call('photos.upload', input(world, photo_id));
      expect(await storedAs(world, upload_uuid)).toBe(sha256(bytes));
      return sizesOf(world.chaos.seen);
    };
    const small = await makeLongJpeg({ seed: 31, bytes: 2 * MIB });
    expect(Math.max(...(await send(small)))).toBe(MIB);
    const cut = await send(await makeLongJpeg({ seed: 32, bytes: 2 * MIB }));
    expect(Math.max(...cut)).toBe(256 * KIB);
    stretch = 0.001;
    for (const seed of [33, 34]) await send(await makeLongJpeg({ seed, bytes: 2 * MIB }));
    const large = await send(await makeLongJpeg({ seed: 35, bytes: 20 * MIB }));
    expect(Math.max(...large)).toBe(MIB);
    const steps = world.events.flatMap((event) =>
      event.kind === 'photo.progress' ? [event.step] : [],
    );
    expect(steps).toContain('hashing');
  },
);

/** Passes the first `pass` segments and holds later ones after `bytes` bytes. */
const holdFrom = (pass: number, bytes: number, gate: Promise<unknown>): Plan => {
  let count = 0;
  return (seen) => {
    if (!isSegment(seen)) return null;
    count += 1;
    return count > pass ? { kind: 'hold_request', after: bytes, until: gate } : null;
  };
};

slow(
  'failures A1: SIGKILL at 60 % of segment 3 of 7: the proxy counts the bytes of the unfinished segments and no other',
  async () => {
    const service = await startTestService();
    onTestFinished(() => service.stop());
    const chaos = await startChaos(service.url);
    onTestFinished(() => chaos.close());
    const { demo } = service;
    const folder = await temporaryFolder();
    const connect = {
      kind: 'server' as const,
      address: chaos.url,
      company_id: demo.company_id,
      project_id: demo.project_id,
      token: demo.token,
    };
    const jpeg = await makeLongJpeg({ seed: 41, bytes: 6.5 * MIB });
    expect(Math.ceil(jpeg.length / MIB)).toBe(7);
    const gate = Promise.withResolvers<void>();
    gate.promise.catch(() => undefined);
    const share = Math.round(0.6 * MIB);
    chaos.plan = holdFrom(2, share, gate.promise);
    const first = await spawnHost(folder);
    await first.call('session.connect', connect);
    const photo_id = ulid();
    await first.call('photos.begin', { photo_id, filename: 'a.jpg', size: jpeg.length });
    for (let offset = 0; offset < jpeg.length; offset += MIB)
      await first.call(
        'photos.write',
        { photo_id, offset },
        new Uint8Array(jpeg.subarray(offset, offset + MIB)),
      );
    await first.call('photos.finish', { photo_id });
    void first.reply('photos.upload', { photo_id, company_id: demo.company_id });
    const puts = () => chaos.seen.filter(isSegment);
    await until(
      () =>
        puts().filter((put) => put.status === 200).length === 2 &&
        (puts()[2]?.received ?? 0) >= share,
      'two segments stored, the third at 60 %',
    );
    await first.kill();
    gate.reject(new Error('the host is dead: what it had on its way is lost'));
    chaos.plan = () => null;
    const stored = puts().filter((put) => put.status === 200);
    expect(stored).toHaveLength(2);
    chaos.seen.length = 0;

    const second = await spawnHost(folder);
    await second.call('session.connect', connect);
    const { upload_uuid } = await second.call('photos.upload', {
      photo_id,
      company_id: demo.company_id,
    });
    const again = puts().reduce((sum, put) => sum + put.received, 0);
    expect(again).toBe(jpeg.length - 2 * MIB);
    expect(puts()).toHaveLength(5);
    const { json: incidents } = await demo.get('~/incidents');
    const made = await demo.post('~/incidents/near_misses', {
      near_miss: { incident_id: incidents[0].id, upload_uuids: [upload_uuid] },
    });
    expect(made.json.attachments[0].sha256).toBe(sha256(jpeg));
  },
);

slow(
  'failures A1: a photo sent whole over a line that breaks then goes in segments, and is not hashed again',
  async () => {
    const world = await startServerWorld();
    const send = async (seed: number) => {
      const bytes = await makeLongJpeg({ seed, bytes: 3 * MIB });
      const photo_id = await capture(world, bytes);
      world.chaos.seen.length = 0;
      const { upload_uuid } = await world.call('photos.upload', input(world, photo_id));
      expect(await storedAs(world, upload_uuid)).toBe(sha256(bytes));
      return { bytes, sizes: sizesOf(world.chaos.seen) };
    };
    expect((await send(61)).sizes.length).toBeGreaterThan(2);
    // The line's speed is measured: on a busy machine it may take several photos to reach that speed.
    const sentWhole = async (seed: number): Promise<boolean> => {
      const { bytes, sizes } = await send(seed);
      return sizes.length === 1 && sizes[0] === bytes.length;
    };
    let seed = 62;
    while (!(await sentWhole(seed))) seed += 1;
    // From now on every request is cut after 1.5 MiB.
    world.chaos.plan = (seen) =>
      isSegment(seen) ? { kind: 'cut_request', after: 1.5 * MIB } : null;
    const broken = await send(seed + 1);
    expect(broken.sizes[0]).toBe(broken.bytes.length);
    expect(Math.max(...broken.sizes.slice(1))).toBe(MIB);
    const steps = world.events.flatMap((event) =>
      event.kind === 'photo.progress' ? [event.step] : [],
    );
    expect(steps).not.toContain('hashing');
  },
);

slow(
  'failures A24: after a cut one segment goes alone; after a good run more go beside it',
  async () => {
    const world = await startServerWorld();
    const bytes = await makeLongJpeg({ seed: 71, bytes: 13 * MIB });
    const photo_id = await capture(world, bytes);
    const [before, after]: [number[], number[]] = [[], []];
    const beside = Promise.withResolvers<void>();
    world.chaos.plan = (seen) => {
      if (!isSegment(seen)) return null;
      const askedAgain = world.chaos.seen.some(
        ({ method, path }) => method === 'GET' && path.includes('/uploads/'),
      );
      const underWay = world.chaos.seen.filter((other) => isSegment(other) && !other.done);
      (askedAgain ? after : before).push(underWay.length);
      if (before.length === 1 && !askedAgain) return { kind: 'cut_request', after: 1000 };
      if (after.length === 10) beside.resolve();
      // The ninth is held until another one is in flight.
      return after.length === 9
        ? { kind: 'hold_request', after: 1000, until: beside.promise }
        : null;
    };
    const { upload_uuid } = await world.call('photos.upload', input(world, photo_id));
    expect(await storedAs(world, upload_uuid)).toBe(sha256(bytes));
    expect(before.length).toBeGreaterThan(1);
    expect(after.length).toBeGreaterThan(8);
    expect(Math.max(...after.slice(0, 8))).toBe(1);
    expect(Math.max(...after.slice(8))).toBe(2);
  },
);

it('decisions §5.5, failures A11: a server without segments gets one form post; past its hour a 403 begins a new upload', async () => {
  const clock = testClock();
  const world = await startServerWorld({}, clock);
  const bytes = await makeJpeg({ seed: 51, bytes: 60_000 });
  const photo_id = await capture(world, bytes);
  const isCreate = (seen: Seen) => seen.method === 'POST' && seen.path.endsWith('/uploads');
  const isForm = (seen: Seen) =>
    Boolean(seen.headers['content-type']?.startsWith('multipart/form-data'));
  const noSegments = firstOf(1, isCreate, {
    kind: 'answer',
    status: 422,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ errors: { segments: ['is not supported'] } }),
  });
  world.chaos.plan = (seen) =>
    noSegments(seen) ?? (isForm(seen) ? { kind: 'answer', status: 503 } : null);
  await world.problem('photos.upload', input(world, photo_id));
  expect(world.chaos.seen.filter(isForm)).toHaveLength(1);
  expect(world.chaos.seen.filter(isSegment)).toHaveLength(0);
  const kept = JSON.parse(
    await readFile(join(world.folder, 'photos/uploads', `${photo_id}.json`), 'utf8'),
  ) as { mode: string };
  expect(kept.mode).toBe('form');

  clock.advance(2 * HOUR);
  world.chaos.plan = () => null;
  const { upload_uuid } = await world.call('photos.upload', input(world, photo_id));
  expect(world.chaos.seen.filter((seen) => isForm(seen) && seen.status === 403)).toHaveLength(1);
  expect(await storedAs(world, upload_uuid)).toBe(sha256(bytes));
});

/** An intermediary that rejects large requests: nginx allows 1 MB by default. */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import type { Seen } from '../support/chaos.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { attachmentsOf, newNearMiss, onto } from './fixtures/delivery.ts';
import { startServerWorld } from './fixtures/world.ts';

const KIB = 1024;
const sizeOf = ({ headers }: Seen): number => Number(headers['content-length']);

for (const [limit, fits] of [
  [1024 * KIB, 1024 * KIB],
  [512 * KIB, 256 * KIB],
] as const)
  it(`outbox promise 3: photos go through a proxy that takes at most ${limit / KIB} KiB, in segments that fit`, async () => {
    // A frozen clock: the line counts as fast, however busy this machine is.
    const world = await startServerWorld({ clock: { now: Date.now, monotonic: () => 0 } });
    const { demo } = world.service;
    world.chaos.plan = (seen) =>
      seen.method === 'PUT' && sizeOf(seen) > limit
        ? {
            kind: 'answer',
            status: 413,
            headers: { 'content-type': 'text/html' },
            body: '<html><h1>413 Request Entity Too Large</h1></html>',
          }
        : null;
    const { id } = await newNearMiss(demo);
    const refused = () => world.chaos.seen.filter(({ status }) => status === 413).length;
    // The first photo measures the line; on a fast line the next is sent whole.
    for (const [seed, bytes] of [300_000, 3_000_000, 3_000_000].entries()) {
      const jpeg = await makeJpeg({ seed, bytes });
      const photo_id = ulid();
      await world.spool(photo_id, `${seed}.jpg`, jpeg);
      expect(await world.call('photos.deliver', onto(demo, photo_id, id))).toMatchObject({
        receipt: { sha256: createHash('sha256').update(jpeg).digest('hex') },
      });
      // A learnt limit is not exceeded again.
      if (seed === 1) world.chaos.seen.length = 0;
    }
    expect(refused()).toBe(0);
    expect(world.chaos.seen.filter(({ method }) => method === 'PUT').map(sizeOf)).toContain(fits);
    expect(await attachmentsOf(demo, id)).toHaveLength(3);
  });

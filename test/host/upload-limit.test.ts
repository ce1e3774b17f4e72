/** Something between us and the server takes no large request: nginx 1 MB unless told otherwise. */
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
    // No time passes: the line counts as a good one, whatever else this machine does.
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
    // The first measures the line; on a good one the next goes whole.
    for (const [seed, bytes] of [300_000, 3_000_000, 3_000_000].entries()) {
      const jpeg = await makeJpeg({ seed, bytes });
      const photo_id = ulid();
      await world.spool(photo_id, `${seed}.jpg`, jpeg);
      expect(await world.call('photos.deliver', onto(demo, photo_id, id))).toMatchObject({
        receipt: { sha256: createHash('sha256').update(jpeg).digest('hex') },
      });
      // What was learnt once is asked for no more.
      if (seed === 1) world.chaos.seen.length = 0;
    }
    expect(refused()).toBe(0);
    expect(world.chaos.seen.filter(({ method }) => method === 'PUT').map(sizeOf)).toContain(fits);
    expect(await attachmentsOf(demo, id)).toHaveLength(3);
  });

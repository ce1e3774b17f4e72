/** A photo verified over a line that cuts, from a server that returns a different range than requested. */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { firstOf, type Seen } from '../support/chaos.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { attachmentsOf, newNearMiss, onto } from './fixtures/delivery.ts';
import { startServerWorld } from './fixtures/world.ts';

const readsBack = ({ method, path }: Seen): boolean =>
  method === 'GET' && !path.startsWith('/rest/');

it.each(['bytes 0-99/1500000', ''])(
  'outbox promise 3: a part that was not asked for ("%s") makes no photo gone; read again it is delivered',
  async (range) => {
    const world = await startServerWorld();
    await world.call('settings.set', { photo_read_back: true });
    const { demo } = world.service;
    const jpeg = await makeJpeg({ seed: 72, bytes: 1_500_000 });
    const photo_id = ulid();
    await world.spool(photo_id, 'a.jpg', jpeg);
    const { id } = await newNearMiss(demo);
    let reads = 0;
    world.chaos.plan = (seen) => {
      if (!readsBack(seen)) return null;
      reads += 1;
      if (reads === 1) return { kind: 'cut_reply', after: 400_000 };
      if (reads > 2) return null;
      const headers = {
        'content-type': 'image/jpeg',
        ...(range === '' ? {} : { 'content-range': range }),
      };
      return { kind: 'answer', status: 206, headers, body: jpeg.subarray(0, 100) };
    };
    const input = onto(demo, photo_id, id);
    expect(await world.problem('photos.deliver', input)).toMatchObject({ kind: 'broken_reply' });
    expect(await world.call('photos.deliver', input)).toMatchObject({
      receipt: { sha256: createHash('sha256').update(jpeg).digest('hex') },
    });
    expect(await attachmentsOf(demo, id)).toHaveLength(1);
  },
);

it('outbox promise 3: a photo that comes back short, with no length told, is not gone: what is missing is read', async () => {
  const world = await startServerWorld();
  await world.call('settings.set', { photo_read_back: true });
  const { demo } = world.service;
  const jpeg = await makeJpeg({ seed: 73, bytes: 1_500_000 });
  const photo_id = ulid();
  await world.spool(photo_id, 'a.jpg', jpeg);
  const { id } = await newNearMiss(demo);
  world.chaos.plan = firstOf(1, readsBack, { kind: 'short_reply', after: 1_000 });
  const input = onto(demo, photo_id, id);
  expect(await world.problem('photos.deliver', input)).toMatchObject({
    kind: 'broken_reply',
    looks_like: 'truncated',
  });
  world.chaos.plan = firstOf(1, readsBack, { kind: 'short_reply', after: 400_000 });
  expect(await world.call('photos.deliver', input)).toMatchObject({
    receipt: { sha256: createHash('sha256').update(jpeg).digest('hex') },
  });
  expect(await attachmentsOf(demo, id)).toHaveLength(1);
});

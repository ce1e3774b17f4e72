/** Stopping the host during any activity. */
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { makeJpeg } from '../support/jpeg.ts';
import { newNearMiss, onto } from './fixtures/delivery.ts';
import { startServerWorld } from './fixtures/world.ts';

it('a host that is stopped in the first moment of a delivery sends no byte of it and does not wait for it', async () => {
  const world = await startServerWorld();
  const { demo } = world.service;
  const photo_id = ulid();
  await world.spool(photo_id, 'a.jpg', await makeJpeg({ seed: 8, bytes: 300_000 }));
  const { id } = await newNearMiss(demo);
  const seen = world.chaos.seen.length;
  const sent = world.reply('photos.deliver', onto(demo, photo_id, id));
  await world.door.stop();
  expect((await sent).result).toMatchObject({ ok: false });
  expect(world.chaos.seen.slice(seen)).toEqual([]);
});

/** Garbage collection: unreferenced photos leave the spool, and nothing else does. */
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { beforeAll, expect, it } from 'vitest';
import { makeJpeg } from '../support/jpeg.ts';
import { until } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';

const DAY = 86_400_000;
let jpegs: readonly Buffer[];
beforeAll(async () => {
  jpegs = await Promise.all([71, 72, 73, 74, 75].map((seed) => makeJpeg({ seed, bytes: 20_000 })));
});

const entryFor = (photo_id: string) => ({
  id: ulid(),
  seq: 1,
  account: 'a',
  kind: 'photo.send',
  version: 1,
  lane: 'l',
  created_at: 1,
  payload: { photo: { photo_id } },
});
const inSpool = async (folder: string): Promise<ReadonlySet<string>> =>
  new Set((await readdir(join(folder, 'photos/meta'))).map((name) => name.replace('.json', '')));

it('a photo let go of while the queue needs it goes as soon as the queue does not', async () => {
  const world = await startWorld();
  const photo_id = ulid();
  await world.spool(photo_id, 'a.jpg', jpegs[0] ?? Buffer.alloc(0));
  const operation = entryFor(photo_id);
  await world.call('journal.append', { operations: [operation] });
  expect(await world.call('photos.discard', { photo_id })).toEqual({ dropped: false });
  expect(await inSpool(world.folder)).toEqual(new Set([photo_id]));
  await world.call('journal.settle', { operation_ids: [operation.id], links: [] });
  await until(async () => (await inSpool(world.folder)).size === 0, 'it is gone');
  const originals = join(world.folder, 'photos/originals');
  await until(async () => (await readdir(originals)).length === 0, 'its bytes are gone');
});

it('what no database knows and no operation names goes after 30 days, not before; other windows keep theirs', async () => {
  let at = Date.now();
  const clock = { now: () => at, monotonic: () => performance.now() };
  const world = await startWorld({ clock });
  const ids = jpegs.map(() => ulid());
  const [lost = '', draft = '', queued = '', theirs = '', young = ''] = ids;
  for (const [place, photo_id] of ids.entries())
    await world.spool(photo_id, 'a.jpg', jpegs[place] ?? Buffer.alloc(0));
  await world.call('journal.append', { operations: [entryFor(queued)] });
  const [mine, other] = [ulid(), ulid()];
  const claim = async (store: string, photo_ids: readonly string[]) =>
    (await world.call('photos.claim', { store, photo_ids: [...photo_ids] })).dropped;

  // The first window does not speak for the others: nothing is removed before all had time to claim.
  const old = new Date(at - 90 * DAY);
  for (const photo_id of ids)
    await utimes(join(world.folder, 'photos/meta', `${photo_id}.json`), old, old);
  expect(await claim(mine, [draft])).toBe(0);
  at += 29 * DAY;
  expect(await claim(other, [theirs])).toBe(0);
  expect(await inSpool(world.folder)).toEqual(new Set(ids));

  at += 2 * DAY;
  const recent = new Date(at - 29 * DAY);
  await utimes(join(world.folder, 'photos/meta', `${young}.json`), recent, recent);
  expect(await claim(mine, [draft])).toBe(1);
  expect(await inSpool(world.folder)).toEqual(new Set([draft, queued, theirs, young]));
  expect(await readdir(join(world.folder, 'photos/originals'))).toHaveLength(4);
  expect(
    (await world.reply('photos.read', { photo_id: lost, offset: 0, length: 9 })).result.ok,
  ).toBe(false);

  // An unreadable claim may reference anything.
  await writeFile(join(world.folder, 'photos/claims', `${other}.json`), '{"version":1');
  expect(await claim(mine, [draft])).toBe(0);
  expect(await inSpool(world.folder)).toEqual(new Set([draft, queued, theirs, young]));
  // A database that was not seen for half a year no longer claims anything.
  await claim(other, [theirs]);
  at += 181 * DAY;
  expect(await claim(mine, [draft])).toBe(2);
  expect(await inSpool(world.folder)).toEqual(new Set([draft, queued]));
});

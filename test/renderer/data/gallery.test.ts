/** The gallery's list: every photo once, newest record first, pending ones distinguished from delivered ones. */
import { expect, it } from 'vitest';
import { galleryPhotos } from '../../../src/renderer/data/photos/gallery.ts';
import { removePhoto } from '../../../src/renderer/data/near-misses/photo-removal.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

it('photos of this laptop and of the server, each once; those that wait are marked; one taken off is gone', async () => {
  host.add({
    description: '<p>Theirs</p>',
    attachments: [{ id: 77, filename: 'theirs.jpg', sha256: 'x', size: 9 }],
  });
  const window = await windows.start(host);
  await refreshNearMisses(window, owner);
  await capture(window, 'Delivered', [photoBytes(50, 1), photoBytes(60, 2)]);
  await drained(window, host);
  await refreshNearMisses(window, owner);
  host.up = false;
  await capture(window, 'Waiting', [photoBytes(70, 3)]);
  const seen = async () =>
    (await galleryPhotos(window, owner)).map(({ row, photo, waiting }) => [
      row.title,
      photo.local?.filename ?? photo.remote?.filename,
      waiting,
    ]);
  expect(await seen()).toEqual([
    ['Waiting', 'photo-0.jpg', true],
    ['Delivered', 'photo-0.jpg', false],
    ['Delivered', 'photo-1.jpg', false],
    ['Theirs', 'theirs.jpg', false],
  ]);
  const [, first] = await galleryPhotos(window, owner);
  if (first === undefined) throw new Error('no photo');
  expect((await removePhoto(window, first.row.key, first.photo)).ok).toBe(true);
  expect((await seen()).filter(([title]) => title === 'Delivered')).toEqual([
    ['Delivered', 'photo-1.jpg', false],
  ]);
});

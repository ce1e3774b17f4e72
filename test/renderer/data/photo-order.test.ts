/** Every place shows photos in the saved order; on a server without the field they keep their original order. */
import { expect, it } from 'vitest';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { galleryPhotos } from '../../../src/renderer/data/photos/gallery.ts';
import { getNearMiss, rowsOf } from '../../../src/renderer/data/index/near-miss-list.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { filenameOf, photosOf, shownPhotosOf } from '../../../src/renderer/data/photos/photos.ts';
import {
  capture,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

it('decisions §4.8: list, detail and gallery show the photos in the order that is said, with what is said', async () => {
  host.up = false;
  const window = await windows.start(host);
  const bytes = [photoBytes(60, 1), photoBytes(70, 2), photoBytes(80, 3)];
  const key = await capture(window, 'Three photos', bytes);
  const names = (await photosOf(window, { key, server: null })).map(filenameOf);
  const [first = '', second = '', third = ''] = names;
  const edited = await editNearMiss(window, key, {
    custom_fields: { custom_field_9: `${third} (antes)\n${first}: The gate` },
  });
  expect(edited.ok).toBe(true);
  const everywhere = async () => {
    const row = await getNearMiss(window, key);
    if (row === undefined) throw new Error('no record');
    const shown = await shownPhotosOf(window, row);
    const gallery = await galleryPhotos(window, owner);
    const [listed] = await rowsOf(window, [key]);
    return {
      shown: shown.map(filenameOf),
      notes: shown.map(({ note }) => note && [note.caption, note.side]),
      gallery: gallery.map(({ photo }) => filenameOf(photo)),
      listed: listed?.photo && filenameOf(listed.photo),
    };
  };
  expect(await everywhere()).toMatchObject({ shown: names, gallery: names, listed: first });

  const catalog = {
    ...emptyCatalog,
    custom_field_definitions: [
      { id: 9, label: 'Photo captions', data_type: 'text' as const, options: [], required: false },
    ],
  };
  await window.db.catalogs.put({ ...owner, catalog, etag: null, source: 'server', fetched_at: 1 });
  const said = [third, first, second];
  expect(await everywhere()).toEqual({
    shown: said,
    notes: [
      ['', 'before'],
      ['The gate', null],
      ['', null],
    ],
    gallery: said,
    listed: third,
  });
});

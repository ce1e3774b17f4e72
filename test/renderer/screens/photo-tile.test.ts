/** A photo's tile says if the file is truncated; one line says of how many photos location and names were removed. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { words } from '../../../src/renderer/words/words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { choosePhotos, make } from '../../support/renderer-photos.ts';
import { slow } from '../../support/slow.ts';

const t = words.capture;

const openForm = async (files: readonly File[]) => {
  const host = await openApp({ settings: { photo_privacy: true } });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect.element(page.getByRole('textbox', { name: t.what })).toBeVisible();
  choosePhotos(files);
  return host;
};
const tile = (name: string) => page.getByRole('listitem', { name, exact: true });

slow(
  'A67: a JPEG that is cut off says so on its tile and is taken all the same; a whole one says nothing',
  async () => {
    const whole = await make({ format: 'jpeg', width: 640, height: 480, noise: true });
    const cut = new File([whole.slice(0, whole.size * 0.6)], 'cut.jpg');
    const host = await openForm([cut, new File([whole], 'whole.jpg')]);
    await expect.element(tile('cut.jpg').getByText(t.cut_off)).toBeVisible();
    await expect.element(tile('whole.jpg')).toBeVisible();
    expect(tile('whole.jpg').getByText(t.cut_off).elements()).toEqual([]);
    expect([...host.spool.values()].map(({ bytes }) => bytes.length)).toContain(cut.size);
  },
);

slow(
  'A66: location and names are said to be removed where all is known, and of a file that was added as it is they are not',
  async () => {
    const known = new File([await jpegWith(40, 40, { gps: true })], 'known.jpg');
    // A TIFF with nested pictures, as in camera raw files.
    const operations = [256, 1, 257, 1, 330, 8].flatMap((number, at) =>
      at % 2 === 0 ? [number & 255, number >> 8, 4, 0, 1, 0, 0, 0] : [number, 0, 0, 0],
    );
    const bytes = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0, ...operations, 0, 0, 0, 0];
    await openForm([known, new File([new Uint8Array(bytes)], 'raw.tif')]);
    await expect.element(tile('known.jpg')).toBeVisible();
    await expect.element(page.getByText(t.ask.unknown_parts('raw.tif'))).toBeVisible();
    await page.getByRole('button', { name: t.ask.add }).click();
    await expect.element(tile('raw.tif')).toBeVisible();
    await expect.element(page.getByText(new RegExp(t.privacy.removed(1)))).toBeVisible();
  },
);

/** A gallery of thousands of photos. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { judge } from '../../support/renderer-looks.ts';
import { asServer, fileReport, siteHost } from '../../support/renderer-site.ts';

it('failures A29: a gallery of 3,000 photos: a few drawn, in order by keyboard from end to end, axe finds nothing', async () => {
  const host = asServer(siteHost());
  await openApp({ host });
  await fileReport('Seen from everywhere', [new File([await jpegWith(600, 400)], 'IMG_0.jpg')]);
  await expect.poll(() => host.journal.size).toBe(0);
  // Fills the window's database with 3,000 photos, all of that record.
  const db = createDb();
  const row = await db.photos.toCollection().first();
  if (row === undefined) throw new Error('no photo');
  await db.photos.bulkPut(
    Array.from({ length: 2999 }, (_one, at) => {
      const id = `01M7${String(at).padStart(22, '0')}`;
      const attachment_id = 900_000 + at;
      return { ...row, photo_id: id, filename: `IMG_${at}.jpg`, attachment_id, upload_uuid: id };
    }),
  );
  db.close();
  await openApp({ host, at: '/photos' });
  const grid = page.getByRole('group', { name: '3,000 photos' });
  await expect.element(grid).toBeVisible();
  const tiles = () => grid.getByRole('button').elements() as HTMLElement[];
  expect(tiles().length).toBeLessThan(120);
  (await found(() => tiles()[0])).focus();
  const place = () => document.activeElement?.getAttribute('data-at');
  await userEvent.keyboard('{End}');
  await expect.poll(place).toBe('2999');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(place).toBe('2998');
  expect(tiles().length).toBeLessThan(120);
  // One tab stop wherever the focus is; the drawn tiles are in walking order.
  expect(grid.element().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  const order = tiles().map((one) => Number(one.dataset['at']));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  await judge('the end of a long gallery');
  await userEvent.keyboard('{Home}');
  await expect.poll(place).toBe('0');
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(place).toBe('1');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog').getByText(/^2 of 3,000/)).toBeVisible();
}, 300_000);

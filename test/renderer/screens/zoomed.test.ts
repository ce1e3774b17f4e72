/** Every screen of the near misses at 200 % zoom of a small window. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { misfits } from '../../support/misfits.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { fileReport, pressMore, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const fits = (where: string) => expect.poll(misfits, { message: where }).toEqual([]);

slow(
  '200 % zoom of 1024 x 640: all is done there too, nothing cut off, nothing covered',
  async () => {
    const host = siteHost([
      ...Array.from({ length: 20 }, (_one, n) => reported(`Hoist hook bent ${n}`, 3 + n)),
      reported('Sent to the bin', 9, { deleted_at: new Date().toISOString() }),
    ]);
    await openApp({ host, size: [512, 320] });
    const go = (name: string | RegExp) =>
      page.getByRole('link', { name, exact: true }).first().click();
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    await fits('list');
    await page
      .getByRole('link', { name: /^Hoist hook bent 0/ })
      .first()
      .click();
    await expect.element(page.getByRole('region', { name: 'Delivery receipt' })).toBeVisible();
    await fits('detail');
    await go('New near miss');
    await page.getByRole('button', { name: 'More details' }).click();
    await fits('capture, unfolded');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(page.getByText(/fields? to complete/)).toBeVisible();
    await fits('capture, with errors');
    await go('Near misses');
    host.up = false;
    const photo = new File([await jpegWith(600, 400)], 'IMG_1001.jpg');
    await fileReport('Board slid off level 3', [photo]);
    await page.getByRole('button', { name: 'Open IMG_1001.jpg' }).click();
    await expect.element(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await fileReport('Rail loose at the east edge');
    await fits('detail, waiting');
    await go(/^Waiting/);
    await expect.element(page.getByText(/Everything below is safe on this laptop\./)).toBeVisible();
    await fits('waiting, offline');
    await go('Near misses');
    await pressMore('Recycle bin');
    await expect.element(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible();
    await fits('recycle bin');
    await go('Settings');
    await expect.element(page.getByRole('link', { name: 'Change connection' })).toBeVisible();
    await fits('settings');
    await go('Change connection');
    await expect
      .element(page.getByRole('heading', { name: 'Where should near misses go?' }))
      .toBeVisible();
    await fits('connect');
  },
);

/**
 * What the near-miss screens say when they have nothing to show: an empty project, while the first records load, after a failed
 * fetch, and offline. Nothing says "none" about data that has not arrived yet.
 */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { to } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { look } from '../../support/renderer-looks.ts';
import { pressMore, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const content = () => page.getByRole('main');
const link = (name: string) => page.getByRole('link', { name, exact: true }).click();
const go = async (name: string): Promise<void> => {
  if (name !== 'Recycle bin') return link(name);
  await link('Near misses');
  await pressMore(name);
};
const heading = (name: string) => content().getByRole('heading', { name });
const again = () => content().getByRole('button', { name: 'Try again' });

slow('a new project says on every screen what will be there, and where to begin', async () => {
  await openApp({ host: siteHost() });
  await expect.element(heading('No near misses yet')).toBeVisible();
  await look('empty-list');
  for (const [place, said] of [
    ['Photos', 'No photos yet'],
    ['Recycle bin', 'The recycle bin is empty'],
    ['Insights', 'Nothing to count yet'],
    ['Waiting', 'Nothing is waiting'],
  ] as const) {
    await go(place);
    await expect.element(heading(said)).toBeVisible();
  }
  await look('empty-waiting');
  await go('Near misses');
  await content().getByRole('button', { name: 'New near miss' }).click();
  await expect.element(page.getByLabelText('What happened?')).toHaveFocus();
});

slow(
  'while records are fetched no screen says there are none; what failed says what works and is tried again',
  async () => {
    const host = siteHost([reported('Hoist hook bent'), reported('Ladder not tied')]);
    const held = Promise.withResolvers<void>();
    host.holds.push({ on: to('near_misses.list'), until: held.promise });
    host.faults.push({
      at: 'before',
      on: to('near_misses.list'),
      problem: {
        kind: 'server_error',
        status: 503,
        messages: ['Down for a moment.'],
        retry_after_ms: null,
      },
      times: Infinity,
    });
    await openApp({ host });
    const coming = content().getByText('Downloading this project’s near misses…');
    for (const place of ['Near misses', 'Photos', 'Recycle bin', 'Insights']) {
      await go(place);
      await expect.element(coming).toBeVisible();
      expect(
        content()
          .getByText(/No near misses yet|No photos yet|is empty|Nothing to/)
          .elements(),
      ).toEqual([]);
    }
    held.resolve();
    for (const place of ['Photos', 'Recycle bin', 'Insights', 'Near misses']) {
      await go(place);
      await expect.element(heading('Nothing on this laptop yet')).toBeVisible();
    }
    await expect
      .element(
        content()
          .getByText(/Could not update\./)
          .first(),
      )
      .toBeVisible();
    await look('error-list');
    host.faults = [];
    await again().click();
    await expect.element(page.getByRole('button', { name: 'All 2', exact: true })).toBeVisible();
    await expect.element(content().getByText(/^Updated/)).toBeVisible();
  },
);

slow(
  'list, bin, photos and insights say what still works; a photo kept elsewhere says what it needs',
  async () => {
    const host = siteHost([
      reported('Hoist hook bent', 3, {
        attachments: [{ id: 77, filename: 'IMG_0077.jpg', sha256: 'x', size: 9 }],
      }),
      reported('Sent to the bin', 9, { deleted_at: new Date().toISOString() }),
    ]);
    host.pictures.set(77, new File([await jpegWith(400, 300)], 'IMG_0077.jpg'));
    await openApp({ host });
    await expect.element(content().getByText(/^Updated/)).toBeVisible();
    await page.getByRole('button', { name: /^Could have killed \d+/ }).click();
    await page.getByRole('searchbox').first().fill('no such thing anywhere');
    await expect.element(heading('No matches')).toBeVisible();
    await content().getByRole('button', { name: 'Show all' }).click();
    // The thumbnail is read while there is a connection.
    await go('Photos');
    const photo = content().getByRole('button', { name: /^IMG_0077/ });
    await expect.poll(() => photo.element().querySelector('img')?.naturalWidth).toBeGreaterThan(0);
    await go('Near misses');

    host.up = false;
    dispatchEvent(new Event('offline'));
    await expect
      .element(page.getByRole('link', { name: 'Offline · nothing waiting' }))
      .toBeVisible();
    await expect.element(content().getByText(/^Updated/)).toBeVisible();
    await look('offline-list');
    await go('Recycle bin');
    await expect.element(content().getByText(/^Offline. Showing the copy/)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible();
    await go('Insights');
    await expect.element(content().getByText(/^\d+ near miss(es)?(\.| since)/)).toBeVisible();
    await go('Photos');
    await expect.element(content().getByText(/^Offline. Only photos on this laptop/)).toBeVisible();
    await look('offline-photos');
    await photo.click();
    await expect.element(page.getByText(/this is the small version/)).toBeVisible();
  },
);

slow('failures A16: every screen warns of an almost full disk, until there is room', async () => {
  const host = siteHost([reported('Hoist hook bent')]);
  let free = 320_000_000;
  host.answers.set('app.disk', () => ({ free }));
  await openApp({ host });
  const told = page.getByRole('complementary', { name: 'The disk is almost full: 320 MB left.' });
  await expect.element(told).toBeVisible();
  await expect.element(told.getByText(/Free up some space/)).toBeVisible();
  await look('disk-almost-full');
  await go('Settings');
  await expect.element(told).toBeVisible();
  const left = (size: string) =>
    expect
      .poll(() => document.querySelector('#content')?.textContent)
      .toMatch(new RegExp(`Space left on this disk\\s*${size}`));
  await left('320.MB');
  free = 8_000_000_000;
  await openApp({ host, at: '/settings' });
  await left('8.GB');
  await expect.element(told).not.toBeInTheDocument();
});

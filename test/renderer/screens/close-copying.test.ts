/** The window asks before it closes only while something would be lost. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { choosePhotos } from '../../support/renderer-photos.ts';
import { siteHost } from '../../support/renderer-site.ts';
import { holdCalls } from '../../support/renderer-slow.ts';
import { slow } from '../../support/slow.ts';

/** True if the window would ask. */
const asks = (): boolean =>
  !dispatchEvent(new Event('beforeunload', { bubbles: false, cancelable: true }));
const reported = (host: ReturnType<typeof siteHost>) =>
  host.of('window.report').at(-1)?.input['copying'];

slow('A65: closing asks while a photo is being copied, and not before and after', async () => {
  const host = siteHost();
  await openApp({ host, at: '/new' });
  await page.getByLabelText('What happened?').fill('Plank fell');
  expect(asks()).toBe(false);
  const release = holdCalls(host, 'photos.finish');
  choosePhotos([await jpegWith(600, 400)]);
  await expect.poll(asks).toBe(true);
  await expect.poll(() => reported(host)).toBe(true);
  release();
  await expect.poll(() => document.querySelector('section.photos img')).not.toBeNull();
  await expect.poll(asks).toBe(false);
  await expect.poll(() => reported(host)).toBe(false);
});

slow('the desktop app shows its own dialog: its window does not refuse to close', async () => {
  const host = siteHost();
  host.answers.set('app.info', () => ({
    version: '0.1.0',
    shell: 'electron',
    platform: 'linux',
    node: '24',
  }));
  await openApp({ host, at: '/new' });
  await expect.element(page.getByLabelText('What happened?')).toBeVisible();
  holdCalls(host, 'photos.finish');
  choosePhotos([await jpegWith(600, 400)]);
  await expect.poll(() => reported(host)).toBe(true);
  expect(asks()).toBe(false);
});

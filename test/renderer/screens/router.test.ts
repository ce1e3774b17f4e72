/** A navigation that another one overtakes while its screen loads ends quietly, and the later one counts. */
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { navigate } from '../../../src/renderer/router.ts';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

it('Back while a screen still loads: no error, and the screen before is shown', async () => {
  await openApp({ host: siteHost([reported('Hoist hook bent')]), at: '/waiting' });
  await expect
    .element(page.getByRole('heading', { name: 'Waiting', level: 1 }))
    .toBeInTheDocument();
  const going = navigate('/insights/week');
  location.hash = '#/near-misses';
  await expect(going).resolves.not.toThrow();
  await expect.element(page.getByRole('link', { name: /Hoist hook bent/ })).toBeVisible();
  expect(location.hash).toBe('#/near-misses');
});

slow(
  'a link and then Back while a screen still loads: neither fails, and Back counts',
  async () => {
    await openApp({ host: siteHost([reported('Hoist hook bent')]), at: '/waiting' });
    await expect
      .element(page.getByRole('heading', { name: 'Waiting', level: 1 }))
      .toBeInTheDocument();
    const failed: unknown[] = [];
    const keep = (event: PromiseRejectionEvent) => void failed.push(event.reason);
    window.addEventListener('unhandledrejection', keep);
    onTestFinished(() => window.removeEventListener('unhandledrejection', keep));
    const link = await found(() => document.querySelector<HTMLElement>('a[href$="#/follow-ups"]'));
    const going = navigate('/webhooks');
    link.click();
    location.hash = '#/near-misses';
    // The browser tells it in a later task, when a screen that was loaded before is shown already.
    window.dispatchEvent(new PopStateEvent('popstate'));
    await going;
    await expect.element(page.getByRole('link', { name: /Hoist hook bent/ })).toBeVisible();
    // Rejections are reported in a task of their own.
    await new Promise((resolve) => setTimeout(resolve));
    expect(failed).toEqual([]);
  },
);

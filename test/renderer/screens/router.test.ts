/** A navigation that another one overtakes while its screen loads ends quietly, and the later one counts. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { navigate } from '../../../src/renderer/router.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';

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

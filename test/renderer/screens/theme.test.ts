/** The theme is chosen in Settings and kept by the host. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow('the theme chosen in Settings is there after a reload', async () => {
  const host = siteHost();
  const theme = () => document.documentElement.dataset['theme'];
  await openApp({ host });
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Easier at night').click();
  await expect.poll(theme).toBe('dark');
  // A reload starts with a page that has no theme.
  delete document.documentElement.dataset['theme'];
  await openApp({ host, at: '/settings' });
  await expect.poll(theme).toBe('dark');
  await expect.element(page.getByRole('radio', { name: /^Dark/ })).toBeChecked();
});

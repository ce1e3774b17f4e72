/** Leaving the form of a near miss without saving. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow(
  'Cancel pressed twice goes back once: to the near miss, not to where one was before it',
  async () => {
    await openApp({ host: siteHost([reported('Hoist hook bent')]) });
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    const head = page.getByRole('heading', { level: 1, name: 'Hoist hook bent' });
    await expect.element(head).toBeVisible();
    const record = location.hash;
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabelText('What happened?').fill('Not to be kept');
    await page.getByRole('button', { name: 'Cancel', exact: true }).dblClick();
    await expect.element(head).toBeVisible();
    // A second step back would follow the first.
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await expect.element(page.getByLabelText('What happened?')).toHaveValue('Hoist hook bent');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect.poll(() => location.hash).toBe(record);
  },
);

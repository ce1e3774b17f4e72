/** The recycle bin: where a near miss goes when it is deleted, and comes back from. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { fileReport, pressMore, reported, rows, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const TEXT = 'Acetylene bottle beside the heater';

slow('recycle bin: sent there, undone, sent there again, restored', async () => {
  const host = siteHost([reported('Hoist hook bent')]);
  await openApp({ host });
  await fileReport(TEXT);
  await expect.element(page.getByText(/report accepted by the server/)).toBeVisible();
  const record = () => [...host.near_misses.values()].at(-1);
  const row = page
    .getByRole('list', { name: 'Near misses' })
    .getByRole('link', { name: /^Acetylene bottle/ });
  await pressMore('Delete', 'More actions');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(row).toBeVisible();
  await row.click();
  await pressMore('Delete', 'More actions');
  await expect.element(page.getByText('Moved to the recycle bin.')).toBeVisible();
  await expect.poll(() => record()?.deleted_at).toBeTruthy();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await pressMore('Recycle bin');
  const restore = page.getByRole('button', { name: `Restore: ${TEXT}` });
  await restore.click();
  await expect.element(restore).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'All near misses' }).click();
  await expect.element(row).toBeVisible();
  await expect.poll(() => record()?.deleted_at).toBeNull();
  await expect.poll(rows).toHaveLength(2);
});

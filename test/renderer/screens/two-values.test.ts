/**
 * Someone else changes a record while this laptop edits it offline. Nobody's words are lost, both values of a field are shown,
 * and the user chooses for each field (outbox promise 5, failures A26).
 */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { asServer, reported, rows, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const [mine, theirs] = siteCatalog.harm_sources;

slow(
  'outbox promise 5: edited here offline and meanwhile there: both values shown, the server keeps what is chosen',
  async () => {
    if (!mine || !theirs) throw new Error('the catalog has two harm sources');
    const host = asServer(siteHost([reported('Hoist hook bent')]));
    const [id = 0] = host.near_misses.keys();
    await openApp({ host });
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    host.up = false;
    await page.getByLabelText('What happened?').fill('Hoist hook bent, as seen here');
    await page.getByRole('combobox', { name: /^Harm source/ }).click();
    await page.getByRole('option', { name: mine.name }).click();
    await button('Save').click();
    await expect.element(page.getByText('Changes saved on this laptop.')).toBeVisible();
    host.theirs(id, { description: '<p>Hoist hook bent, as seen there</p>', harm_source: theirs });

    host.up = true;
    await openApp({ host, at: '/waiting' });
    await button('Compare').click();
    const dialog = page.getByRole('dialog', { name: 'Changed by two people' });
    const choice = (field: string) => dialog.getByRole('group', { name: field });
    for (const [field, here, there] of [
      ['What happened?', 'Hoist hook bent, as seen here', 'Hoist hook bent, as seen there'],
      ['Harm source', mine.name, theirs.name],
    ] as const) {
      await expect.element(choice(field).getByText(here)).toBeVisible();
      await expect.element(choice(field).getByText(there)).toBeVisible();
    }
    // Looking decides nothing: after Cancel both versions are still there.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(host.near_misses.get(id)).toMatchObject({ description: /as seen there/ });
    // The report itself also shows the conflict and offers Compare.
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    await expect.element(page.getByText('Someone else changed this report too.')).toBeVisible();
    expect(page.getByText('rejected').elements()).toEqual([]);
    await button('Compare').click();
    // No option is preselected, so a hasty press overwrites nothing.
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await choice('Harm source').getByText(theirs.name).click();
    await expect.element(choice('Harm source').getByText(mine.name)).toBeVisible();
    await expect.element(dialog.getByText('Choose 1 more.')).toBeVisible();
    await choice('What happened?').getByText('Hoist hook bent, as seen here').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog).not.toBeInTheDocument();

    await expect.poll(() => host.journal.size).toBe(0);
    expect(host.near_misses.get(id)).toMatchObject({
      description: /as seen here/,
      harm_source: { id: theirs.id },
    });
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    await expect.poll(() => rows()[0]?.textContent).toContain('Hoist hook bent, as seen here');
    await expect.poll(() => rows()[0]?.textContent).toContain(theirs.name);
  },
);

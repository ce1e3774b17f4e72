/** Filters of the list: they offer what is in use, are removed one by one, and survive screens, restarts and a lost network. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { manyReports, rows, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const COUNT = 40;
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
const total = () => rows()[0]?.ariaSetSize;

slow(
  'filters offer what is in use, are taken away one by one, survive screens, restarts and the loss of the network',
  async () => {
    const host = siteHost(manyReports(COUNT));
    const harm = siteCatalog.harm_sources[1]?.name ?? '';
    await openApp({ host });
    await expect.element(button(`All ${COUNT}`)).toBeVisible();
    await button('Filters').click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    const half = String(COUNT / 2);
    await dialog.getByRole('checkbox', { name: `${harm}, ${half}` }).click();
    const show = dialog.getByRole('button', { name: `Show ${half} near misses` });
    await expect.element(show).toBeVisible();
    await look('list-filters');
    await show.click();
    await expect.poll(total).toBe(half);
    host.up = false;
    await openApp({ host });
    const chosen = page.getByRole('group', { name: 'Filters in use' });
    await expect
      .element(chosen.getByRole('button', { name: new RegExp(`Harm source: ${harm}`) }))
      .toBeVisible();
    await expect.poll(total).toBe(half);

    await button('Filters, 1 in use').click();
    const job = dialog.getByRole('group', { name: 'Job or area' });
    await job.getByRole('radio').nth(1).click();
    await dialog.getByText('Today', { exact: true }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Filters, 3 in use')).toBeVisible();
    await go('Settings');
    await go('Near misses');
    await chosen.getByRole('button', { name: 'Remove filter Reported: Today' }).click();
    await expect.element(button('Filters, 2 in use')).toBeVisible();
    await look('list-chosen');
    await chosen.getByRole('button', { name: 'Clear all' }).click();
    await expect.element(chosen).not.toBeInTheDocument();
    await expect.element(button(`All ${COUNT}`)).toBeVisible();
  },
);

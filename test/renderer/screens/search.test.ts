/** Search and severity chips of the list, answered on this laptop. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { customFields, reported, rows, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const deadly = customFields({ 'Potential severity': 'Could have killed' });

slow(
  'search narrows as typed and offline too, chips narrow further, one press shows all again',
  async () => {
    const host = siteHost([
      reported('Gas bottle beside the heater', 4),
      reported('Bottle of gas without its cap', 5, { custom_fields: deadly }),
      reported('Hoist hook bent', 6, { custom_fields: deadly }),
      reported('Ladder not tied', 7),
    ]);
    await openApp({ host });
    const all = page.getByRole('button', { name: 'All 4', exact: true });
    await expect.element(all).toBeVisible();
    host.up = false;
    const search = page.getByRole('searchbox', { name: 'Search near misses' });
    await search.fill('GAS bottle');
    await expect
      .poll(() => rows().map((row) => row.textContent.includes('as bottle')))
      .toEqual([true]);
    await expect.element(all).not.toBeInTheDocument();
    await search.fill('bottle gas');
    await expect.element(page.getByText(/Showing reports with all of these words\./)).toBeVisible();
    await expect.poll(() => rows().length).toBe(2);
    await search.fill('no such thing anywhere');
    await expect.element(page.getByText('No matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.element(all).toBeVisible();
    await page.getByRole('button', { name: /^Could have killed/ }).click();
    const deadlyRows = () => rows().map((row) => row.textContent.includes('Could have killed'));
    await expect.poll(deadlyRows).toEqual([true, true]);
    await page.getByRole('button', { name: 'Sort: Newest' }).click();
    await page.getByRole('menuitem', { name: 'Harm source' }).click();
    await page.getByRole('button', { name: 'Sort: Harm source' }).click();
    await page.getByRole('menuitem', { name: 'Z to A' }).click();
    await page.getByRole('button', { name: 'Sort: Harm source' }).click();
    await expect.element(page.getByRole('menuitem', { name: /Z to A.*✓/ })).toBeVisible();
  },
);

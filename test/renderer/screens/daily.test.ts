/** Everyday tasks, counted in mouse presses and in keys that type no text. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { countKeys, countPresses } from '../../support/renderer-presses.ts';
import { reported, rows, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow(
  'a typo is fixed in three presses; last week’s scaffold reports are found in two and a word',
  async () => {
    // On any weekday: of seven consecutive days at least one is in the last week.
    const days = [0, 1, 2, 3, 4, 5, 6].map((ago) =>
      reported(`Scaffold tie missing ${ago}`, 7 + ago),
    );
    const host = siteHost([
      ...days,
      reported('Scaffold board fell', 40),
      reported('Hook swung', 6, { custom_fields: {} }),
      reported('Gate left opne', 2.5),
    ]);
    await openApp({ host });
    await expect.poll(() => rows()[0]?.textContent).toContain('Gate left opne');
    const presses = countPresses();
    const keys = countKeys();

    await page
      .elementLocator(rows()[0] as Element)
      .getByRole('link')
      .click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabelText('What happened?').fill('Gate left open');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(presses()).toBe(3);
    await expect
      .element(page.getByRole('heading', { level: 1, name: 'Gate left open' }))
      .toBeVisible();
    await expect.poll(() => [...host.near_misses.values()].at(-1)?.description).toContain('open');
    await expect.poll(() => host.journal.size).toBe(0);

    keys();
    const lastWeek = async (): Promise<void> => {
      const find = page.getByRole('combobox', { name: 'Near miss, screen or action' });
      await expect.element(find).toHaveFocus();
      await userEvent.keyboard('scaffold');
      await expect
        .element(page.getByRole('option', { name: /scaffold tie/i }).first())
        .toBeVisible();
      await page.getByRole('option', { name: 'Show last week’s “scaffold” in the list' }).click();
    };
    await page.getByRole('button', { name: /^Find anything/ }).click();
    await lastWeek();
    expect({ presses: presses(), keys: keys() }).toEqual({ presses: 2, keys: 0 });
    await expect
      .element(page.getByRole('button', { name: 'Remove filter Reported: Last week' }))
      .toBeVisible();
    const found = () => rows().map((one) => one.textContent.includes('Scaffold tie missing'));
    await expect.poll(() => [found().length > 0, found().includes(false)]).toEqual([true, false]);
    expect(found().length).toBeLessThan(8);
    const shown = found().length;

    // The key that opens the finder counts as a press; the list's earlier filters are cleared.
    await page.getByRole('button', { name: /^Could have killed/ }).click();
    await expect.poll(() => rows().length).toBe(0);
    await page.getByRole('link', { name: 'Photos', exact: true }).click();
    presses();
    await userEvent.keyboard('/');
    await lastWeek();
    expect({ presses: presses(), keys: keys() }).toEqual({ presses: 1, keys: 1 });
    await expect.poll(() => rows().length).toBe(shown);
  },
);

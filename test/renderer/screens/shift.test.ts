/** The start of a shift: what is new since yesterday, the worst of it and what is due, each one press from its list. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { customFields, inDays, reported, rows, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const due = customFields({ 'Follow-up': 'Tie the ladder', 'Follow-up date': inDays(-1) });

slow(
  'a shift begins with what is new, the worst and what is due; hidden on a narrow window until tomorrow',
  async () => {
    const worst = customFields({ 'Potential severity': 'Could have killed' });
    const host = siteHost([
      reported('Ladder without a tie', 9, { custom_fields: due }),
      reported('Gate left open', 5),
      reported('Rope frayed', 0.01),
      reported('Hook swung over the walkway', 0.02, { custom_fields: worst }),
    ]);
    await openApp({ host });
    const card = page.getByRole('region', { name: 'Since yesterday' });
    const hook = card.getByRole('link', { name: /Hook swung over/ });
    await expect.element(hook).toBeVisible();
    const figure = (name: RegExp) => card.getByRole('button', { name });
    await expect.element(figure(/^2 new near misses/)).toBeVisible();
    await expect.element(figure(/^1.*could have killed/i)).toBeVisible();
    await look('shift');

    const shown = (): (string | null)[] => rows().map((one) => one.ariaSetSize);
    await figure(/^2 new near misses/).click();
    await expect.poll(shown).toEqual(['2', '2']);
    await expect
      .poll(() => rows().some((one) => one.textContent.includes('Hook swung over the walkway')))
      .toBe(true);
    await figure(/^1 follow-up due/).click();
    await expect.element(page.getByRole('button', { name: /Follow-up: Due/ })).toBeVisible();
    await expect.poll(shown).toEqual(['1']);
    await hook.click();
    await expect
      .element(page.getByRole('heading', { name: 'Hook swung over the walkway', level: 1 }))
      .toBeVisible();

    // One line above the list if there is no room beside it.
    await page.viewport(800, 640);
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    const hide = page.getByRole('button', { name: 'Hide until tomorrow' });
    await expect.element(hide).toBeVisible();
    await expect.element(figure(/^2 new near misses/)).toBeVisible();
    await look('shift-narrow');
    await hide.click();
    await expect.element(card).not.toBeInTheDocument();
    await openApp({ host, size: [800, 640] });
    await expect.poll(() => rows().length).toBeGreaterThan(0);
    await expect.element(card).not.toBeInTheDocument();
  },
);

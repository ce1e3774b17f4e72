/**
 * Boxes for a date and a time: typed in any common format, chosen by keys, marked when unreadable, in the window's language.
 */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words as english } from '../../../src/renderer/words/en.ts';
import { words as spanish } from '../../../src/renderer/words/es.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow(
  'when it happened: typed, chosen from a month by keys, refused where it is none, and the same after a change of language',
  async () => {
    const host = asServer(siteHost());
    await openApp({ host });
    await page.getByRole('link', { name: 'New near miss' }).first().click();
    const when = page.getByRole('textbox', { name: /^When/ });
    await page.getByLabelText('What happened?').fill('Rope frayed at the hoist');

    await when.fill('20/11/26 2:32 pm');
    (when.element() as HTMLElement).blur();
    await expect.element(when).toHaveValue('20 Nov 2026, 14:32');
    // Moves one day on by keys; the time stays, and the focus returns.
    (when.element() as HTMLElement).focus();
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
    const month = page.getByRole('application', { name: /November 2026/ });
    await expect.element(month).toBeVisible();
    await expect
      .element(page.getByRole('button', { name: 'Friday, 20 November 2026' }))
      .toHaveFocus();
    await look('date-box');
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await expect.element(month).not.toBeInTheDocument();
    await expect.element(when).toHaveValue('21 Nov 2026, 14:32');

    // Unreadable input is neither saved nor discarded.
    await when.fill('after lunch');
    await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
    const told = page.getByText(english.dates.unreadable_time);
    await expect.element(told).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(when).toHaveFocus();
    await expect.element(when).toHaveAttribute('aria-invalid', 'true');
    await expect.poll(() => told.elements()).toHaveLength(1);
    await expect.element(when).toHaveValue('after lunch');
    await when.fill('21 nov 7:15');

    // The draft continues in Spanish, in the box and in the month view.
    await page.getByRole('link', { name: english.app.settings, exact: true }).click();
    await openApp({ host, settings: { language: 'es' } });
    await page.getByRole('link', { name: spanish.app.new_near_miss }).first().click();
    await page
      .getByRole('button', { name: spanish.capture.drafts.go_on_with('Rope frayed at the hoist') })
      .click();
    const cuando = page.getByRole('textbox', { name: new RegExp(`^${spanish.capture.when}`) });
    const year = new Date().getFullYear();
    await expect.element(cuando).toHaveValue(`21 nov ${year}, 07:15`);
    await page.getByRole('button', { name: spanish.dates.open(spanish.capture.when) }).click();
    await expect.element(page.getByRole('application', { name: /noviembre/i })).toBeVisible();
    await page.getByRole('button', { name: spanish.dates.today, exact: true }).click();
    await expect.element(cuando).toHaveValue(expect.stringMatching(/, 07:15$/));
  },
);

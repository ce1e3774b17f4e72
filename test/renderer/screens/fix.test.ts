/**
 * "Fix": a refusal is named above the form, at its field and in the detail; the focus moves there, and a correction is sent.
 */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { to } from '../../support/renderer-host.ts';
import { look } from '../../support/renderer-looks.ts';
import { fileReport, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const REFUSAL = {
  'near_miss.managed_equipment_id': ['is no longer on this project'],
  'near_miss.work_activity_id': ['is no longer active'],
};

slow(
  'failures A10: Fix names the reason and the field, in the form and in the detail; what is corrected is sent',
  async () => {
    const host = siteHost();
    host.faults.push({
      at: 'before',
      on: to('near_misses.create'),
      problem: { kind: 'refused', status: 422, messages: [], fields: REFUSAL },
    });
    await openApp({ host });
    await fileReport('Live cable found in trench 7');
    // In the detail, where the person is.
    const reason = page
      .getByRole('status')
      .filter({ hasText: 'work activity “is no longer active”' });
    await expect.element(reason).toBeVisible();
    await reason.getByRole('link', { name: 'Fix' }).click();

    // Above the form and at both fields, including the folded one; the first has the focus.
    const over = page.getByRole('alert').filter({ hasText: 'rejected this report' });
    for (const said of [
      'Work activity: The server says: “is no longer active”.',
      'Equipment: The server says: “is no longer on this project”.',
    ])
      await expect.element(over.getByText(said)).toBeVisible();
    const activity = page.getByRole('combobox', { name: /^Work activity/ });
    await expect.element(activity).toHaveFocus();
    await expect.element(activity).toHaveAccessibleDescription(/is no longer active/u);
    await expect
      .element(page.getByRole('combobox', { name: /^Equipment/ }))
      .toHaveAccessibleDescription(/is no longer on this project/u);
    await look('fix');

    // A changed field is no longer flagged; the other still is.
    await activity.click();
    await page.getByRole('option', { name: 'Crane lift' }).click();
    await expect.element(activity).not.toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => [...host.near_misses.values()])
      .toMatchObject([{ description: /Live cable found/, work_activity: { name: 'Crane lift' } }]);
    await expect.poll(() => host.journal.size).toBe(0);
  },
);

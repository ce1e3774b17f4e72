/** Choosing a trade in the form fills in what its reports usually say. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { countPresses } from '../../support/renderer-presses.ts';
import { siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow(
  'a trade fills in harm source, work activity and likely action in two presses, and takes them out again',
  async () => {
    await openApp({ host: siteHost() });
    await page.getByRole('link', { name: 'New near miss' }).first().click();
    const what = page.getByLabelText('What happened?');
    await what.fill('Ledger slipped off its cup');
    const presses = countPresses();
    const choose = async (trade: string) => {
      await page.getByRole('button', { name: 'Start from…' }).click();
      await page.getByRole('menuitem', { name: new RegExp(`^${trade}`) }).click();
    };
    const harm = page.getByRole('combobox', { name: /^Harm source/ });
    const activity = page.getByRole('combobox', { name: /^Work activity/ });
    const action = page.getByLabelText(/^Immediate action/);

    await choose('Scaffold');
    expect(presses()).toBe(2);
    await expect.element(harm).toHaveValue('Working at height');
    await expect.element(activity).toHaveValue('Scaffold erection');
    await expect.element(action).toHaveValue(expect.stringMatching(/tagged out of use/));
    await expect
      .element(page.getByText('Filled in for scaffold. Check the immediate action.'))
      .toBeVisible();
    // Typing continues where it was.
    await expect.element(what).toHaveFocus();
    await page.getByRole('button', { name: 'Start from…' }).click();
    await look('trades');
    await userEvent.keyboard('{Escape}');

    // Another trade replaces it; handwritten text stays when the trade is removed.
    await choose('Lifting');
    await expect.element(activity).toHaveValue('Crane lift');
    await expect.element(action).toHaveValue('Lift stopped, area under the load cleared.');
    await action.fill('Lift stopped, slings cut up.');
    await choose('Lifting');
    await expect.element(harm).toHaveValue('');
    await expect.element(activity).toHaveValue('');
    await expect.element(action).toHaveValue('Lift stopped, slings cut up.');

    await choose('Scaffold');
    await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const detail = page.getByRole('region', { name: 'Near miss', exact: true });
    await expect.element(detail.getByText('Scaffold erection')).toBeVisible();
    await expect.element(detail.getByText(/Lift stopped, slings cut up\.$/)).toBeVisible();
  },
);

slow('the next form has the menu too, and says what was saved in its own line', async () => {
  await openApp({ host: siteHost() });
  await page.getByRole('link', { name: 'New near miss' }).first().click();
  const start = page.getByRole('button', { name: 'Start from…' });
  await expect.element(start).toBeVisible();
  await page.getByLabelText('What happened?').fill('Ledger slipped off its cup');
  await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
  await page.getByRole('button', { name: 'Save and add another' }).click();
  await expect.element(page.getByLabelText('What happened?')).toHaveValue('');
  await expect.element(page.getByText('Saved on this laptop.')).toBeVisible();
  await expect.poll(() => document.querySelectorAll('.toasts.line .toast').length).toBe(1);
  await expect.poll(() => document.querySelectorAll('.toast').length).toBe(1);
  await expect.element(start).toBeVisible();
});

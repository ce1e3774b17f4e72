/**
 * A window too narrow for list and record side by side: each replaces the other, and the focus follows. The focused element
 * vanishes with a deleted record; the focus must not fall to the page, because the next key would start at the top.
 */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import { fileReport, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

/** Whether the focus is on a row of the list or on the list's heading. */
const inList = (): string => {
  const at = document.activeElement;
  if (at === null || at === document.body) return 'body';
  if (!(at instanceof HTMLElement) || !at.checkVisibility()) return 'something hidden';
  return at.closest('.scroller') ? 'row' : at.tagName.toLowerCase();
};
const lands = () => expect.poll(inList).toMatch(/^(row|h1)$/);
const first = () => document.querySelector<HTMLElement>('.scroller [data-stop]');
/** From there the keyboard reaches the rows and opens one. */
const openNext = async (): Promise<void> => {
  await expect.poll(() => first()?.checkVisibility()).toBe(true);
  for (let steps = 0; steps < 40 && inList() !== 'row'; steps += 1)
    await userEvent.keyboard('{Tab}');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => location.hash).toMatch(/#\/near-misses\/./);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
};
const press = async (name: string): Promise<void> => {
  const button = page.getByRole('button', { name, exact: true });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
};
const remove = async (): Promise<void> => {
  await press('More actions');
  const item = page.getByRole('menuitem', { name: 'Delete', exact: true });
  await expect.element(item).toBeVisible();
  (item.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
};

slow(
  'on a narrow window the focus is in the list when the open near miss was deleted, sent or not',
  async () => {
    const host = siteHost(
      ['Board fell', 'Hook bent', 'Rope frayed', 'Gate open'].map((text, at) =>
        reported(text, 3 + at),
      ),
    );
    await openApp({ host, size: [800, 700] });
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    (await found(first)).focus();
    await userEvent.keyboard('{ArrowDown}');
    await openNext();
    for (const left of [3, 2]) {
      await remove();
      await expect.poll(() => location.hash).toBe('#/near-misses');
      await lands();
      // The service's answer redraws the rows.
      const there = () => [...host.near_misses.values()].filter((one) => !one.deleted_at).length;
      await expect.poll(there).toBe(left);
      await expect.poll(() => host.journal.size).toBe(0);
      await lands();
      await openNext();
    }
    host.up = false;
    await fileReport('Never sent: a plank across the stair');
    await remove();
    await press('Delete for good');
    await expect.poll(() => location.hash).toBe('#/near-misses');
    await lands();
    await openNext();
  },
);

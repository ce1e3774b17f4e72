/**
 * A contrast theme of the system (Windows' high contrast): selected items must be recognisable without the window's own
 * background colours.
 */
import { expect, onTestFinished } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { asServer, manyReports, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

/** The part of the browser's interface used here. */
interface Browser {
  send(
    method: 'Emulation.setEmulatedMedia',
    how: { features: { name: string; value: string }[] },
  ): Promise<unknown>;
}
const emulate = async (contrast: '' | 'active', scheme: '' | 'dark'): Promise<void> => {
  await (cdp() as unknown as Browser).send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'forced-colors', value: contrast },
      { name: 'prefers-color-scheme', value: scheme },
    ],
  });
  await expect
    .poll(() => matchMedia('(forced-colors: active)').matches)
    .toBe(contrast === 'active');
};
const groundOf = (one: string) => {
  const element = document.querySelector(one);
  if (element === null) throw new Error(`no ${one}`);
  return getComputedStyle(element).backgroundColor;
};

slow(
  'in a contrast theme what is chosen stands out: place, chip, row, answer, menu, bar; buttons have an edge',
  async () => {
    await openApp({ host: asServer(siteHost(manyReports(12))) });
    await expect.element(page.getByRole('button', { name: 'All 12', exact: true })).toBeVisible();
    await emulate('active', 'dark');
    onTestFinished(() => emulate('', ''));
    const apart = (chosen: string, other: string, where: string) =>
      expect.poll(() => groundOf(chosen) !== groundOf(other), { message: where }).toBe(true);
    await apart('.filters [aria-pressed=true]', '.filters [aria-pressed=false]', 'a chip');
    await apart('nav [aria-current]', 'nav a:not([aria-current])', 'the place');
    await page
      .getByRole('link', { name: /^Board fell on deck 0/ })
      .first()
      .click();
    await expect.poll(() => document.querySelectorAll('.scroller [aria-current]').length).toBe(1);
    await apart('.scroller [aria-current]', '.scroller a:not([aria-current])', 'the row');
    await page.getByRole('button', { name: /^Sort: / }).click();
    await expect.poll(() => document.activeElement?.closest('[role=menu]')).toBeTruthy();
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(() => document.querySelector('[data-highlighted]')).not.toBeNull();
    await apart(
      '[role=menuitem][data-highlighted]',
      '[role=menuitem]:not([data-highlighted])',
      'a menu',
    );
    await userEvent.keyboard('{Escape}');

    const add = page.getByRole('link', { name: 'New near miss' });
    const { borderTopColor, borderTopStyle, backgroundColor } = getComputedStyle(add.element());
    const edge = `${borderTopStyle} ${borderTopColor}`;
    expect.soft(edge).toMatch(/^solid rgb\(/);
    expect.soft(edge).not.toContain(backgroundColor);
    await add.click();
    const answers = page.getByRole('group', { name: /^How bad could it have been/ });
    await answers.getByText('Lost time', { exact: true }).click();
    await apart('fieldset label.on', 'fieldset label:not(.on)', 'an answer');

    await page.getByRole('link', { name: 'Insights' }).click();
    await expect.poll(() => document.querySelector('.fill')).not.toBeNull();
    await apart('.fill', '.track', 'a bar');
  },
);

/**
 * The finder by keyboard alone: `/` or Ctrl+K finds a screen, an action or a near miss, and Enter opens it. Escape returns the
 * focus; in a text box the keys type. `?` lists the keys. A list behind the finder stays as it was.
 */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const box = page.getByRole('combobox', { name: 'Near miss, screen or action' });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
/** Expects the row that Enter would open, which is also the one announced to screen readers. */
const chosen = async (name: string): Promise<void> => {
  const rows = () => [...document.querySelectorAll('[role="option"][aria-selected="true"]')];
  await expect
    .poll(() => rows().map((one) => one.textContent))
    .toEqual([expect.stringContaining(name)]);
  await expect.element(box).toHaveAttribute('aria-activedescendant', rows()[0]?.id ?? '');
};
const focus = (element: Element): void => (element as HTMLElement).focus();
const open = async (key: string): Promise<void> => {
  await userEvent.keyboard(key);
  await expect.element(box).toHaveFocus();
  await expect.element(box).toHaveValue('');
};

slow(
  'the finder: by keys alone to a screen, an action, a setting, a near miss; text boxes keep their keys',
  async () => {
    await openApp({ host: siteHost([reported('Grinder guard missing (findme)')]) });
    await link('Waiting').click();
    await expect.element(heading('Waiting')).toBeVisible();
    const rail = link('Photos');
    focus(rail.element());
    await open('/');
    await chosen('New near miss');
    await look('finder-empty');
    await userEvent.keyboard('{Escape}');
    await expect.element(box).not.toBeInTheDocument();
    await expect.element(rail).toHaveFocus();

    await open('{Control>}k{/Control}');
    await userEvent.keyboard('insig');
    await chosen('Insights');
    await userEvent.keyboard('{Enter}');
    await expect.element(heading('Insights')).toBeVisible();

    await open('/');
    await userEvent.keyboard('findme');
    await chosen('Grinder guard missing');
    await look('finder-near-miss');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => location.hash).toMatch(/#\/near-misses\/./);
    await expect.element(heading(/Grinder guard missing/)).toBeVisible();

    // Arrow keys wrap around the list.
    await open('/');
    await userEvent.keyboard('storage');
    await chosen('Storage on this laptop');
    await userEvent.keyboard('{ArrowUp}{ArrowDown}');
    await chosen('Storage on this laptop');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => location.hash).toMatch(/#\/settings\/storage$/);

    await open('/');
    await userEvent.keyboard('qqqq no such thing');
    await expect.element(page.getByRole('status').filter({ hasText: 'No matches' })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.element(box).toHaveFocus();
    await box.fill('new near');
    await chosen('New near miss');
    await userEvent.keyboard('{Enter}');
    const what = page.getByLabelText('What happened?');
    await expect.element(what).toHaveFocus();
    await userEvent.keyboard('and/or? k');
    await expect.element(what).toHaveValue('and/or? k');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await open('{Control>}k{/Control}');
    await userEvent.keyboard('{Escape}');
    await expect.element(what).toHaveFocus();
  },
);

slow('the list behind the finder can be scrolled and chosen from after many searches', async () => {
  const things = ['Ladder slipped', 'Plank across the stair', 'Hook swung'];
  const host = siteHost(
    Array.from({ length: 250 }, (_, at) => reported(`${things[at % 3] ?? ''} at bay ${at}`, at)),
  );
  await openApp({ host });
  await expect.element(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  // A query of the list itself: from here on it shows an answer of the index.
  await page.getByRole('searchbox').first().fill('a');
  await expect
    .element(page.getByRole('status').filter({ hasText: /\d/ }).first())
    .toBeInTheDocument();
  const first = () => document.querySelector('.scroller [data-stop]');
  await expect.poll(first).not.toBeNull();
  focus(first() as Element);
  await userEvent.keyboard('/');
  for (const text of ['l', 'la', 'lad', 'ladd', 'ladde', 'ladder', 'plank', 'hook']) {
    await box.fill(text);
    await expect.element(page.getByText('Searching near misses…')).not.toBeInTheDocument();
  }
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(first());
  await userEvent.keyboard('{End}');
  const at = () => document.querySelector('.scroller li:has([data-stop]:focus)')?.ariaPosInSet;
  await expect.poll(at).toMatch(/^\d{2,}$/);
});

slow('help: `?` lists the keys and what they do is true; it is in the rail too', async () => {
  await openApp({ host: siteHost([reported('Hoist hook bent')]) });
  const rail = link('Near misses');
  await expect.element(rail).toBeVisible();
  focus(rail.element());
  await userEvent.keyboard('?');
  const main = page.getByRole('main');
  await expect
    .element(main.getByText('Find anything: near misses, screens, actions'))
    .toBeVisible();
  await look('help-keys');
  // Ten keys first, then all by screen.
  await expect.element(main.getByText('Four weeks later or earlier')).not.toBeInTheDocument();
  await main.getByRole('button', { name: 'All keys' }).click();
  await expect.element(main.getByText('Four weeks later or earlier')).toBeVisible();
  await expect.element(main.getByText('In the desktop app')).not.toBeInTheDocument();
  await look('help-all-keys');

  await userEvent.keyboard('{Alt>}n{/Alt}');
  await expect.poll(() => location.hash).toMatch(/#\/new/);
  await link('Help').click();
  await main.getByRole('link', { name: 'Show the introduction' }).click();
  await expect.poll(() => location.hash).toMatch(/#\/tour$/);
  await page.getByRole('button', { name: /^Find anything/ }).click();
  await expect.element(box).toHaveFocus();
});

slow('help names the keys of the desktop program in that program', async () => {
  const host = siteHost();
  const info = { version: '0.1.0', shell: 'electron', platform: 'linux', node: '24' };
  host.answers.set('app.info', () => info);
  await openApp({ host });
  await link('Help').click();
  await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'All keys' }).click();
  await expect.element(page.getByText('In the desktop app')).toBeVisible();
});

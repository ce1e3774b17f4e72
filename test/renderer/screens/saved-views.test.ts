/** Views of the list under a name: saved, shown from the rail, replaced, removed and brought back. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { pressMore, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.list.views;
const naming = words.saved_view;
const rail = () => page.getByRole('navigation', { name: words.app.rail });
const pinned = (name: string) => rail().getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: t.save });
const name = () => dialog().getByLabelText(new RegExp(`^${naming.name}`));
const search = () => page.getByRole('searchbox').first();
const titles = () =>
  [...document.querySelectorAll('.scroller li b')].map(({ textContent }) => textContent.trim());
const save = async (typed: string): Promise<void> => {
  await pressMore(t.save, words.list.more);
  await name().fill(typed);
  await userEvent.keyboard('{Enter}');
};

slow(
  'what the list shows is saved under a name, shown again from the rail, and removed with a way back',
  async () => {
    const host = siteHost([reported('Hoist hook bent', 3), reported('Gate left open', 4)]);
    await openApp({ host });
    await expect.poll(titles).toEqual(['Hoist hook bent', 'Gate left open']);
    await search().fill('hook');
    await expect.poll(titles).toEqual(['Hoist hook bent']);
    await pressMore(t.save, words.list.more);
    await expect.element(dialog()).toBeVisible();
    await look('saved views, the name');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog().getByText(naming.no_name)).toBeVisible();
    await name().fill('  Lifting ');
    await userEvent.keyboard('{Enter}');
    await expect.element(pinned('Lifting')).toHaveAttribute('aria-current', 'true');
    await search().fill('');
    await expect.poll(titles).toHaveLength(2);
    await expect.element(pinned('Lifting')).not.toHaveAttribute('aria-current');
    // From another screen, and after the next start.
    await openApp({ host, at: '/settings' });
    await pinned('Lifting').click();
    await expect.poll(titles).toEqual(['Hoist hook bent']);
    await look('saved views, the rail');
    await pressMore(t.remove('Lifting'), words.list.more);
    await expect.element(pinned('Lifting')).not.toBeInTheDocument();
    await page.getByRole('button', { name: words.app.undo }).click();
    await expect.element(pinned('Lifting')).toBeVisible();
  },
);

slow(
  'a view of the same name is pointed out and replaced; the views are those of one project',
  async () => {
    const host = siteHost([reported('Hoist hook bent', 3), reported('Gate left open', 4)]);
    await openApp({ host });
    // Not the search of the view above, which is still there.
    await search().fill('bent');
    await expect.poll(titles).toEqual(['Hoist hook bent']);
    await save('Mine');
    await expect.element(pinned('Mine')).toBeVisible();
    await search().fill('gate');
    await expect.poll(titles).toEqual(['Gate left open']);
    await pressMore(t.save, words.list.more);
    await name().fill('Mine');
    await expect.element(dialog().getByText(naming.replaces)).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await search().fill('');
    await expect.poll(titles).toHaveLength(2);
    await pinned('Mine').click();
    await expect.poll(titles).toEqual(['Gate left open']);
    await expect
      .poll(() => rail().getByRole('button', { name: 'Mine' }).elements())
      .toHaveLength(1);
    host.session = { ...host.session, project: { id: 77, name: 'Another' } };
    await openApp({ host });
    await expect.element(rail()).toBeVisible();
    await expect.element(pinned('Mine')).not.toBeInTheDocument();
  },
);

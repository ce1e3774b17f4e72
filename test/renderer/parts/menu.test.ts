/** The menu in a real browser: which of its items it shows, and that none of them moves while it is open. */
import { createRawSnippet, mount, unmount } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import Menu from '../../../src/renderer/parts/menu/Menu.svelte';
import { lastingItems, type MenuItem } from '../../../src/renderer/parts/menu/menu-item.ts';
import { found } from '../../support/found.ts';

const more = createRawSnippet(() => ({ render: () => '<span>more</span>' }));
const press = async (): Promise<void> => {
  (await found(() => document.querySelector<HTMLElement>('[aria-label="More"]'))).focus();
  await userEvent.keyboard('{Enter}');
};
const entries = () => [...document.querySelectorAll('[role="menuitem"]')];
const chosen = (): number => entries().findIndex((entry) => entry === document.activeElement);

it('two entries with one label, as two photos of one name have, are two entries', async () => {
  const pressed: number[] = [];
  const items = [1, 2].map((at) => ({ label: 'Take back IMG_1.jpg', run: () => pressed.push(at) }));
  const menu = mount(Menu, {
    target: document.body,
    props: { label: 'More', items, children: more },
  });
  onTestFinished(() => unmount(menu));
  await press();
  await expect.poll(chosen).toBe(0);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => pressed).toEqual([2]);
});

it('a key that comes before the menu is loaded opens it at its first entry; a click later begins at none', async () => {
  const menu = mount(Menu, {
    target: document.body,
    props: {
      label: 'More',
      items: ['Copy', 'Remove'].map((label) => ({ label, run: () => undefined })),
      children: more,
    },
  });
  onTestFinished(() => unmount(menu));
  const button = await found(() => document.querySelector<HTMLElement>('[aria-label="More"]'));
  button.focus();
  button.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
  );
  await expect.poll(chosen).toBe(0);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => entries().length).toBe(0);
  await userEvent.click(button);
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('menu');
});

it('what becomes possible while it is open comes with the next opening, and moves nothing that is being pressed', async () => {
  const pressed: string[] = [];
  const item = (label: string): MenuItem => ({ label, run: () => pressed.push(label) });
  const list = new SvelteMap([['items', [item('Neither'), item('Before')]]]);
  const menu = mount(Menu, {
    target: document.body,
    props: {
      label: 'More',
      get items() {
        return list.get('items') ?? [];
      },
      children: more,
    },
  });
  onTestFinished(() => unmount(menu));
  await press();
  await expect.poll(() => entries().length).toBe(2);
  const neither = await found(() => entries()[0]);
  list.set('items', [item('Mark up'), item('Neither'), { ...item('Before'), note: 'B' }]);
  await expect
    .poll(() => entries().map((entry) => entry.textContent.replaceAll(/\s+/gu, ' ').trim()))
    .toEqual(['Neither', 'Before B']);
  await userEvent.click(neither);
  await expect.poll(() => pressed).toEqual(['Neither']);
  await expect.poll(() => entries().length).toBe(0);
  await press();
  await expect.poll(() => entries().length).toBe(3);
});

it('an entry that is gone is disabled; of two with one label both are, as nobody can tell which', () => {
  const [mark, one, other, left] = ['Mark up', 'IMG_1.jpg', 'IMG_1.jpg', 'Remove'].map(
    (label): MenuItem => ({ label, run: () => undefined }),
  ) as [MenuItem, MenuItem, MenuItem, MenuItem];
  const shown = lastingItems([mark, one, other, left], [left, other]);
  expect(shown.map(({ label, disabled }) => [label, disabled ?? false])).toEqual([
    ['Mark up', true],
    ['IMG_1.jpg', true],
    ['IMG_1.jpg', true],
    ['Remove', false],
  ]);
  expect(lastingItems([one, other], [one, other])).toEqual([one, other]);
});

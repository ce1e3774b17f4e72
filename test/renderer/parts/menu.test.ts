/** The menu in a real browser: what it shows of what it is given. */
import { createRawSnippet, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import Menu from '../../../src/renderer/parts/Menu.svelte';

it('two entries with one label, as two photos of one name have, are two entries', async () => {
  const pressed: number[] = [];
  const children = createRawSnippet(() => ({ render: () => '<span>more</span>' }));
  const items = [1, 2].map((at) => ({ label: 'Take back IMG_1.jpg', run: () => pressed.push(at) }));
  const menu = mount(Menu, { target: document.body, props: { label: 'More', items, children } });
  onTestFinished(() => unmount(menu));
  const trigger = document.querySelector('[aria-label="More"]');
  if (!(trigger instanceof HTMLElement)) throw new Error('no trigger');
  trigger.focus();
  await userEvent.keyboard('{Enter}');
  const entries = () => [...document.querySelectorAll('[role="menuitem"]')];
  await expect.poll(() => entries().length).toBe(2);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => pressed).toEqual([2]);
});

/** Printing while a dialog is open: only the pages, without the dialog's backdrop. */
import { mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';
import Dialog from '../../../src/renderer/parts/Dialog.svelte';
import '../../../src/renderer/print.css';

/** The part of the browser's interface used here. */
interface Browser {
  send(method: 'Emulation.setEmulatedMedia', how: { media: string }): Promise<unknown>;
}
const media = async (name: '' | 'print'): Promise<void> => {
  await (cdp() as unknown as Browser).send('Emulation.setEmulatedMedia', { media: name });
  await expect.poll(() => matchMedia('print').matches).toBe(name === 'print');
};

it('A59: nothing of a dialog is on paper, neither its frame nor the veil under it', async () => {
  const pages = document.createElement('div');
  pages.id = 'app';
  document.body.append(pages);
  const props = { open: true, title: 'Preparing', close: 'Close' };
  const dialog = mount(Dialog, { target: pages, props });
  onTestFinished(async () => {
    await media('');
    await unmount(dialog);
    pages.remove();
  });
  const veil = () => document.querySelector('.dialog-veil');
  await expect.poll(() => veil()?.checkVisibility()).toBe(true);
  await media('print');
  expect(veil()?.checkVisibility()).toBe(false);
  expect(document.querySelector('[role="dialog"]')?.checkVisibility()).toBe(false);
  expect(pages.checkVisibility()).toBe(true);
});

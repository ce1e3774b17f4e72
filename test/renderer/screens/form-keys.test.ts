/** Keys and clipboard in the form: Enter moves on, and pasted spreadsheet cells become text. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { slow } from '../../support/slow.ts';

const t = words.capture;

const openForm = async (host = new ScriptedHost()) => {
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect.element(page.getByLabelText(t.what)).toBeVisible();
  return host;
};

it('A40: Enter in a box of one line goes to the next field and sends nothing', async () => {
  const host = await openForm();
  await page.getByLabelText(t.what).fill('Board fell');
  const harm = page.getByLabelText(/^Harm source/);
  await harm.click();
  await userEvent.keyboard('7{Enter}');
  await expect.poll(() => document.activeElement === harm.element()).toBe(false);
  expect(location.hash).toBe('#/new');
  expect(host.of('near_misses.create')).toEqual([]);
});

slow(
  'A41: cells pasted from a spreadsheet go into the field as text; a picture alone is a photo',
  async () => {
    await openForm();
    const box = page.getByLabelText(t.what).element() as HTMLTextAreaElement;
    const paste = (withText: boolean): ClipboardEvent => {
      const data = new DataTransfer();
      if (withText) data.setData('text/plain', 'Level 3\tBoard fell');
      data.items.add(new File([new Uint8Array([1])], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
      });
      box.dispatchEvent(event);
      return event;
    };
    // Not prevented: the browser inserts the text.
    expect(paste(true).defaultPrevented).toBe(false);
    expect(paste(false).defaultPrevented).toBe(true);
  },
);

/** Asking for a camera on a machine without one. */
import { expect, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

slow(
  'a machine without a camera: the words say so, the files are offered, the focus comes back',
  async () => {
    // The machine that runs this test may have a camera.
    const asked = vi
      .spyOn(navigator.mediaDevices, 'getUserMedia')
      .mockRejectedValue(new DOMException('', 'NotFoundError'));
    onTestFinished(() => asked.mockRestore());
    await openApp({ host: siteHost() });
    await page.getByRole('link', { name: 'New near miss' }).click();
    const take = page.getByRole('button', { name: 'Take a photo' });
    await take.click();
    const dialog = page.getByRole('dialog', { name: 'Take a photo' });
    await expect.element(dialog.getByText(/No camera was found on this computer\./)).toBeVisible();
    await expect
      .element(dialog.getByRole('button', { name: 'Choose files instead' }))
      .toBeVisible();
    await look('camera, none');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(take).toHaveFocus();
  },
);

/** Photos into the form by drop and by paste; what is no photo is refused with the reason, the rest stays. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { startServer, type Server } from '../support/server.ts';
import { clientOf, tempDir } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import {
  asStored,
  connectToServer,
  photoFile,
  sorted,
  storedAt,
  waitingCount,
  type PhotoFile,
} from './steps.ts';

let server: Server;
let folder: ReturnType<typeof tempDir>;
test.beforeEach(async () => {
  folder = tempDir('intake');
  server = await startServer();
});
test.afterEach(async () => {
  await server.remove();
  folder.remove();
});

/** A file in the window's own DataTransfer, as the system hands it over. */
const give = async (
  page: Page,
  event: 'drop' | 'paste',
  file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<void> => {
  const base64 = Buffer.from(file.bytes).toString('base64');
  await page.evaluate(
    ({ event, name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const made =
        event === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('textarea')?.dispatchEvent(made);
    },
    { event, name: file.name, type: file.type, base64 },
  );
};

const asFile = async (photo: PhotoFile, name: string) => ({
  name,
  type: 'image/jpeg',
  bytes: await readFile(photo.path),
});

test('photos by drop and paste are delivered byte for byte; a text file is refused and nothing else is lost', async ({
  app,
}) => {
  const dropped = await photoFile(folder.path, 1, 300_000);
  const pasted = await photoFile(folder.path, 2, 300_000);
  const page = await app.open();
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  const text = 'Delivery truck reversed without banksman (intake)';
  await page.getByLabel('What happened?').fill(text);
  await page.getByRole('combobox', { name: /^Incident/ }).click();
  await page.getByRole('option').first().click();

  await give(page, 'drop', await asFile(dropped, 'dropped.jpg'));
  await expect(page.getByRole('button', { name: 'Remove dropped.jpg' })).toBeVisible();
  await give(page, 'paste', await asFile(pasted, 'image.png'));
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  await give(page, 'drop', {
    name: 'notes.jpg',
    type: 'image/jpeg',
    bytes: Buffer.from('This is no photo, whatever its name says.'),
  });
  await expect(page.getByText(/notes\.jpg was not added/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  await expect.poll(() => waitingCount(page), { timeout: 30_000 }).toBe(0);
  const stored = await storedAt(clientOf(server.url, server.first), 'intake');
  expect(sorted(stored)).toEqual(sorted(asStored([{ text, photos: [dropped, pasted] }])));
});

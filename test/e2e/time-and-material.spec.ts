/**
 * Files of time-and-material entries through the real window and service, online and offline: attached, delivered once with the
 * same bytes, saved, deleted, one and many.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { picture } from '../support/photo-files.ts';
import type { Client } from '../support/service.ts';
import { toCompany } from './company-steps.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { drained, photoFile, sha256, tryNow } from './steps.ts';

test.use({ apart: false });

interface Entry {
  readonly id: number;
  readonly name: string;
}
const firstEntry = async (client: Client): Promise<Entry> =>
  (await client.get('~/catalog')).json.time_and_material_entries[0] as Entry;
const toEntry = async (page: Page, { name }: Entry): Promise<void> => {
  await toCompany(page, 'Time and materials');
  await page.getByRole('region', { name: 'Entries' }).getByText(name, { exact: true }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
};
const rows = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem');

interface Stored {
  readonly filename: string;
  readonly hash: string;
}
/** The project's files as the API lists them, with their bytes fetched. */
const stored = async (client: Client): Promise<Stored[]> => {
  const list = (await client.get('~/time_and_material_entry_attachments?per_page=100')).json as {
    filename: string;
    url: string | null;
  }[];
  const all = await Promise.all(
    list.map(async ({ filename, url }) => ({
      filename,
      hash: url ? sha256(new Uint8Array(await (await fetch(url)).arrayBuffer())) : '',
    })),
  );
  return all.sort((a, b) => a.filename.localeCompare(b.filename));
};
const note = async (
  folder: string,
  name: string,
  text: string,
): Promise<{ path: string; bytes: Buffer }> => {
  const bytes = Buffer.from(`%PDF-1.7\n${text.repeat(3000)}\n%%EOF`);
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, bytes };
};

test('two files attached offline, the window reloaded, online: there once with equal sha256; saved, deleted, bulk deleted', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const entry = await firstEntry(client);
  const photo = await photoFile(folder, 1, 400_000);
  const pdf = await note(folder, 'Delivery note.pdf', 'twelve bags of cement ');
  await toEntry(page, entry);
  world.offline();
  await page.locator('input[type=file]').setInputFiles([photo.path, pdf.path]);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'Waiting' })).toHaveCount(2);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  expect(await stored(client)).toEqual([]);

  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  const item = page.getByRole('region', { name: 'Waiting' }).getByRole('listitem').first();
  await expect(item).toContainText(`Files for ${entry.name}`);
  await expect(item).toContainText('2 files');
  await item.getByRole('button', { name: /^Steps of/ }).click();
  await expect(item.getByText('File · Delivery note.pdf')).toBeVisible();

  world.online();
  await tryNow(page);
  await drained(page);
  const there = await stored(client);
  expect(there.map(({ filename }) => filename)).toEqual(['Delivery note.pdf', 'IMG_1001.jpg']);
  expect(there[0]?.hash).toBe(sha256(pdf.bytes));
  // The setting removes personal data from the photo on import, so the receipt is checked against the sent bytes.
  await toEntry(page, entry);
  await expect(rows(page).filter({ hasText: 'Delivered' })).toHaveCount(2);
  await expect(rows(page).filter({ hasText: /checked, /u })).toHaveCount(2);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Delivery note.pdf' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('Delivery note.pdf');
  expect(sha256(await readFile(await saved.path()))).toBe(sha256(pdf.bytes));
  await page.getByRole('button', { name: 'Open IMG_1001.jpg' }).click();
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
  await page.keyboard.press('Escape');

  world.offline();
  await page.getByRole('button', { name: 'Delete Delivery note.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  expect(await stored(client)).toHaveLength(2);
  world.online();
  await page.reload();
  await expect.poll(async () => (await stored(client)).length, { timeout: 120_000 }).toBe(1);

  const more = [
    await note(folder, 'a.pdf', 'a'),
    await note(folder, 'b.pdf', 'b'),
    await note(folder, 'c.txt', 'c'),
  ];
  await page.locator('input[type=file]').setInputFiles(more.map((one) => one.path));
  await expect(rows(page).filter({ hasText: 'Delivered' })).toHaveCount(4, { timeout: 120_000 });
  await page.getByLabel('Select a.pdf').check();
  await page.getByLabel('Select b.pdf').check();
  await page.getByLabel('Select IMG_1001.jpg').check();
  await page.getByRole('button', { name: 'Delete 3 files' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await drained(page);
  expect((await stored(client)).map(({ filename }) => filename)).toEqual(['c.txt']);
  expect(chaos.seen.filter(({ path }) => path.endsWith('/bulk_destroy'))).toHaveLength(1);
});

test('documents and folders of the project; an entry by its number is remembered; somebody else’s file is shown', async ({
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const entry = await firstEntry(client);
  const catalog = (await client.get('~/catalog')).json as {
    documents: { id: number; name: string }[];
  };
  const document = catalog.documents[0] ?? { id: 0, name: '' };
  await toEntry(page, entry);
  await page.getByRole('button', { name: 'Attach project documents' }).click();
  await page.getByRole('dialog').getByLabel(document.name).check();
  await page.getByRole('button', { name: 'Attach 1 item' }).click();
  await expect(rows(page).filter({ hasText: document.name })).toHaveCount(1);
  await drained(page);
  await client.post('~/time_and_material_entry_attachments', {
    time_and_material_entry_id: entry.id,
    time_and_material_entry_attachment: { documents: [catalog.documents[1]?.id] },
  });
  await page.getByRole('link', { name: /^All files/ }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(`on ${entry.name}`);

  await page.getByRole('searchbox', { name: 'Find an entry' }).fill('987654');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Entry 987654' })).toBeVisible();
  const refused = await note(folder, 'lost.pdf', 'x');
  await page.locator('input[type=file]').setInputFiles(refused.path);
  await expect(rows(page).filter({ hasText: 'Needs attention' })).toHaveCount(1, {
    timeout: 60_000,
  });
  await page.getByRole('searchbox', { name: 'Find an entry' }).fill('');
  await expect(page.getByRole('link', { name: /^Entry 987654/ })).toBeVisible();
});

test('looks: both themes, 1024x640 and 200 % zoom, by axe', async ({ client, world, folder }) => {
  const page = await world.open();
  const entry = await firstEntry(client);
  const photo = await photoFile(folder, 2, 300_000);
  const pdf = await note(
    folder,
    'Delivery note with a rather long name of the supplier and the day.pdf',
    'n',
  );
  await toEntry(page, entry);
  await page.locator('input[type=file]').setInputFiles([photo.path, pdf.path]);
  await expect(rows(page).filter({ hasText: 'Delivered' })).toHaveCount(2, { timeout: 120_000 });
  world.offline();
  await page
    .locator('input[type=file]')
    .setInputFiles((await note(folder, 'waits.xlsx', 'w')).path);
  await expect(rows(page)).toHaveCount(3);
  await look(page, 'tm-files');
  await page.getByRole('button', { name: 'Attach project documents' }).click();
  await look(page, 'tm-documents');
});

test('a shot of the camera and a photo, sent smaller as the settings say, wait for “Send photos now” and are delivered', async ({
  client,
  world,
}) => {
  const page = await world.open({ cameras: 1 });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('1600 pixels').click();
  await page.getByText('Manually').click();
  await toEntry(page, await firstEntry(client));
  await page.getByRole('button', { name: 'Take a photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a photo' });
  await expect
    .poll(() => dialog.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Take the photo' }).click();
  await expect(dialog.getByText('1 photo added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(rows(page)).toHaveCount(1);
  const large = await picture({ format: 'jpeg', width: 2400, height: 1800, noise: true });
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'slab.jpg', mimeType: 'image/jpeg', buffer: large }]);
  await expect(rows(page)).toHaveCount(2, { timeout: 120_000 });
  await look(page, 'tm-waiting');
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  const traffic = page.getByRole('region', { name: 'Photos on their way' });
  await expect(traffic.getByRole('heading')).toHaveText('2 photos waiting');
  expect(await stored(client)).toEqual([]);
  await traffic.getByRole('button', { name: 'Send photos now' }).click();
  await expect(traffic).toBeHidden({ timeout: 120_000 });
  await drained(page);
  const there = await client.get('~/time_and_material_entry_attachments?per_page=100');
  const urls = (there.json as { filename: string; url: string }[]).map(async (one) => ({
    name: one.filename,
    bytes: Buffer.from(await (await fetch(one.url)).arrayBuffer()),
  }));
  const slab = (await Promise.all(urls)).find(({ name }) => name === 'slab.jpg');
  expect(urls).toHaveLength(2);
  expect((await sharp(slab?.bytes).metadata()).width).toBe(1600);
  expect(slab?.bytes.length).toBeLessThan(large.length);
});

/**
 * The settings through the window. An address leads to a part; copied diagnostics name nobody; everything exports to one file
 * and imports on another laptop; nothing is cut off at 200 % zoom.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { tempDir } from '../support/service.ts';
import { createApp } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, photoFile, report } from './steps.ts';

const settings = (page: Page) => page.getByRole('link', { name: 'Settings', exact: true }).click();
const section = (page: Page, name: string) => page.getByRole('region', { name });

test('parts have addresses, storage is told, nothing is cut off; what is copied names no token, name or address', async ({
  app,
  server,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await settings(page);
  await page.getByRole('link', { name: 'Storage on this laptop' }).click();
  await expect(page.getByRole('heading', { name: 'Storage on this laptop' })).toBeFocused();
  await expect(section(page, 'Storage on this laptop')).toContainText(/Reports.*\d+(\.\d)? [kM]B/u);
  await expect(section(page, 'Daily backups')).toHaveCount(0);
  await look(page, 'settings');

  await server.stop();
  const photo = await photoFile(folder, 1, 60_000);
  await report(page, { text: 'canary-text of a report', photos: [photo] });
  await settings(page);
  await expect(section(page, 'Storage on this laptop')).toContainText(/1 photo, 6\d(\.\d)? kB/u);
  await page.getByText('Show diagnostics').click();
  const text = page.getByLabel('Diagnostics', { exact: true });
  await expect(text).toContainText('1 records');
  await expect(text).toContainText(/Last answers to what is still here: offline refused x\d/u);
  const said = await text.innerText();
  const { token } = server.first;
  expect(said).not.toContain(token);
  expect(said).not.toContain(token.slice(-12));
  expect(said).not.toMatch(/canary|127\.0\.0\.1|localhost|Harbour|IMG_1001/iu);
  for (const name of (await section(page, 'Connection').locator('dd').allInnerTexts()).slice(0, 4))
    expect(said).not.toContain(name);
});

test('outbox promise 1: all goes into one file and onto another laptop, drafts and photos too; a foreign file does nothing', async ({
  app,
  server,
  folder,
  shell,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  const photo = await photoFile(folder, 2, 60_000);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Half a sen');
  await page.locator('input[type=file]').setInputFiles(photo.path);
  await expect(page.getByRole('button', { name: 'More for IMG_1002.jpg' })).toBeVisible();
  await settings(page);
  await page.getByText('Easier at night').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export everything' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^spotter-everything-.*\.zip$/u);
  const file = join(folder, 'everything.zip');
  await download.saveAs(file);
  expect((await readFile(file)).includes(server.first.token)).toBe(false);
  await app.close();

  const elsewhere = tempDir('other-laptop');
  const { app: other, end } = createApp(shell, elsewhere.path);
  try {
    const second = await other.open();
    second.setDefaultTimeout(60_000);
    await connectToServer(second, server, 'Harbour Bridge East');
    await settings(second);
    const choose = second.locator('input[type=file]');
    await choose.setInputFiles(photo.path);
    await expect(second.getByText('This is not a readable zip file.')).toBeVisible();
    await second.keyboard.press('Escape');
    await choose.setInputFiles(file);
    const dialog = second.getByRole('dialog', { name: 'Import this file?' });
    await expect(dialog.getByLabel('Drafts: 1 with 1 photo')).toBeChecked();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await expect(second.getByText('Imported: 1 draft, settings.')).toBeVisible();
    await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
    await second.getByRole('link', { name: 'New near miss' }).click();
    await second.getByRole('button', { name: 'Continue Half a sen' }).click();
    await expect(second.getByLabel('What happened?')).toHaveValue('Half a sen');
    await expect(second.getByRole('button', { name: 'More for IMG_1002.jpg' })).toBeVisible();
  } finally {
    await end();
    elsewhere.remove();
  }
});

test('this laptop’s own service goes back to a daily copy: asked first, told while it works, one sentence at the end', async ({
  app,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 120_000 });
  await report(page, { text: 'written after the copy', photos: [] });
  await drained(page);
  await page.getByRole('link', { name: 'Near misses', exact: true }).first().click();
  await expect(page.getByText('written after the copy').first()).toBeVisible();
  await settings(page);
  await page.getByRole('link', { name: 'Daily backups' }).click();
  const part = section(page, 'Daily backups');
  await expect(part.getByRole('listitem')).toHaveCount(1, { timeout: 60_000 });
  await expect(part.getByRole('listitem')).toContainText(/\d{4}, \d\d:\d\d.*[kM]B/u);
  await look(page, 'settings-copies');
  await part.getByRole('button', { name: /^Restore the backup of/u }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Nothing is deleted');
  await look(page, 'settings-copies-ask');
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(part.getByText(/^Restoring the backup of/u)).toBeVisible();
  await expect(part.getByText(/^Done\. The reports are as they were on/u)).toBeVisible({
    timeout: 120_000,
  });
  await expect(part).toContainText(/in the folder replaced-\d{4}/u);
  await look(page, 'settings-copies-done');
  await page.getByRole('link', { name: 'Near misses', exact: true }).first().click();
  await expect(page.getByText('written after the copy')).toHaveCount(0, { timeout: 60_000 });
});

/**
 * Several near misses begun in parallel: each draft is kept as typed, continued, discarded and restored, also across a reload.
 */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, photoFile } from './steps.ts';

test.use({ apart: false });

const what = (page: Page) => page.getByLabel('What happened?');

test('drafts: two begun offline, listed with words, time and photos; gone on with, thrown away, brought back, saved', async ({
  app,
  server,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  await page.keyboard.press('Alt+n');
  await what(page).fill('First, with a photo');
  await page.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await expect(page.getByRole('button', { name: 'More for IMG_1001.jpg' })).toBeVisible();
  await page.reload();
  const list = page.getByRole('region', { name: 'Draft' });
  await expect(list.getByText('First, with a photo')).toBeVisible();
  await expect(what(page)).toHaveValue('');
  await what(page).fill('Second');
  await expect(list.getByText(/^Draft · today \d\d:\d\d · 1 photo$/)).toBeVisible();
  await expect(list.locator('img')).toBeVisible();
  await look(page, 'drafts');

  await page.getByRole('button', { name: 'Continue First, with a photo' }).click();
  await expect(what(page)).toHaveValue('First, with a photo');
  await expect(page.getByRole('button', { name: 'More for IMG_1001.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard Second' }).click();
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('Second')).toBeVisible();
  await page.getByRole('button', { name: 'Discard Second' }).click();
  await expect(page.getByText('Draft discarded.')).toBeVisible();
  // A continued draft is still the current one after a reload.
  await page.reload();
  await expect(page.getByText('You are continuing a draft.')).toBeVisible();
  await expect(what(page)).toHaveValue('First, with a photo');

  // Discards the current draft with its photo; Undo reopens it.
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(what(page)).toHaveValue('');
  await expect(page.getByRole('button', { name: 'More for IMG_1001.jpg' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(what(page)).toHaveValue('First, with a photo');
  await expect(page.getByRole('button', { name: 'More for IMG_1001.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'First, with a photo' })).toBeVisible();
  await page.keyboard.press('Alt+n');
  await expect(what(page)).toHaveValue('');
  await expect(page.getByText('You are continuing a draft.')).toBeHidden();
});

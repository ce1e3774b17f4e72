/** Several near misses begun side by side: each kept as typed, gone on with, thrown away and brought back, over a reload too. */
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, photoFile, storedAt, waitingCount } from './steps.ts';

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
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeVisible();
  await page.reload();
  const list = page.getByRole('region', { name: 'Not finished yet' });
  await expect(list.getByText('First, with a photo')).toBeVisible();
  await expect(what(page)).toHaveValue('');
  await what(page).fill('Second');
  await expect(list.getByText(/^Not finished yet · today \d\d:\d\d · 1 photo$/)).toBeVisible();
  await expect(list.locator('img')).toBeVisible();
  await look(page, 'drafts');

  await page.getByRole('button', { name: 'Continue First, with a photo' }).click();
  await expect(what(page)).toHaveValue('First, with a photo');
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard Second' }).click();
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('Second')).toBeVisible();
  await page.getByRole('button', { name: 'Discard Second' }).click();
  await expect(page.getByText('Draft discarded.')).toBeVisible();
  // Continued, it is continued after a reload too.
  await page.reload();
  await expect(page.getByText('You are continuing a draft.')).toBeVisible();
  await expect(what(page)).toHaveValue('First, with a photo');

  // The one in use: it is gone with its photo, and Undo opens it again.
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(what(page)).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(what(page)).toHaveValue('First, with a photo');
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'First, with a photo' })).toBeVisible();
  await page.keyboard.press('Alt+n');
  await expect(what(page)).toHaveValue('');
  await expect(page.getByText('You are continuing a draft.')).toBeHidden();
});

test('a new near miss is new: an abandoned one’s photo never gets into it, nothing worth keeping is no draft', async ({
  app,
  server,
  client,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  const list = page.getByRole('region', { name: 'Not finished yet' });
  const away = () => page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeVisible();
  await away();

  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(what(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove IMG_1001.jpg' })).toBeHidden();
  await expect(list.getByText('No text yet')).toBeVisible();
  await what(page).fill('Another event, hours later');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Another event, hours later' })).toBeVisible();
  await drained(page);
  expect(await storedAt(client, 'Another event, hours later')).toEqual([
    { text: 'Another event, hours later', hashes: [] },
  ]);

  // Discarded, it is offered no more; a rating alone, or words that were deleted again, are no draft.
  await page.getByRole('link', { name: 'New near miss' }).click();
  await list.getByRole('button', { name: /^Discard/ }).click();
  await expect(list).toBeHidden();
  await what(page).fill('Typed and');
  await page.getByText('Serious', { exact: true }).click();
  await what(page).fill('');
  await away();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(what(page)).toHaveValue('');
  await what(page).fill('Kept');
  // On the form itself the link begins a new one too.
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(what(page)).toHaveValue('');
  await expect(what(page)).toBeFocused();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByText('Kept')).toBeVisible();
});

test('a save that waits for its photo while one goes on to the next report ends there, takes nobody away and mixes nothing', async ({
  app,
  server,
  folder,
  shell,
}) => {
  test.skip(shell !== 'browser', 'holds a request of the window to its host');
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  const gate = Promise.withResolvers<void>();
  await page.route(/photos\.finish/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.keyboard.press('Alt+n');
  await what(page).fill('The first, on a slow disk');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Saving…' })).toBeVisible();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('link', { name: 'New near miss' }).click();
  // Not the one that is being saved.
  await expect(what(page)).toHaveValue('');
  await what(page).fill('The second');
  gate.resolve();
  await expect(page.getByText('Saved on this laptop.')).toBeVisible();
  await expect(what(page)).toHaveValue('The second');
  await page.getByRole('button', { name: 'Tower crane operations' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'The second' })).toBeVisible();
  await expect.poll(() => waitingCount(page)).toBe(2);
});

test('a form that could not be read once is there again at the next visit', async ({ world }) => {
  const page = await world.open();
  await page.evaluate(() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function (...asked) {
      if (this.name !== 'drafts') return get.apply(this, asked);
      IDBObjectStore.prototype.get = get;
      throw new DOMException('the disk did not answer', 'UnknownError');
    };
    location.hash = '#/new/01JD0000000000000000000000';
  });
  await expect(page.getByText('Spotter could not open its data on this laptop.')).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(what(page)).toBeVisible();
});

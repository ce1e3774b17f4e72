/** All photos of the project by keyboard, waiting ones marked as such; the full picture, its caption and the way to its record. */
import { startChaos, type Chaos } from '../support/chaos.ts';
import { startServer, type Server } from '../support/server.ts';
import { tempDir } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, photoFile, report, waitingCount } from './steps.ts';

let server: Server;
let proxy: Chaos;
let folder: ReturnType<typeof tempDir>;
test.beforeEach(async () => {
  folder = tempDir('gallery');
  server = await startServer();
  proxy = await startChaos(server.url);
});
test.afterEach(async () => {
  await proxy.close();
  await server.remove();
  folder.remove();
});

test('the gallery by keyboard: newest first, waiting marked, full size, zoom, previous and next, and the way to the record', async ({
  app,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(20_000);
  await connectToServer(page, { url: proxy.url, first: server.first }, 'Harbour Bridge East');
  const photos = [];
  for (let seed = 1; seed <= 3; seed += 1)
    photos.push(await photoFile(folder.path, seed, 200_000 + seed));
  await report(page, { text: 'Delivered with two photos', photos: photos.slice(0, 2) });
  await expect.poll(() => waitingCount(page), { timeout: 60_000 }).toBe(0);
  proxy.target = null;
  await report(page, { text: 'Waits with one photo', photos: photos.slice(2) });

  await page.getByRole('link', { name: 'Photos' }).click();
  await expect(page.getByRole('heading', { name: 'Photos' })).toBeVisible();
  const tiles = page.getByRole('group', { name: /^\d+ photos?$/ }).getByRole('button');
  const first = tiles.first();
  await expect(first).toHaveAccessibleName(
    'IMG_1003.jpg, Waits with one photo. Waiting on this laptop',
  );
  await expect(first).toContainText('Waiting');
  await page.getByRole('button', { name: 'Waiting 1' }).click();
  await expect(tiles).toHaveCount(1);
  await page.getByRole('button', { name: /^All / }).click();
  await look(page, 'gallery');

  await first.focus();
  await page.keyboard.press('ArrowRight');
  await expect(tiles.nth(1)).toBeFocused();
  await expect(tiles.nth(1)).toHaveAccessibleName(/Delivered and checked$/);
  await page.keyboard.press('ArrowLeft');
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog');
  await expect(
    viewer.getByText(/^1 of \d+ · \d.* kB · taken .* · Waiting on this laptop$/),
  ).toBeVisible();
  await expect(viewer.getByText('Loading full size…')).toBeHidden();
  // The original is as wide as it was made, the thumbnail at most 512 px.
  const widthOf = () =>
    viewer.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await page.keyboard.press('+');
  const scale = () =>
    viewer.locator('.picture').evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  expect(await scale()).toBeCloseTo(1.5);
  await page.keyboard.press('0');
  expect(await scale()).toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText(/^2 of .*Delivered and checked$/)).toBeVisible();
  await expect.poll(widthOf).toBeGreaterThan(0);
  await look(page, 'gallery-viewer');
  await page.keyboard.press('End');
  await expect(viewer.getByRole('button', { name: 'Next photo' })).toBeVisible();
  await page.keyboard.press('Home');
  await viewer.getByRole('link', { name: 'Open the near miss' }).click();
  await expect(page.getByRole('heading', { name: 'Waits with one photo' })).toBeVisible();
  await expect(viewer).toBeHidden();
  await page.getByRole('button', { name: 'Open IMG_1003.jpg' }).click();
  await expect(viewer.getByText(/Waiting on this laptop$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open IMG_1003.jpg' })).toBeFocused();
});

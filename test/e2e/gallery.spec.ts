/** All photos of the project by keyboard, with pending ones marked; the full picture, its caption and the way to its record. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { phoneHeic } from '../support/phone-heic.ts';
import { fixture } from '../support/photo-files.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { drained, photoFile, report, sha256 } from './steps.ts';

test.use({ apart: false });

test('the gallery by keyboard: newest first, waiting marked, full size, zoom, previous and next, and the way to the record', async ({
  world,
  folder,
}) => {
  const page = await world.open();
  const photos = [];
  for (let seed = 1; seed <= 3; seed += 1)
    photos.push(await photoFile(folder, seed, 200_000 + seed));
  await report(page, { text: 'Delivered with two photos', photos: photos.slice(0, 2) });
  await drained(page);
  world.offline();
  await report(page, { text: 'Waits with one photo', photos: photos.slice(2) });

  await page.getByRole('link', { name: 'Photos', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Photos' })).toBeVisible();
  const tiles = page.getByRole('group', { name: /^\d+ photos?$/ }).getByRole('button');
  const first = tiles.first();
  await expect(first).toHaveAccessibleName(
    'IMG_1003.jpg, Waits with one photo. Waiting, safe on this laptop',
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
    viewer.getByText(/^1 of \d+ · \d.* kB · taken .* · Waiting, safe on this laptop$/),
  ).toBeVisible();
  await expect(viewer.getByText('Loading full size…')).toBeHidden();
  // The original has its full width; the thumbnail has at most 512 px.
  const widthOf = () =>
    viewer.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await page.keyboard.press('+');
  const scale = () =>
    viewer.locator('.picture').evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  await expect.poll(scale).toBeCloseTo(1.5);
  await page.keyboard.press('0');
  await expect.poll(scale).toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText(/^2 of .*Delivered and checked$/)).toBeVisible();
  await expect.poll(widthOf).toBeGreaterThan(0);
  const saving = page.waitForEvent('download');
  await viewer.getByRole('button', { name: 'Save this file' }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.jpe?g$/);
  await look(page, 'gallery-viewer');
  // At 200 % zoom the photo has most of the window, and Close stays in its place.
  await page.setViewportSize({ width: 683, height: 430 });
  await expect
    .poll(async () => (await viewer.locator('.stage').boundingBox())?.height)
    .toBeGreaterThan(320);
  const out = () => viewer.getByRole('button', { name: 'Close' }).boundingBox();
  await expect.poll(async () => (await out())?.y).toBeLessThan(12);
  await expect.poll(async () => (await out())?.x).toBeGreaterThan(610);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.keyboard.press('End');
  await expect(viewer.getByRole('button', { name: 'Next photo' })).toBeVisible();
  await page.keyboard.press('Home');
  await viewer.getByRole('link', { name: 'Open the near miss' }).click();
  await expect(page.getByRole('heading', { name: 'Waits with one photo' })).toBeVisible();
  await expect(viewer).toBeHidden();
  await page.getByRole('button', { name: 'Open IMG_1003.jpg' }).click();
  await expect(viewer.getByText(/Waiting, safe on this laptop$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open IMG_1003.jpg' })).toBeFocused();
});

/** A pinch with two fingers on the middle of an element, from one distance to the other. */
const pinch = async (page: Page, on: Locator, from: number, to: number): Promise<void> => {
  const box = await on.boundingBox();
  if (box === null) throw new Error('nothing to touch');
  const cdp = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: x - apart / 2, y, id: 1 },
              { x: x + apart / 2, y, id: 2 },
            ],
    });
  await touch('touchStart', from);
  for (let step = 1; step <= 5; step += 1)
    await touch('touchMove', from + ((to - from) * step) / 5);
  await touch('touchEnd', to);
  await cdp.detach();
};

test('a phone’s HEIC, and a video that only the server has, open in the viewer; two fingers zoom; what was freed is told', async ({
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('Remove right away').click();
  const heic = phoneHeic(await fixture('tiles.heic'), {
    width: 192,
    height: 128,
    turns: 3,
    orientation: 6,
    extras: true,
  });
  const files = await Promise.all(
    [
      { name: 'IMG_2001.heic', bytes: heic },
      { name: 'crane.mp4', bytes: await fixture('clip.mp4') },
    ].map(async ({ name, bytes }) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return { path, size: bytes.length, sha256: sha256(bytes) };
    }),
  );
  expect(await readFile(files[0]?.path ?? '')).toHaveLength(heic.length);
  await report(page, { text: 'Phone and crane', photos: files });
  await drained(page);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const storage = page.getByLabel('Photos on this laptop');
  await expect(storage).toContainText(/On this laptop now\s*0 MB/, { timeout: 60_000 });
  await expect(storage).toContainText(/removing delivered photos\s*2 photos, \d/);

  await page.getByRole('link', { name: 'Photos', exact: true }).click();
  await page.getByRole('button', { name: /^IMG_2001\.heic/ }).click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByText('Loading full size…')).toBeHidden({ timeout: 120_000 });
  const picture = viewer.getByRole('img');
  const size = () =>
    picture.evaluate((image) => [
      (image as HTMLImageElement).naturalWidth,
      (image as HTMLImageElement).naturalHeight,
    ]);
  await expect.poll(size).toEqual([128, 192]);
  const stage = viewer.locator('.stage');
  const scale = () =>
    viewer.locator('.picture').evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  await pinch(page, stage, 100, 300);
  await expect.poll(scale).toBeCloseTo(3, 1);
  await pinch(page, stage, 300, 60);
  await expect.poll(scale).toBe(1);

  await page.keyboard.press('ArrowRight');
  const video = viewer.locator('video');
  await expect(video).toBeVisible({ timeout: 60_000 });
  await video.evaluate((one: HTMLVideoElement) => {
    one.muted = true;
    return one.play();
  });
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => [one.videoWidth, one.currentTime > 0]))
    .toEqual([160, true]);
  await axe(page, 'viewer with a video');
});

/**
 * A watched folder: dropped once as a real folder of the disk, its new pictures are offered grouped by time taken, and its
 * files stay unchanged.
 */
import {
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
  mkdtempSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { makeJpeg } from '../support/jpeg.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, sha256, storedAt } from './steps.ts';

test.use({ apart: false });

/** Drops a folder on the window, as the desktop does. */
const dropFolder = async (page: Page, folder: string): Promise<void> => {
  const cdp = await page.context().newCDPSession(page);
  const box = await page.getByRole('region', { name: 'Photos' }).boundingBox();
  const at = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 40 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
  await cdp.detach();
};

test('pictures of a camera’s card are offered by when they were taken, added or not, and the card is left as it was', async ({
  app,
  server,
  client,
}) => {
  const card = mkdtempSync(join(tmpdir(), 'spotter-card-'));
  const folder = join(card, 'DCIM', '100CANON');
  mkdirSync(folder, { recursive: true });
  const put = async (name: string, seed: number, minutes_ago: number) => {
    const bytes = await makeJpeg({ seed, bytes: 50_000 });
    const at = Date.now() / 1000 - minutes_ago * 60;
    writeFileSync(join(folder, name), bytes);
    utimesSync(join(folder, name), at, at);
    return sha256(bytes);
  };
  try {
    await put('OLD.JPG', 1, 3 * 24 * 60);
    await put('IMG_1.JPG', 2, 90);
    const wanted = [await put('IMG_2.JPG', 3, 12), await put('IMG_3.JPG', 4, 10)];
    const before = readdirSync(folder);

    const page = await app.open();
    page.setDefaultTimeout(60_000);
    await connectToServer(page, server, 'Harbour Bridge East');
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page.getByLabel('What happened?').fill('Prop kicked out at the deck edge');
    await dropFolder(page, join(card, 'DCIM'));
    const offered = page.getByRole('region', { name: 'New in DCIM' });
    await expect(offered.getByRole('group')).toHaveCount(2);
    await expect(offered.getByRole('group').first()).toContainText('2 photos');
    await expect(offered.locator('.pictures img')).toHaveCount(3);
    await look(page, 'folder');

    // Dismisses the other group; pictures that were offered once are not offered again.
    await offered.getByRole('group').last().getByRole('button', { name: 'Skip' }).click();
    await expect(offered.getByRole('group')).toHaveCount(1);
    await offered.getByRole('button', { name: 'Add 2' }).click();
    await expect(page.getByRole('button', { name: 'More for IMG_3.JPG' })).toBeVisible();
    await expect(page.getByText('No new photos in DCIM.')).toBeVisible();

    // A new picture appears while the form is open.
    await put('IMG_4.JPG', 5, 1);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(offered.getByRole('button', { name: 'Add 1' })).toBeVisible();

    await page.getByRole('button', { name: 'Site traffic and deliveries' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved on this laptop.').first()).toBeVisible();
    await drained(page);
    const [stored] = await storedAt(client, 'Prop kicked out');
    expect([...(stored?.hashes ?? [])].sort()).toEqual([...wanted].sort());
    expect(readdirSync(folder)).toEqual([...before, 'IMG_4.JPG'].sort());
    expect(readFileSync(join(folder, 'IMG_2.JPG')).length).toBeGreaterThan(40_000);

    // The card is removed.
    await page.getByRole('link', { name: 'New near miss' }).click();
    await expect(offered).toBeVisible();
    rmSync(card, { recursive: true });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(page.getByText('Spotter can’t read DCIM right now')).toBeVisible();
    await page.getByRole('button', { name: 'Stop watching DCIM' }).click();
    await page.getByRole('button', { name: 'Start from…' }).click();
    await expect(page.getByRole('menuitem', { name: 'Watch a folder' })).toBeVisible();
  } finally {
    rmSync(card, { recursive: true, force: true });
  }
});

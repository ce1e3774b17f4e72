/** What a person does with the photos of a report before and after it is sent, through the real service: turned, put in order, told, paired. */
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { type Client, tempDir } from '../support/service.ts';
import { createApp } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { countPrints, hasPrinted, paperOf } from './printing.ts';
import { connectToServer, drained } from './steps.ts';

test.use({ apart: false });

interface Photo {
  readonly name: string;
  readonly colour: string;
}

/** 320 x 160: its left half in the colour, the right one white. */
const halves = async ({ colour }: Photo): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 160, channels: 3, background: '#ffffff' } })
    .composite([
      {
        input: { create: { width: 160, height: 160, channels: 3, background: colour } },
        left: 0,
        top: 0,
      },
    ])
    .jpeg({ quality: 95 })
    .toBuffer();

/** The form with these photos, in this order. */
const formWith = async (page: Page, text: string, photos: readonly Photo[]): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  const files = await Promise.all(
    photos.map(async (photo) => ({
      name: photo.name,
      mimeType: 'image/jpeg',
      buffer: await halves(photo),
    })),
  );
  await page.locator('input[type=file]').setInputFiles(files);
  for (const { name } of photos)
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible({
      timeout: 60_000,
    });
};
const pane = (page: Page) => page.getByRole('region', { name: 'Near miss', exact: true });
const names = (page: Page) => page.locator('.photos li .name');
const captionOf = (page: Page, name: string) => page.getByLabel(`Caption of ${name}`);
/** What stands in the field of captions on the server. */
const captionsAt = async (client: Client, text: string): Promise<unknown> => {
  const { json } = await client.get('~/catalog');
  const fields = json.custom_field_definitions as { id: number; label: string }[];
  const id = fields.find(({ label }) => label === 'Photo captions')?.id ?? 0;
  return (await storedAt(client, text))?.custom_fields[`custom_field_${id}`]?.value;
};
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
};

interface Stored {
  readonly custom_fields: Record<string, { readonly value: unknown }>;
  readonly attachments: readonly { readonly filename: string; readonly url: string }[];
}
const storedAt = async (client: Client, text: string): Promise<Stored | undefined> => {
  const list = await client.get(
    `~/incidents/near_misses?per_page=10&filters[query]=${encodeURIComponent(text)}`,
  );
  return (list.json as Stored[])[0];
};
/** Red, green, blue in the middle of each half: left, right, above, below. */
const sidesOf = async (bytes: Uint8Array): Promise<Record<string, readonly number[]>> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): readonly number[] => {
    const from = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(from, from + 3)];
  };
  return { left: at(0.2, 0.5), right: at(0.8, 0.5), above: at(0.5, 0.2), below: at(0.5, 0.8) };
};
const isRed = ([r = 0, g = 255]: readonly number[] = []): boolean => r > 180 && g < 90;
const isWhite = ([r = 0, g = 0, b = 0]: readonly number[] = []): boolean => Math.min(r, g, b) > 220;

test('a photo is turned by a press: kept over a restart, undone by more presses, and turned on the server', async ({
  app,
  server,
  client,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await formWith(page, 'Photo that lies on its side', [
    { name: 'first.jpg', colour: '#ff0000' },
    { name: 'second.jpg', colour: '#f00000' },
    { name: 'third.jpg', colour: '#e00000' },
  ]);
  const tile = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const turn = page.getByRole('button', { name: 'Rotate second.jpg' });
  await turn.focus();
  await page.keyboard.press('Enter');
  await expect(tile('second.jpg').getByText(/^Rotated/)).toBeVisible();
  await expect(turn).toBeFocused();
  // It keeps its place between the other two.
  await expect(page.locator('.photos li .name')).toHaveText([
    'first.jpg',
    'second.jpg',
    'third.jpg',
  ]);
  // Pressed faster than it is drawn: four in all, and it is as it came.
  const other = page.getByRole('button', { name: 'Rotate first.jpg' });
  await other.click();
  await expect(tile('first.jpg').getByText(/^Rotated/)).toBeVisible();
  for (const _press of [2, 3, 4]) await other.click();
  await expect(tile('first.jpg').getByText(/^Rotated/)).toHaveCount(0);
  await look(page, 'photo-care-rotate');

  await page.reload();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Photo that lies on its side' }).click();
  await expect(tile('second.jpg').getByText(/^Rotated/)).toBeVisible();

  // The same in the editor, by its key, with what is drawn; Ctrl + Z takes it back.
  await page.getByRole('button', { name: 'Mark up third.jpg' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark up third.jpg' });
  await expect(dialog.getByRole('application')).toBeFocused();
  const canvas = dialog.locator('canvas');
  await expect(canvas).toHaveAttribute('width', '320');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.keyboard.press('r');
  await expect(dialog.locator('[data-said]')).toHaveText('Rotated by a quarter turn');
  await expect(canvas).toHaveAttribute('width', '160');
  await page.keyboard.press('Control+z');
  await expect(canvas).toHaveAttribute('width', '320');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await expect(canvas).toHaveAttribute('width', '160');
  await look(page, 'photo-care-editor');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  await save(page);
  await drained(page);

  const stored = await storedAt(client, 'lies on its side');
  const files = stored?.attachments ?? [];
  expect(files.map(({ filename }) => filename).sort()).toEqual([
    'first.jpg',
    'second.jpg',
    'third.jpg',
  ]);
  const bytesOf = async (name: string): Promise<Uint8Array> => {
    const file = files.find(({ filename }) => filename === name);
    return new Uint8Array(await (await fetch(file?.url ?? '')).arrayBuffer());
  };
  const upright = await sidesOf(await bytesOf('first.jpg'));
  expect([isRed(upright['left']), isWhite(upright['right'])]).toEqual([true, true]);
  for (const name of ['second.jpg', 'third.jpg']) {
    const bytes = await bytesOf(name);
    const { width, height } = await sharp(bytes).metadata();
    expect([name, width, height]).toEqual([name, 160, 320]);
    const sides = await sidesOf(bytes);
    expect([name, isRed(sides['above']), isWhite(sides['below'])]).toEqual([name, true, true]);
  }
});

test('decisions §4.8: order and captions are kept while typed, sent, and the same on another laptop', async ({
  app,
  server,
  client,
  shell,
  afterApp,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  await formWith(page, 'Toe board gone at the east edge', [
    { name: 'image.jpg', colour: '#ff0000' },
    { name: 'image.jpg', colour: '#e80000' },
    { name: 'gate.jpg', colour: '#f80000' },
  ]);
  // Photos of one name are told apart.
  await expect(names(page)).toHaveText(['image.jpg', 'image-2.jpg', 'gate.jpg']);
  const earlier = page.getByRole('button', { name: 'Move gate.jpg earlier' });
  await earlier.focus();
  await page.keyboard.press('Enter');
  await expect(names(page)).toHaveText(['image.jpg', 'gate.jpg', 'image-2.jpg']);
  await expect(page.getByText('gate.jpg is now photo 2 of 3')).toBeAttached();
  await expect(earlier).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(earlier).toHaveAttribute('aria-disabled', 'true');
  await expect(names(page)).toHaveText(['gate.jpg', 'image.jpg', 'image-2.jpg']);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'image-2.jpg' })
    .locator('.picture')
    .dragTo(page.getByRole('listitem').filter({ hasText: 'gate.jpg' }).locator('.picture'));
  await expect(names(page)).toHaveText(['image-2.jpg', 'gate.jpg', 'image.jpg']);
  await captionOf(page, 'gate.jpg').pressSequentially('Gate: open, again ');
  await expect(captionOf(page, 'gate.jpg')).toHaveValue('Gate: open, again ');
  await captionOf(page, 'image.jpg').fill('To be taken off');
  await page.getByRole('button', { name: 'Rotate gate.jpg' }).click();
  await expect(page.getByText(/^Rotated ·/)).toBeVisible();
  await expect(names(page)).toHaveText(['image-2.jpg', 'gate.jpg', 'image.jpg']);
  await look(page, 'photo-care-form');

  await page.reload();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Toe board gone' }).click();
  await expect(names(page)).toHaveText(['image-2.jpg', 'gate.jpg', 'image.jpg']);
  await expect(captionOf(page, 'gate.jpg')).toHaveValue('Gate: open, again');
  await page.getByRole('button', { name: 'Remove image.jpg' }).click();
  await expect(names(page)).toHaveText(['image-2.jpg', 'gate.jpg']);
  await save(page);
  const shown = pane(page).locator('.photos .name');
  await expect(shown).toHaveText(['image-2.jpg', 'gate.jpg']);
  await expect(pane(page).getByText('Gate: open, again')).toBeVisible();

  await server.start();
  await drained(page);
  expect(await captionsAt(client, 'Toe board gone')).toBe(
    'image-2.jpg\ngate.jpg: Gate: open, again',
  );
  await expect(shown).toHaveText(['image-2.jpg', 'gate.jpg']);

  // Another laptop knows it from the server alone, and says more while it has no network.
  const elsewhere = tempDir('e2e');
  const { app: other, end } = createApp(shell, elsewhere.path);
  afterApp(async () => {
    await end();
    elsewhere.remove();
  });
  const there = await other.open();
  there.setDefaultTimeout(60_000);
  await connectToServer(there, server, 'Harbour Bridge East');
  await there
    .getByRole('link', { name: /Toe board gone/ })
    .first()
    .click();
  await expect(pane(there).locator('.photos .name')).toHaveText(['image-2.jpg', 'gate.jpg']);
  await server.stop();
  await pane(there).getByRole('button', { name: 'Captions and order' }).click();
  const dialog = there.getByRole('dialog', { name: 'Captions and order' });
  await captionOf(there, 'image-2.jpg').fill('Toe board is back, says Tom Brennan');
  await dialog.getByLabel('Before or after: gate.jpg').selectOption('Before');
  await dialog.getByLabel('Before or after: image-2.jpg').selectOption('After');
  await dialog.getByRole('button', { name: 'Move gate.jpg earlier' }).click();
  await look(there, 'photo-care-dialog');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  const pair = pane(there).getByRole('list', { name: 'Before and after' });
  await expect(pair.getByRole('button')).toHaveCount(2);
  await expect(pair).toContainText(/Before.*Gate: open, again.*After.*Toe board is back/s);
  await look(there, 'photo-care-detail');
  await pair.getByRole('button', { name: /^After: Toe board is back/ }).click();
  await expect(there.getByRole('img', { name: /^After: Toe board is back/ })).toBeVisible();
  await look(there, 'photo-care-viewer');
  await there.keyboard.press('Escape');
  await server.start();
  await drained(there);
  expect(await captionsAt(client, 'Toe board gone')).toBe(
    'gate.jpg (before): Gate: open, again\nimage-2.jpg (after): Toe board is back, says Tom Brennan',
  );

  // On paper side by side, with the words; the first laptop hears of it when it opens the near miss.
  await page.reload();
  const record = new URL(page.url()).hash.slice(1);
  await expect(pane(page).getByRole('list', { name: 'Before and after' })).toBeVisible();
  await countPrints(page);
  await pane(page).getByRole('button', { name: 'Print', exact: true }).click();
  await hasPrinted(page, 1);
  await expect(page.locator('.paper .pair img')).toHaveCount(2);
  const paper = await paperOf(page, 'photo-care-paper');
  expect(paper.text).toMatch(/Before\s+Gate: open, again\s+After\s+Toe board is back/);
  // A toolbox pack names nobody, in a caption either.
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.locator('.scroller [aria-posinset]').first().getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Toolbox pack' }).click();
  await hasPrinted(page, 2);
  const pack = await paperOf(page, 'photo-care-pack');
  expect(pack.text).toContain('Before: Gate: open, again');
  expect(pack.text).toMatch(/After: Toe board is back, says (?!Tom)/);
  expect(pack.text).not.toContain('Brennan');

  // Taken off, a photo takes its caption along; the other one is left as it was.
  await page.goto(`${new URL(page.url()).origin}/#${record}`);
  await pane(page).getByRole('button', { name: 'Remove photo image-2.jpg' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove photo' }).click();
  await expect(pane(page).locator('.photos .name')).toHaveText(['gate.jpg']);
  // Said once the caption is taken off too: until then the queue may be empty in between.
  await expect(page.getByText(/^Photo removed\./)).toBeVisible();
  await drained(page);
  expect(await captionsAt(client, 'Toe board gone')).toBe('gate.jpg (before): Gate: open, again');
});

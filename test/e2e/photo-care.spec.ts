/**
 * What a person does with the photos of a report before and after sending, through the real service: rotates, orders, captions
 * and pairs them.
 */
import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import { type Client, tempDir } from '../support/service.ts';
import { createApp } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { countPrints, hasPrinted, paperOf } from './printing.ts';
import { connectToServer, drained, photoDeed, photoFacts, pressMore } from './steps.ts';

test.use({ apart: false });

interface Photo {
  readonly name: string;
  readonly colour: string;
}

/** 320 x 160: the left half in `colour`, the right half white. */
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

/** Opens the form with these photos in this order. */
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
    await expect(page.getByRole('button', { name: `More for ${name}` })).toBeVisible({
      timeout: 60_000,
    });
};
const pane = (page: Page) => page.getByRole('region', { name: 'Near miss', exact: true });
/** The files of the open record, in their order. */
const filesOf = (page: Page) =>
  pane(page)
    .locator('.hero [data-photo]')
    .evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('title')));
/** The photos of the form have these names, in this order. */
const inOrder = (page: Page, names: readonly string[]): Promise<void> =>
  expect
    .poll(() =>
      page
        .locator('.photos li')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    )
    .toEqual(names);
/** The field of a caption; in the form a press on the caption brings it. */
const captionOf = (page: Page, name: string) =>
  page.getByRole('textbox', { name: `Caption of ${name}` });
const caption = async (page: Page, name: string): Promise<Locator> => {
  await page
    .getByRole('button', { name: new RegExp(`^(Add a caption: |Caption of )${name}`) })
    .click();
  const box = captionOf(page, name);
  await expect(box).toBeFocused();
  return box;
};
/** The value of the caption field on the server. */
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
/** Red, green, blue at the middle of each side: left, right, top, bottom. */
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
  const rotate = page.getByRole('menuitem', { name: 'Rotate' });
  const told = page.getByRole('menu').getByText(/^Rotated ·/);
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  };
  await page.getByRole('button', { name: 'More for second.jpg' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(rotate).toBeFocused();
  await page.keyboard.press('Enter');
  // The menu stays, for another quarter.
  await expect(told).toBeVisible();
  await expect(rotate).toBeFocused();
  await close();
  // The photo keeps its place between the other two.
  await inOrder(page, ['first.jpg', 'second.jpg', 'third.jpg']);
  // Four presses, faster than it is drawn, return it to its original orientation.
  await page.getByRole('button', { name: 'More for first.jpg' }).click();
  await rotate.click();
  await expect(told).toBeVisible();
  for (const _press of [2, 3, 4]) await rotate.click();
  await expect(told).toHaveCount(0);
  await close();
  await look(page, 'photo-care-rotate');

  await page.reload();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Photo that lies on its side' }).click();
  await photoFacts(page, 'second.jpg', /^Rotated ·/);

  // The same by key in the editor, together with the marks; Ctrl + Z undoes it.
  await photoDeed(page, 'third.jpg', 'Mark up');
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
  // Photos with the same name get distinct names.
  await inOrder(page, ['image.jpg', 'image-2.jpg', 'gate.jpg']);
  const more = page.getByRole('button', { name: 'More for gate.jpg' });
  await photoDeed(page, 'gate.jpg', 'Move earlier');
  await inOrder(page, ['image.jpg', 'gate.jpg', 'image-2.jpg']);
  await expect(page.getByText('gate.jpg is now photo 2 of 3')).toBeAttached();
  await expect(more).toBeFocused();
  await photoDeed(page, 'gate.jpg', 'Move earlier');
  await inOrder(page, ['gate.jpg', 'image.jpg', 'image-2.jpg']);
  await page
    .getByRole('listitem', { name: 'image-2.jpg', exact: true })
    .locator('.picture')
    .dragTo(page.getByRole('listitem', { name: 'gate.jpg', exact: true }).locator('.picture'));
  await inOrder(page, ['image-2.jpg', 'gate.jpg', 'image.jpg']);
  const box = await caption(page, 'gate.jpg');
  await box.pressSequentially('Gate: open, again ');
  await expect(box).toHaveValue('Gate: open, again ');
  await (await caption(page, 'image.jpg')).fill('To be taken off');
  await photoDeed(page, 'gate.jpg', 'Rotate');
  await expect(page.getByRole('menu').getByText(/^Rotated ·/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await inOrder(page, ['image-2.jpg', 'gate.jpg', 'image.jpg']);
  await look(page, 'photo-care-form');

  await page.reload();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Toe board gone' }).click();
  await inOrder(page, ['image-2.jpg', 'gate.jpg', 'image.jpg']);
  await expect(
    page.getByRole('button', { name: 'Caption of gate.jpg: Gate: open, again' }),
  ).toBeVisible();
  await photoDeed(page, 'image.jpg', 'Remove');
  await inOrder(page, ['image-2.jpg', 'gate.jpg']);
  await save(page);
  await expect.poll(() => filesOf(page)).toEqual(['image-2.jpg', 'gate.jpg']);
  await expect(pane(page).locator('.caption').getByText('Gate: open, again')).toBeVisible();

  await server.start();
  await drained(page);
  expect(await captionsAt(client, 'Toe board gone')).toBe(
    'image-2.jpg\ngate.jpg: Gate: open, again',
  );
  await expect.poll(() => filesOf(page)).toEqual(['image-2.jpg', 'gate.jpg']);

  // Another laptop learns of it from the server alone and adds more while offline.
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
  await expect.poll(() => filesOf(there)).toEqual(['image-2.jpg', 'gate.jpg']);
  await server.stop();
  await pressMore(there, 'Captions and order', 'More actions');
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

  // On paper they are side by side with their captions. The first laptop gets the update when it opens the near miss.
  await page.reload();
  const record = new URL(page.url()).hash.slice(1);
  await expect(pane(page).getByRole('list', { name: 'Before and after' })).toBeVisible();
  await countPrints(page);
  await pane(page).getByRole('button', { name: 'Print', exact: true }).click();
  await hasPrinted(page, 1);
  await expect(page.locator('.paper .pair img')).toHaveCount(2);
  const paper = await paperOf(page, 'photo-care-paper');
  expect(paper.text).toMatch(/Before\s+Gate: open, again\s+After\s+Toe board is back/);
  // A toolbox pack names nobody, not even in a caption.
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await pressMore(page, 'Select');
  await page.locator('.scroller [aria-posinset]').first().getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Toolbox talk' }).click();
  await hasPrinted(page, 2);
  const pack = await paperOf(page, 'photo-care-pack');
  expect(pack.text).toContain('Before: Gate: open, again');
  expect(pack.text).toMatch(/After: Toe board is back, says (?!Tom)/);
  expect(pack.text).not.toContain('Brennan');

  // Removing a photo removes its caption; the other caption stays.
  await page.goto(`${new URL(page.url()).origin}/#${record}`);
  await pane(page).getByTitle('image-2.jpg').click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove photo' }).click();
  await expect.poll(() => filesOf(page)).toEqual(['gate.jpg']);
  // Shown once the caption is removed too; before that the queue may briefly be empty.
  await expect(page.getByText(/^Photo removed\./)).toBeVisible();
  await drained(page);
  expect(await captionsAt(client, 'Toe board gone')).toBe('gate.jpg (before): Gate: open, again');
});

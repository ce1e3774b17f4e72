/**
 * Markup before sending, through the window: by keyboard alone from the form to the bytes on the service, by pointer, in both
 * themes under axe, and at 200 % zoom.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import { picture } from '../support/photo-files.ts';
import type { Server } from '../support/server.ts';
import type { Client } from '../support/service.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { axe } from './looks.ts';
import {
  connectToServer,
  drained,
  photoDeed,
  photoFacts,
  photoFile,
  report,
  sha256,
} from './steps.ts';

const LOOKS = process.env['SPOTTER_LOOKS'];
/** Saves screenshots for review if a folder is set. */
const look = async (page: Page, name: string): Promise<void> => {
  if (LOOKS !== undefined) await page.screenshot({ path: join(LOOKS, `${name}.png`) });
};

const formWithPhoto = async (
  app: App,
  server: Server,
  text: string,
  { width, height } = { width: 1200, height: 900 },
): Promise<{ page: Page; photo: Buffer }> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  const photo = await picture({ format: 'jpeg', width, height, noise: true });
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'site.jpg', mimeType: 'image/jpeg', buffer: photo }]);
  const more = page.getByRole('button', { name: 'More for site.jpg' });
  await more.click({ timeout: 120_000 });
  // Disabled until the preview is made. A menu that is opened by a key before focuses the item after it.
  const mark = page.getByRole('menuitem', { name: 'Mark up' });
  await expect(mark).toHaveAttribute('aria-disabled', 'false', { timeout: 120_000 });
  await page.keyboard.press('Escape');
  await expect(mark).toBeHidden();
  return { page, photo };
};
const opened = async (page: Page): Promise<Locator> => {
  const dialog = page.getByRole('dialog', { name: 'Mark up site.jpg' });
  await expect(dialog.getByRole('application', { name: 'Picture: site.jpg' })).toBeFocused();
  return dialog;
};
const marks = (dialog: Locator) =>
  dialog.getByRole('region', { name: 'Marks' }).getByRole('listitem');

const delivered = async (client: Client, marker: string) => {
  const list = await client.get(
    `~/incidents/near_misses?per_page=10&filters[query]=${encodeURIComponent(marker)}`,
  );
  const rows = list.json as { attachments: { url: string; sha256: string; size: number }[] }[];
  return Promise.all(
    rows
      .flatMap((row) => row.attachments)
      .map(async ({ url, sha256: told }) => ({
        told,
        bytes: Buffer.from(await (await fetch(url)).arrayBuffer()),
      })),
  );
};

test('by keyboard alone: drawn, moved, undone, blurred; what the service has is the rendition', async ({
  app,
  server,
  client,
}) => {
  test.setTimeout(600_000);
  const { page, photo } = await formWithPhoto(app, server, 'Face beside the hoist (markup)');
  const more = page.getByRole('button', { name: 'More for site.jpg' });
  const drawByKeys = async () => {
    await more.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Mark up' })).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await drawByKeys();
  const dialog = await opened(page);
  const said = dialog.locator('[data-said]');

  await page.keyboard.press('a');
  await expect(said).toHaveText('Arrow chosen');
  await page.keyboard.press('Enter');
  await expect(marks(dialog)).toHaveText(['Arrow 1']);
  await page.keyboard.press('ArrowRight');
  await expect(said).toHaveText('Arrow 1: 42% from the left, 40% from the top');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(said).toHaveText('Arrow 1: 20% wide, 22% high');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(marks(dialog)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+Shift+z');
  await expect(marks(dialog)).toHaveText(['Arrow 1']);

  await page.keyboard.press('t');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Label text')).toBeFocused();
  await page.keyboard.type('Loose board');
  await page.keyboard.press('Enter');
  await expect(marks(dialog)).toHaveText(['Arrow 1', 'Text 1: Loose board']);
  for (const key of ['p', 'Enter', 'Delete', 'p', 'Enter', 'b', 'Enter'])
    await page.keyboard.press(key);
  await expect(marks(dialog)).toHaveText(['Arrow 1', 'Text 1: Loose board', 'Pin 1', 'Blur 1']);
  // Moves to the upper left corner, where nothing else is.
  for (let at = 0; at < 20; at += 1) {
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
  }
  await expect(said).toHaveText('Blur 1: 0% from the left, 0% from the top');
  await page.keyboard.press('Escape');
  await expect(said).toHaveText('Nothing selected');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden({ timeout: 120_000 });
  await expect(page.getByText('Photo marked up.')).toBeVisible();
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu').getByText(/^Marked up ·/)).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Send the original/ })).toHaveCount(0);

  // Closing the window loses nothing: marks stay editable over the original.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await drawByKeys();
  await opened(page);
  await expect(marks(dialog)).toHaveText(['Arrow 1', 'Text 1: Loose board', 'Pin 1', 'Blur 1']);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/near-misses\//);
  await expect
    .poll(async () => (await delivered(client, '(markup)')).length, { timeout: 120_000 })
    .toBeGreaterThan(0);
  await drained(page);
  const [sent, ...others] = await delivered(client, '(markup)');
  expect(others).toEqual([]);
  if (sent === undefined) throw new Error('not delivered');
  expect(sent.told).toBe(sha256(sent.bytes));
  expect(sent.told).not.toBe(sha256(photo));
  // The spool named the file by its hash before it was sent: the same bytes.
  expect(await readdir(join(app.data_dir, 'photos/originals'))).toContain(sent.told);
  const corner = { left: 16, top: 16, width: 200, height: 140 };
  const spread = async (bytes: Buffer, left = corner.left) => {
    // `stats` examines the original input, so the extract must be encoded first.
    const part = await sharp(bytes)
      .extract({ ...corner, left })
      .greyscale()
      .png()
      .toBuffer();
    return (await sharp(part).stats()).channels[0]?.stdev ?? 0;
  };
  expect((await sharp(sent.bytes).metadata()).width).toBe(1200);
  expect(await spread(photo)).toBeGreaterThan(20);
  expect(await spread(sent.bytes)).toBeLessThan(8);
  expect(await spread(sent.bytes, 980)).toBeGreaterThan(15);
});

test('by pointer: drag, select, resize, crop; Escape asks before drawings are thrown away', async ({
  app,
  server,
}) => {
  const { page } = await formWithPhoto(app, server, 'Crane hook (markup pointer)');
  await photoDeed(page, 'site.jpg', 'Mark up');
  const dialog = await opened(page);
  const canvas = dialog.locator('canvas');
  const drag = async (from: [number, number], to: [number, number]) => {
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('no picture');
    const at = ([x, y]: [number, number]) =>
      [box.x + x * box.width, box.y + y * box.height] as const;
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
    await page.mouse.move(...at(to));
    await page.mouse.up();
  };
  for (const [tool, from, to] of [
    ['Ellipse', [0.1, 0.1], [0.3, 0.3]],
    ['Line', [0.5, 0.2], [0.8, 0.3]],
    ['Blur', [0.6, 0.6], [0.8, 0.8]],
    ['Crop', [0.05, 0.05], [0.95, 0.95]],
  ] as const) {
    await dialog.getByRole('button', { name: tool, exact: true }).click();
    await drag([...from], [...to]);
  }
  await expect(marks(dialog)).toHaveText(['Ellipse 1', 'Line 1', 'Blur 1', 'Crop']);
  await dialog.getByRole('button', { name: 'Select', exact: true }).click();
  await drag([0.2, 0.2], [0.3, 0.4]);
  await expect(dialog.getByRole('button', { name: 'Ellipse 1' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await dialog.getByRole('button', { name: 'Yellow' }).click();
  await dialog.getByRole('button', { name: 'Thicker' }).click();
  await expect(dialog.getByText('3 of 5', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(marks(dialog)).toHaveText(['Line 1', 'Blur 1', 'Crop']);
  // A placed text waits for its words.
  await dialog.getByRole('button', { name: 'Text', exact: true }).click();
  await drag([0.2, 0.5], [0.2, 0.5]);
  await expect(dialog.getByLabel('Label text')).toBeFocused();
  await page.keyboard.type('Hook');
  await page.keyboard.press('Enter');
  await expect(marks(dialog)).toHaveText(['Line 1', 'Blur 1', 'Crop', 'Text 1: Hook']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const ask = page.getByRole('alertdialog', { name: 'Discard what you drew?' });
  await expect(ask).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(ask).toBeHidden();
  await expect(dialog.getByRole('application')).toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden({ timeout: 120_000 });
  await photoDeed(page, 'site.jpg', 'Mark up');
  await opened(page);
  await dialog.getByRole('button', { name: 'Crop', exact: true }).first().click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('48 megapixels: progress is told, Stop keeps the marks, and Done makes it at last', async ({
  app,
  server,
}) => {
  test.setTimeout(600_000);
  const { page } = await formWithPhoto(app, server, 'Tower crane (markup large)', {
    width: 8000,
    height: 6000,
  });
  await photoDeed(page, 'site.jpg', 'Mark up');
  const dialog = page.getByRole('dialog', { name: 'Mark up site.jpg' });
  await expect(dialog.getByRole('application')).toBeFocused({ timeout: 120_000 });
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('button', { name: 'Stop' })).toBeFocused();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('[data-said]')).toHaveText('Stopped. Your marks are still here.');
  await expect(dialog.getByRole('application')).toBeFocused();
  await expect(marks(dialog)).toHaveText(['Blur 1']);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden({ timeout: 120_000 });
  await photoFacts(page, 'site.jpg', /^Marked up ·/);
});

test('outbox promise 5: a photo of a saved report that waits is drawn on, looked at closely, and only that is sent', async ({
  client,
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  page.setDefaultTimeout(60_000);
  world.offline();
  const photo = await photoFile(folder, 8, 300_000);
  await report(page, { text: 'Waits to be drawn on (markup)', photos: [photo] });
  await rm(photo.path);
  const button = page.getByRole('button', { name: 'Open IMG_1008.jpg' });
  await axe(page, 'a record whose photo waits');
  await look(page, 'waiting-photo');
  await button.click();
  await page.getByRole('button', { name: 'Mark up', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark up IMG_1008.jpg' });
  const stage = dialog.getByRole('application', { name: 'Picture: IMG_1008.jpg' });
  await expect(stage).toBeFocused();
  const said = dialog.locator('[data-said]');
  const scale = () => stage.evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect(said).toHaveText('Enlarged to 225%');
  await expect.poll(scale).toBeCloseTo(2.25);
  await page.keyboard.press('ArrowLeft');
  await look(page, 'editor-zoomed');
  await axe(page, 'the editor, zoomed');
  // While zoomed, a mark is drawn where the pointer was.
  await page.keyboard.press('b');
  const box = await dialog.locator('.stage').boundingBox();
  if (box === null) throw new Error('no stage');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 60, { steps: 3 });
  await page.mouse.up();
  await expect(marks(dialog)).toHaveText(['Blur 1']);
  const mark = await dialog.locator('canvas').boundingBox();
  if (mark === null) throw new Error('no picture');
  await page.keyboard.press('Alt+ArrowRight');
  const left = Math.round(((x - mark.x) / mark.width + 0.002) * 100);
  await expect(said).toContainText(`Blur 1: ${left}% from the left`);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 600);
  await page.keyboard.press('0');
  await expect.poll(scale).toBe(1);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(scale).toBeCloseTo(1.5);
  await dialog.getByRole('button', { name: 'Show the whole picture' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden({ timeout: 120_000 });
  await expect(button).toBeFocused();

  world.online();
  await drained(page);
  const [sent, ...others] = await delivered(client, 'Waits to be drawn on');
  expect(others).toEqual([]);
  expect(sent?.told).not.toBe(photo.sha256);
  expect(sent?.told).toBe(sha256(sent?.bytes ?? Buffer.alloc(0)));
  await button.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark up', exact: true })).toHaveCount(0);
});

/** Everything pressable is at least 44 px each way, and nothing extends beyond the window sideways. */
const fits = async (page: Page, where: string): Promise<void> => {
  const wrong = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role=dialog] button, [role=dialog] input')]
        .map((element) => ({
          box: element.getBoundingClientRect(),
          html: element.outerHTML.slice(0, 90),
        }))
        .filter(
          ({ box }) =>
            box.width < 43.5 || box.height < 43.5 || box.left < -1 || box.right > innerWidth + 1,
        )
        .map(({ box, html }) => `${box.left} ${box.right} ${box.width} x ${box.height} ${html}`),
    );
  await expect.soft.poll(wrong, where).toEqual([]);
};

for (const theme of ['light', 'dark'] as const)
  test(`the editor, ${theme}: axe, targets, 1024 x 640 and 200 % zoom`, async ({ app, server }) => {
    test.setTimeout(600_000);
    const { page } = await formWithPhoto(app, server, 'Edge without a rail (markup looks)');
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await photoDeed(page, 'site.jpg', 'Mark up');
    const dialog = await opened(page);
    for (const key of ['e', 'p', 'a', 'b', 't']) {
      await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      if (key === 't') await page.keyboard.type('Loose board');
      else
        for (let at = 0; at < 8; at += 1)
          await page.keyboard.press(
            key === 'e' ? 'ArrowLeft' : key === 'p' ? 'ArrowUp' : 'ArrowRight',
          );
    }
    for (const [name, width, height] of [
      ['wide', 1366, 860],
      ['1024', 1024, 640],
      ['zoomed', 512, 320],
    ] as const) {
      await page.setViewportSize({ width, height });
      await axe(page, `${theme} ${name}`);
      await fits(page, `${theme} ${name}`);
      await look(page, `${theme}-${name}`);
    }
    // Everything can be reached by scrolling, including the picture.
    await dialog.getByRole('button', { name: 'Delete' }).scrollIntoViewIfNeeded();
    await dialog.locator('canvas').scrollIntoViewIfNeeded();
    await look(page, `${theme}-zoomed-picture`);
    await page.setViewportSize({ width: 1024, height: 640 });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await axe(page, `${theme} asking`);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'More for site.jpg' }).scrollIntoViewIfNeeded();
    await axe(page, `${theme} form`);
    await look(page, `${theme}-form`);
  });

/**
 * Every screen in both themes against the real service: axe finds nothing (text contrast at the stricter 7:1 too), what can
 * be pressed is large enough, nothing is cut off or covered at 200 % zoom, and the main job goes by keyboard alone.
 */
import type { Page } from 'playwright/test';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { expect, test, type Fixtures } from './fixtures.ts';
import { axe, axeInBoth } from './looks.ts';
import { connectToServer, photoFile, report } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  return page;
};

/** Whatever can be pressed and seen is at least 44 px high, but for links inside a sentence. */
const targets = async (page: Page, where: string): Promise<void> => {
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button, a.button, a.place, a.new, input, select, textarea, [role=option]',
      ),
    ]
      .filter((element) => element.checkVisibility() && !element.closest('.sr, [hidden]'))
      .filter((element) => !element.matches('.sr, .skip'))
      .map((element) => ({
        box: element.getBoundingClientRect(),
        text: element.outerHTML.slice(0, 90),
      }))
      .filter(({ box }) => box.width > 0 && box.height < 43.5)
      .map(({ box, text }) => `${box.height} ${text}`),
  );
  expect.soft(small, where).toEqual([]);
};

/** Nothing reaches beyond the window sideways, and the middle of every control is its own, not something's over it. */
const fits = async (page: Page, where: string): Promise<void> => {
  const wrong = await page.evaluate(() => {
    const out: string[] = [];
    const wide = document.documentElement;
    if (wide.scrollWidth > wide.clientWidth)
      out.push(`the window scrolls sideways: ${wide.scrollWidth}`);
    for (const element of document.querySelectorAll('button, a[href], input, select, textarea')) {
      if (!element.checkVisibility() || element.closest('.sr') || element.matches('.sr, .skip'))
        continue;
      element.scrollIntoView({ block: 'center', inline: 'nearest' });
      const box = element.getBoundingClientRect();
      if (box.width === 0) continue;
      const name = element.outerHTML.slice(0, 90);
      if (box.right > innerWidth + 1 || box.left < -1) out.push(`cut off: ${name}`);
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (
        top !== null &&
        !element.contains(top) &&
        !top.contains(element) &&
        !top.closest('.toasts')
      )
        out.push(`covered by ${top.outerHTML.slice(0, 60)}: ${name}`);
    }
    return out;
  });
  expect.soft(wrong, where).toEqual([]);
};

/** Goes through every screen and hands each to `look`. Two near misses wait when Waiting is looked at. */
const tour = async (
  page: Page,
  { server, folder }: Pick<Fixtures, 'server' | 'folder'>,
  look: (name: string) => Promise<void>,
): Promise<void> => {
  const go = (name: string | RegExp) =>
    page.getByRole('link', { name, exact: true }).first().click();
  await look('list');
  await page.locator('.scroller a').first().click();
  await expect(page.getByRole('region', { name: 'Delivery receipt' })).toBeVisible();
  await look('detail');
  await go('New near miss');
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await look('capture, unfolded');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/fields? to complete/)).toBeVisible();
  await look('capture, with errors');
  await go('Near misses');
  await server.stop();
  const photo = await photoFile(folder, 1, 60_000);
  await report(page, { text: 'Board slid off level 3', photos: [photo] });
  await page.getByRole('button', { name: 'Open IMG_1001.jpg' }).click();
  await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await axeInBoth(page, 'photo viewer');
  await page.keyboard.press('Escape');
  await report(page, { text: 'Rail loose at the east edge', photos: [] });
  await look('detail, waiting');
  await go(/^Waiting/);
  await expect(page.getByText('Everything below is safe on this laptop.')).toBeVisible();
  await look('waiting, offline');
  await go('Recycle bin');
  await expect(page.getByRole('button', { name: 'All 6', exact: true })).toBeVisible();
  await look('recycle bin');
  await go('Settings');
  await look('settings');
  await page.getByRole('link', { name: 'Change connection' }).click();
  await expect(page.getByRole('heading', { name: 'Where should near misses go?' })).toBeVisible();
  await look('connect');
};

const SIZES = [
  ['200 % zoom of a 1366 px laptop', { width: 683, height: 430 }],
  ['a window of 1024 x 640', { width: 1024, height: 640 }],
] as const;

test('every screen, light and dark: axe with 7:1 contrast, targets of 44 px; zoomed nothing cut off, nothing covered', async ({
  app,
  server,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await expect(page.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
  await axeInBoth(page, 'connect, first');
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await tour(page, { server, folder }, async (name) => {
    await axeInBoth(page, name);
    await targets(page, name);
    // Zoomed windows show the icons of the rail and the search above the list.
    for (const [what, size] of SIZES) {
      await page.setViewportSize(size);
      await fits(page, `${name}, ${what}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});

test('200 % zoom of 1024 x 640: all is done there too, nothing cut off, nothing covered', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await page.setViewportSize({ width: 512, height: 320 });
  await tour(page, { server, folder }, (name) => fits(page, name));
});

test('the main job by keyboard alone: record, save with Ctrl+Enter, read it back from the list', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.keyboard.press('Alt+n');
  await expect(page.getByLabel('What happened?')).toBeFocused();
  await page.keyboard.type('Ladder not tied at lift shaft 2');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /Serious/ })).toBeChecked();
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  await incident.focus();
  await page.keyboard.type('pier');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(incident).toHaveValue(/Pier/);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Saved on this laptop.')).toBeVisible();
  await expect(
    page.getByRole('heading', { name: 'Ladder not tied at lift shaft 2' }),
  ).toBeVisible();
  const rows = page.locator('.scroller a');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.locator('.scroller [aria-posinset="251"] a')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.locator('.scroller [aria-posinset="1"] a')).toBeFocused();
});

test('a draft is there again after a reload, with its photo, and can be thrown away', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Half a sen');
  const photo = await photoFile(folder, 7, 60_000);
  await page.locator('input[type=file]').setInputFiles(photo.path);
  await expect(page.getByRole('button', { name: 'Remove IMG_1007.jpg' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Continue Half a sen' }).click();
  await expect(page.getByText('You are continuing a draft.')).toBeVisible();
  await expect(page.getByLabel('What happened?')).toHaveValue('Half a sen');
  await expect(page.getByRole('button', { name: 'Remove IMG_1007.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('');
  await expect(page.getByText('You are continuing a draft.')).toBeHidden();
});

test('an unfinished edit is there again after a reload, with its photo; thrown away it is gone, saved it is no draft any more', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await report(page, { text: 'Handrail loose', photos: [] });
  const photo = await photoFile(folder, 8, 60_000);
  const edit = () => page.getByRole('link', { name: 'Edit', exact: true }).click();
  const what = page.getByLabel('What happened?');
  const back = page.getByText('You have unsaved changes.');
  await edit();
  await what.fill('Handrail loose at axis 4, half a sen');
  await page.locator('input[type=file]').setInputFiles(photo.path);
  await expect(page.getByRole('button', { name: 'Remove IMG_1008.jpg' })).toBeVisible();
  await page.reload();
  await expect(back).toBeVisible();
  await expect(what).toHaveValue('Handrail loose at axis 4, half a sen');
  await expect(page.getByRole('button', { name: 'Remove IMG_1008.jpg' })).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect(what).toHaveValue('');
  await page.goBack();

  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await expect(what).toHaveValue('Handrail loose');
  await expect(back).toBeHidden();
  await expect(page.getByRole('button', { name: 'Remove IMG_1008.jpg' })).toBeHidden();

  await what.fill('Handrail loose at axis 4');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Handrail loose at axis 4' })).toBeVisible();
  await edit();
  await expect(what).toHaveValue('Handrail loose at axis 4');
  await expect(back).toBeHidden();
});

test('recycle bin: sent there, undone, sent there again, restored', async ({ app, server }) => {
  const page = await open(app, server);
  await report(page, { text: 'Acetylene bottle beside the heater', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  await page.getByRole('button', { name: 'Send to recycle bin' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: /Acetylene bottle/ })).toBeVisible();
  await page.getByRole('link', { name: /Acetylene bottle/ }).click();
  await page.getByRole('button', { name: 'Send to recycle bin' }).click();
  await expect(page.getByText('Sent to the recycle bin.')).toBeVisible();
  await page.getByRole('link', { name: 'Recycle bin', exact: true }).click();
  const restore = page.getByRole('button', { name: 'Restore: Acetylene bottle beside the heater' });
  await restore.click();
  await expect(restore).toBeHidden();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(page.getByRole('link', { name: /Acetylene bottle/ })).toBeVisible();
});

test('a machine without a camera: the words say so, the files are offered, the focus comes back', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Take a photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a photo' });
  await expect(dialog.getByText('No camera was found on this computer.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Choose files instead' })).toBeVisible();
  await axe(page, 'camera, none');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Take a photo' })).toBeFocused();
});

test('search narrows as typed and offline too, chips narrow further, one press shows all again', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await server.stop();
  const rows = page.locator('.scroller li');
  const search = page.getByRole('searchbox', { name: 'Search near misses' });
  await search.fill('GAS bottle');
  await expect(rows.first()).toContainText('gas bottle');
  await expect(page.getByRole('button', { name: /^All \d+$/ })).not.toHaveText('All 250');
  await search.fill('bottle gas');
  await expect(page.getByText('Showing reports with all of these words.')).toBeVisible();
  await search.fill('no such thing anywhere');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await page.getByRole('button', { name: /^Could have killed/ }).click();
  await expect(rows.first()).toContainText('Could have killed');
  await page.getByRole('button', { name: 'Sort: newest' }).click();
  await page.getByRole('menuitem', { name: 'Harm source' }).click();
  await page.getByRole('button', { name: 'A to Z (click to reverse)' }).click();
  await expect(page.getByRole('button', { name: 'Z to A (click to reverse)' })).toBeVisible();
});

test('what was never sent can be taken back and is a draft again, with its photo', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await server.stop();
  const photo = await photoFile(folder, 3, 60_000);
  await report(page, { text: 'First, to meet the closed door', photos: [] });
  await page.getByRole('link', { name: /^Waiting/ }).click();
  await expect(page.getByText('Everything below is safe on this laptop.')).toBeVisible();
  await report(page, { text: 'Taken back', photos: [photo] });
  await page.getByRole('link', { name: /^Waiting/ }).click();
  await page.getByRole('button', { name: 'More for Taken back' }).click();
  await page.getByRole('menuitem', { name: 'Cancel sending', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel sending' }).click();
  await expect(page.getByText('Sending cancelled.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Waiting, 1 item' })).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'Continue Taken back' }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('Taken back');
  await expect(page.getByRole('button', { name: 'Remove IMG_1003.jpg' })).toBeVisible();
});

test('the theme chosen in Settings is there after a reload', async ({ app, server }) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Easier at night').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('radio', { name: /^Dark/ })).toBeChecked();
});

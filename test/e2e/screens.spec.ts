/**
 * Every screen in both themes against the real service: axe finds nothing (including text contrast of 7:1), targets are large
 * enough, nothing is cut off or covered at 200 % zoom, and the main job works by keyboard alone.
 */
import type { Page } from 'playwright/test';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { misfits } from '../support/misfits.ts';
import { expect, test, type Fixtures } from './fixtures.ts';
import { axeInBoth } from './looks.ts';
import { connectToServer, photoFile, pressMore, report } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  return page;
};

/** Everything pressable and visible is at least 44 px high, except links inside a sentence. */
const targets = async (page: Page, where: string): Promise<void> => {
  const small = () =>
    page.evaluate(() =>
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
  await expect.soft.poll(small, where).toEqual([]);
};

const fits = async (page: Page, where: string): Promise<void> =>
  expect.soft.poll(() => page.evaluate(misfits), where).toEqual([]);

/** Visits every screen and passes each to `look`. Two near misses are pending when Waiting is shown. */
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
  await page.getByRole('button', { name: 'More details' }).click();
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
  await go('Near misses');
  await pressMore(page, 'Recycle bin');
  await expect(page.getByRole('button', { name: 'All 6', exact: true })).toBeVisible();
  await look('recycle bin');
  await go(/^Follow-ups/);
  await expect(page.getByRole('heading', { name: 'Follow-ups', level: 1 })).toBeAttached();
  await look('follow-ups');
  await go('Help');
  await expect(page.getByText('Has my report reached the office?')).toBeVisible();
  await look('help');
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

test(
  'every screen, light and dark: axe with 7:1 contrast, targets of 44 px; zoomed nothing cut off, nothing covered',
  { tag: '@main' },
  async ({ app, server, folder }) => {
    const page = await app.open();
    page.setDefaultTimeout(60_000);
    await expect(page.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
    await axeInBoth(page, 'connect, first');
    await connectToServer(page, server, 'Harbour Bridge East');
    await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
    await tour(page, { server, folder }, async (name) => {
      await axeInBoth(page, name);
      await targets(page, name);
      // Zoomed windows show the rail's icons and the search above the list.
      for (const [what, size] of SIZES) {
        await page.setViewportSize(size);
        await fits(page, `${name}, ${what}`);
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    });
  },
);

test(
  'the main job by keyboard alone: record, save with Ctrl+Enter, read it back from the list',
  { tag: '@main' },
  async ({ app, server }) => {
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
  },
);

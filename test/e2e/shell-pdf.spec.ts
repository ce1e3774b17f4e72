/**
 * PDF files that the Electron shell saves: the built main process with test/electron in Electron's place. The pages are those
 * that Print would print, rendered by real Chromium.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { countPresses } from './presses.ts';
import { pagesIn } from './printing.ts';
import { pressMore, report, useThisLaptop } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

/** Waits for the save dialog, answers it with this path, and returns the number of pages. */
const savedPdf = async (app: App, path: string): Promise<number> => {
  const { id } = await app.electron.dialog(/Save as PDF/);
  await app.electron.ask('answer', { id, button: 0, path });
  await expect.poll(() => (existsSync(path) ? pagesIn(readFileSync(path)) : 0)).toBeGreaterThan(0);
  await expect(app.window.locator('.paper')).toHaveCount(0);
  return pagesIn(readFileSync(path));
};

test('Save as PDF writes the pages that Print would print, and lets go of them; cancelled it writes nothing', async ({
  app,
  folder,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await page.locator('.scroller a').first().click();
  await expect(page.getByRole('region', { name: 'Delivery receipt' })).toBeVisible();
  const sheets = page.locator('article.sheet');
  const path = join(folder, 'report.pdf');
  for (const answer of ['', path]) {
    await app.electron.choose('File', 'Save as PDF…');
    const { id } = await app.electron.dialog(/Save as PDF/);
    await expect(sheets).toHaveCount(1);
    await app.electron.ask('answer', { id, button: 0, path: answer });
    await expect(sheets).toHaveCount(0);
    await expect.poll(() => existsSync(path)).toBe(answer !== '');
  }
  await expect.poll(() => readFileSync(path, 'latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
});

for (const [country, paper] of [
  ['DE', '596 x 843'],
  ['US', '612 x 792'],
] as const)
  test(`a PDF is for the paper that offices of the system's country have: ${country}, ${paper} points`, async ({
    app,
    folder,
  }) => {
    const page = await app.open({ env: { STAND_IN_COUNTRY: country } });
    await useThisLaptop(page);
    await page.locator('.scroller a').first().click();
    await expect(page.getByRole('region', { name: 'Delivery receipt' })).toBeVisible();
    await app.electron.choose('File', 'Save as PDF…');
    const path = join(folder, 'paper.pdf');
    await savedPdf(app, path);
    const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(readFileSync(path, 'latin1'));
    expect([box?.[1], box?.[2]].map((side) => Math.round(Number(side))).join(' x ')).toBe(paper);
  });

test('a toolbox pack of five as a PDF: eight presses and the dialog; the menu saves what is ticked too', async ({
  app,
  folder,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  const rows = page.locator('.scroller [aria-posinset]');
  await expect(rows.nth(4).getByRole('link')).toBeVisible();
  // An open record does not replace the ticked ones.
  await page.setViewportSize({ width: 1366, height: 768 });
  await rows.first().getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Delivery receipt' })).toBeVisible();
  const presses = await countPresses(page);
  await pressMore(page, 'Select');
  for (let at = 0; at < 5; at += 1) await rows.nth(at).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Toolbox talk as PDF' }).click();
  expect(await presses()).toBe(8);
  const talks = page.locator('.paper article');
  await expect(talks).toHaveCount(5);
  expect(await savedPdf(app, join(folder, 'pack.pdf'))).toBe(5);

  await app.electron.choose('File', 'Save as PDF…');
  await expect(talks).toHaveCount(5);
  expect(await savedPdf(app, join(folder, 'menu.pdf'))).toBe(5);
});

test('"Saved", Share and the week on a page save a PDF without the dialog that prints', async ({
  app,
  folder,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await report(page, { text: 'Hook swung over the stair', photos: [] });
  const saved = page.getByRole('region', { name: 'Notices' });
  await expect(saved.getByRole('button', { name: 'Print the report' })).toBeVisible();
  await saved.getByRole('button', { name: 'Save as PDF' }).click();
  expect(await savedPdf(app, join(folder, 'saved.pdf'))).toBe(1);

  for (const [at, deed] of ['Save as PDF', 'Save as PDF with names'].entries()) {
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: deed, exact: true }).click();
    await expect(page.locator('.paper article')).toContainText('Hook swung over the stair');
    expect(await savedPdf(app, join(folder, `share-${at}.pdf`))).toBe(1);
  }

  await page.goto(`${new URL(page.url()).origin}/index.html#/insights/week`);
  await expect(page.getByRole('heading', { name: 'The week on a page' })).toBeVisible();
  await expect(page.getByText('Week before: ').first()).toBeVisible();
  await page.getByRole('button', { name: 'Save as PDF' }).click();
  expect(await savedPdf(app, join(folder, 'week.pdf'))).toBe(1);
});

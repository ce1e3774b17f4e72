/**
 * What a supervisor prints: one near miss, a toolbox pack, the list. Each is made offline from this laptop's data; the presses
 * of the main tasks are counted.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import readExcel from 'read-excel-file/node';
import type { Server } from '../support/server.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { countPresses } from './presses.ts';
import { countPrints, hasPrinted, paperOf } from './printing.ts';
import { connectToServer, photoFile, pressMore, report } from './steps.ts';

test.use({ apart: false });

const open = async (app: App, server: Server): Promise<Page> => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  await countPrints(page);
  return page;
};
const rows = (page: Page) => page.locator('.scroller [aria-posinset]');

const LONG = `Crane hook swung over the north stair. ${'Nobody had closed the walkway below it. '.repeat(60)}`;
const WORD = 'x'.repeat(300);

test('a near miss on paper: nothing of its delivery, names only when asked for', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await server.stop();
  const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(folder, seed, 300_000)));
  await report(page, { text: `${LONG}\n\n${WORD}`, photos });
  const pane = page.getByRole('region', { name: 'Near miss', exact: true });
  // A double press, as people do: the second press must not remove the pages of the first.
  await pane.getByRole('button', { name: 'Print', exact: true }).dblclick();
  await hasPrinted(page, 1);
  const own = await paperOf(page, 'paper-report');
  expect(own.pages).toBeGreaterThanOrEqual(2);
  expect(own.pages).toBeLessThanOrEqual(4);
  expect(own.text).toContain('Harbour Bridge East');
  expect(own.text).toContain('Near miss report');
  expect(own.text).not.toMatch(/sha256|On this laptop|Saved on this laptop|IMG_100/);
  // The pages are removed after printing.
  await expect(page.locator('.paper')).toHaveCount(0);

  // A record of the server, which names persons.
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('searchbox').first().fill('Concrete hose');
  await expect(rows(page).first()).toContainText('Concrete hose');
  await rows(page).first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Concrete hose');
  const facts = page.locator('dl');
  await expect(facts.getByText('Reported by')).toBeVisible();
  const person = await facts.locator('div', { hasText: 'Reported by' }).locator('dd').innerText();
  const number = /\d+-\d+/.exec(await page.locator('.over').innerText())?.[0] ?? 'none';
  await page.keyboard.press('Control+p');
  await hasPrinted(page, 2);
  const silent = await paperOf(page, 'paper-silent');
  expect(silent.text).toContain(number);
  expect(silent.text).toContain('Potential severity');
  expect(silent.text).not.toContain(person);
  expect(silent.pages).toBe(1);
  await page.getByRole('button', { name: 'Share' }).click();
  // In a browser the print dialog also saves PDFs, and the menu says so.
  await expect(page.getByRole('menuitem', { name: 'Print or save as PDF' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Print with names' }).click();
  await hasPrinted(page, 3);
  expect((await paperOf(page, 'paper-names')).text).toContain(person);
});

test('a toolbox pack of five: eight presses, five pages without names, A4 and Letter', async ({
  app,
  server,
  folder,
}) => {
  const page = await open(app, server);
  await server.stop();
  const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(folder, seed, 300_000)));
  await report(page, { text: `${LONG}\n\n${WORD}`, photos });
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(page.getByRole('button', { name: 'All 251' })).toBeVisible();
  await expect(rows(page).nth(4).getByRole('link')).toBeVisible();

  const presses = await countPresses(page);
  await pressMore(page, 'Select');
  for (let at = 0; at < 5; at += 1) await rows(page).nth(at).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Toolbox talk' }).click();
  await hasPrinted(page, 1);
  expect(await presses()).toBe(8);
  await expect(page.locator('.paper article')).toHaveCount(5);
  await expect(page.locator('.paper img')).not.toHaveCount(0);
  const pack = await paperOf(page, 'paper-pack');
  expect(pack.pages).toBe(5);
  expect(pack.text.match(/What could have happened\?/g)).toHaveLength(5);
  expect(pack.text.match(/Signature/g)).toHaveLength(10);
  expect(pack.text).not.toMatch(/Reported by|Affected person/);
  await expect(page.locator('.paper')).toHaveCount(0);

  // Ticked records take precedence over the list, also by keyboard.
  await page.keyboard.press('Control+p');
  await hasPrinted(page, 2);
  await expect(page.locator('.paper article')).toHaveCount(5);
  // Nothing overlaps: checked on a Letter page's printable area, the smaller one.
  await page.setViewportSize({ width: 710, height: 950 });
  await page.emulateMedia({ media: 'print' });
  const over = await page.locator('.paper article').evaluateAll((sheets) =>
    sheets.flatMap((sheet) => {
      const bottom = sheet.getBoundingClientRect().bottom;
      const boxes = [...sheet.children].map((child) => child.getBoundingClientRect());
      return boxes.flatMap((box, at) => {
        const next = boxes[at + 1]?.top ?? bottom + 1;
        return box.bottom > next + 1 ? [`${at}: ${box.bottom} > ${next}`] : [];
      });
    }),
  );
  expect(over).toEqual([]);
  const pictures = page.locator('.paper img');
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect.poll(async () => (await picture.boundingBox())?.height).toBeGreaterThan(100);
  await page.setViewportSize({ width: 1280, height: 860 });
  expect((await paperOf(page, 'paper-pack-letter', 'Letter')).pages).toBe(5);
});

test('the list on paper: as it is narrowed, a line each', async ({ app, server }) => {
  const page = await open(app, server);
  await server.stop();
  await page.getByRole('searchbox').first().fill('lifting');
  await expect(rows(page).first().locator('mark').first()).toHaveText(/lifting/i);
  const total = Number(await rows(page).first().getAttribute('aria-setsize'));
  await pressMore(page, 'Print the list');
  await hasPrinted(page, 1);
  await expect(page.locator('.paper tbody tr')).toHaveCount(total);
  const list = await paperOf(page, 'paper-list');
  expect(list.text).toContain('“lifting”');
  expect(list.pages).toBeGreaterThanOrEqual(1);
  expect(list.pages).toBeLessThanOrEqual(Math.ceil(total / 12) + 1);
});

test('last month to Excel: three presses from any screen, every near miss in the file', async ({
  app,
  server,
  client,
}) => {
  const page = await open(app, server);
  const now = new Date();
  const first = new Date(now.getFullYear(), now.getMonth() - 1, 1);
  const next = new Date(now.getFullYear(), now.getMonth(), 1);
  const all = (await client.get('~/incidents/near_misses?per_page=1000')).json as {
    full_number: string;
    created_at: string;
    description_plain_text: string;
  }[];
  const theirs = all.filter(({ created_at }) => {
    const at = new Date(created_at);
    return at >= first && at < next;
  });
  expect(theirs.length).toBeGreaterThan(0);
  await server.stop();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  const presses = await countPresses(page);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  const coming = page.waitForEvent('download');
  await pressMore(page, 'Export: Last month to Excel');
  const saved = await coming;
  expect(await presses()).toBe(3);
  expect(saved.suggestedFilename()).toMatch(/^near-misses-\d{4}-\d\d-\d\d\.xlsx$/);
  const read = await readExcel(await readFile(await saved.path()));
  const [head = [], ...records] = read[0]?.data ?? [];
  const column = (name: string) => records.map((row) => row[head.indexOf(name)]);
  expect(column('Number').toSorted()).toEqual(theirs.map((one) => one.full_number).toSorted());
  expect(column('Photos').every((count) => typeof count === 'number')).toBe(true);
  expect(column('Reported').every((at) => at instanceof Date)).toBe(true);
});

test('the week on a page: counted offline, one page on paper, a workbook that says the same', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await server.stop();
  // As many as the page names, each with a text too long for its place.
  for (const place of ['gate', 'hoist', 'stair', 'pier', 'deck', 'crane'])
    await report(page, { text: `Board fell beside the ${place}. ${WORD}`, photos: [] });
  await page.getByRole('link', { name: 'Insights' }).click();
  await page.getByRole('link', { name: 'The week on a page' }).click();
  await expect(page.getByRole('heading', { name: 'The week on a page' })).toBeVisible();
  const total = page.locator('.card', {
    has: page.getByRole('heading', { name: 'Near misses reported' }),
  });
  const count = async () => Number(await total.locator('.big').innerText());
  await expect.poll(count).toBeGreaterThan(0);
  const now = await count();
  await look(page, 'week');
  // No row of cards ends half empty.
  for (const width of [683, 1024, 1366, 1920, 2560]) {
    await page.setViewportSize({ width, height: 860 });
    const ends = () =>
      page.locator('.figures, .lists').evaluateAll((all) =>
        all.map((row) => {
          const boxes = [...row.children].map((one) => one.getBoundingClientRect());
          const tops = new Set(boxes.map(({ top }) => Math.round(top)));
          return [...tops].map((top) =>
            Math.round(
              row.getBoundingClientRect().right -
                Math.max(
                  ...boxes.filter((box) => Math.round(box.top) === top).map(({ right }) => right),
                ),
            ),
          );
        }),
      );
    await expect.poll(async () => (await ends()).flat().filter((left) => left > 1)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await hasPrinted(page, 1);
  expect((await paperOf(page, 'week-letter', 'Letter')).pages).toBe(1);
  const paper = await paperOf(page, 'week');
  expect(paper.pages).toBe(1);
  expect(paper.text).toContain('Harbour Bridge East');

  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel', exact: true }).click();
  const saved = await coming;
  const rows_read = (await readExcel(await readFile(await saved.path())))[0]?.data ?? [];
  expect(rows_read[1]).toEqual(['Near misses reported', null, now, expect.any(Number)]);
  const days = rows_read.filter(([figure]) => figure === 'Day by day');
  expect(days).toHaveLength(7);
  expect(days.reduce((sum, [, , n]) => sum + Number(n), 0)).toBe(now);

  const follow_up = (figure: string) =>
    rows_read.find(([of, name]) => of === 'Follow-up' && name === figure)?.slice(2) ?? [];
  const [to_do, to_do_before] = follow_up('Open');
  const [overdue, overdue_before] = follow_up('Overdue');
  expect([to_do, to_do_before, overdue, overdue_before].every(Number.isInteger)).toBe(true);
  const said = (n: unknown, late: unknown) => (late === 0 ? `${n}` : `${n}, ${late} overdue`);
  const section = page.locator('.card', {
    has: page.getByRole('heading', { name: /^Open follow-ups/u }),
  });
  await expect(section).toContainText(`Open follow-ups: ${said(to_do, overdue)}`);
  await expect(section).toContainText(`Week before: ${said(to_do_before, overdue_before)}`);

  // The previous week is the one this week was compared with, with follow-ups as they were then.
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect.poll(count).toBe(Number(rows_read[1]?.[3]));
  await expect(section.getByRole('heading')).toHaveText(
    new RegExp(`^Open follow-ups on .*: ${said(to_do_before, overdue_before)}$`, 'u'),
  );
});

test('from "Saved": copied, mailed or printed in one press, also when another is typed', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await server.stop();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await report(page, { text: 'Hook swung over the stair', photos: [] });
  const saved = page.getByRole('region', { name: 'Notices' });
  await expect(saved.getByRole('button', { name: 'Email' })).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Plank fell at gate 2');
  await page.getByRole('button', { name: 'Save and add another' }).click();
  await expect(page.getByLabel('What happened?')).toHaveValue('');
  const presses = await countPresses(page);
  await saved.getByRole('button', { name: 'Copy as text' }).click();
  await expect(page.getByText('Copied. No names are in it.')).toBeVisible();
  expect(await presses()).toBe(1);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('Plank fell at gate 2');
  expect(copied).toContain('Harbour Bridge East');

  await page.getByLabel('What happened?').fill('Rail loose at the east edge');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  await saved.hover();
  const shots = process.env['SPOTTER_LOOKS'];
  if (shots) await page.screenshot({ path: `${shots}/saved-share.png` });
  await axe(page, 'saved, shared');
  await saved.getByRole('button', { name: 'Print or save as PDF' }).click();
  await hasPrinted(page, 1);
  expect((await paperOf(page, 'paper-saved')).text).toContain('Rail loose at the east edge');
});

test('decisions §4.12: a slip with an answer code: one page, in the language chosen on it, nothing of the report', async ({
  app,
  server,
}) => {
  const page = await open(app, server);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Hoist hook bent');
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await job.inputValue()) === '') {
    await job.click();
    await page.getByRole('option').first().click();
  }
  await page.getByRole('button', { name: 'Change: Who saw it' }).click();
  await page.getByText('Somebody who stays unnamed').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Code for the answer' });
  const code = await dialog.getByText(/^[A-Z]{3} [A-Z]{3}$/).innerText();
  await dialog.getByRole('button', { name: 'Español' }).click();
  await dialog.getByRole('button', { name: 'Print the slip' }).click();
  await hasPrinted(page, 1);
  const slip = await paperOf(page, 'paper-slip');
  expect(slip.pages).toBe(1);
  for (const part of [
    code,
    'Harbour Bridge East',
    '¿Qué pasó con el reporte?',
    'Respuesta para un código',
  ])
    expect(slip.text).toContain(part);
  expect(slip.text).not.toContain('Hoist');
  // The dialog stays for the code to be read out.
  await expect(dialog).toBeVisible();
});

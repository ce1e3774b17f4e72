/**
 * A draft survives another program on the window's port, a lost database and a new browser profile. It returns with its photo
 * and its newest words. Discarded or saved drafts do not return.
 */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, photoFile } from './steps.ts';

const what = (page: Page) => page.getByLabel('What happened?');
const photo = (page: Page) => page.getByRole('button', { name: 'More for IMG_1001.jpg' });
/** True if the journal on disk contains `text`. */
/** A draft names its photo before the photo is on disk; a photo that is on disk has a state. */
const journalSays = (data_dir: string, text: string): boolean =>
  readFileSync(join(data_dir, 'journal/journal.log'), 'utf8').includes(text);

test.skip(({ shell }) => shell !== 'browser', 'ports and profiles of the browser shell');

test('A18: another program takes the window’s port: drafts and what waits are there on another one, and the first comes back', async ({
  app,
  server,
  folder,
  afterApp,
}) => {
  test.setTimeout(600_000);
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  await page.keyboard.press('Alt+n');
  await what(page).fill('Thrown away for good');
  await expect.poll(() => journalSays(app.data_dir, 'Thrown away for good')).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Discard Thrown away for good' }).click();
  await expect(what(page)).toHaveValue('');
  await what(page).fill('Board slid off level 3');
  await page.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await expect(photo(page)).toBeVisible();
  await expect.poll(() => journalSays(app.data_dir, '"state":"draft"')).toBe(true);
  const first = new URL(page.url());
  await app.close();

  const other = createServer().listen(Number(first.port), '127.0.0.1');
  await once(other, 'listening');
  afterApp(() => void other.close());
  const there = await app.open();
  there.setDefaultTimeout(60_000);
  expect(new URL(there.url()).port).not.toBe(first.port);
  await expect.poll(() => app.output).toContain(`Port ${first.port}, where this window was before`);
  await expect(there.getByText(`Another program is using port ${first.port}`)).toBeVisible();
  // Frame and banner are drawn before the screen.
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible();
  await look(there, 'port-taken');
  await there.getByRole('link', { name: 'New near miss' }).click();
  await there.getByRole('button', { name: 'Continue Board slid off level 3' }).click();
  await expect(what(there)).toHaveValue('Board slid off level 3');
  await expect(photo(there)).toBeVisible();
  await expect(there.getByText('Thrown away for good')).toHaveCount(0);
  await what(there).fill('Board slid off level 3, nobody under it');
  await expect.poll(() => journalSays(app.data_dir, 'nobody under it')).toBe(true);
  await app.close();

  other.close();
  await once(other, 'close');
  const back = await app.open();
  back.setDefaultTimeout(60_000);
  expect(new URL(back.url()).origin).toBe(first.origin);
  await back.getByRole('link', { name: 'New near miss' }).click();
  await back.getByRole('button', { name: 'Continue Board slid off level 3' }).click();
  await expect(what(back)).toHaveValue('Board slid off level 3, nobody under it');
  await expect(photo(back)).toBeVisible();
  await expect(back.getByText('Thrown away for good')).toHaveCount(0);
});

test('A18: IndexedDB is deleted: the draft is there with its photo; thrown away it never comes back', async ({
  app,
  server,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await server.stop();
  await page.keyboard.press('Alt+n');
  await what(page).fill('Ladder too short');
  await page.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await expect(photo(page)).toBeVisible();
  await expect.poll(() => journalSays(app.data_dir, '"state":"draft"')).toBe(true);
  await app.kill();
  rmSync(join(app.profile_dir, 'IndexedDB'), { recursive: true });

  const again = await app.open();
  again.setDefaultTimeout(60_000);
  await again.getByRole('link', { name: 'New near miss' }).click();
  await again.getByRole('button', { name: 'Continue Ladder too short' }).click();
  await expect(what(again)).toHaveValue('Ladder too short');
  await expect(photo(again)).toBeVisible();
  await again.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(what(again)).toHaveValue('');
  await expect.poll(() => journalSays(app.data_dir, '"thrown_at"')).toBe(true);
  await app.kill();
  rmSync(join(app.profile_dir, 'IndexedDB'), { recursive: true });

  const last = await app.open();
  last.setDefaultTimeout(60_000);
  await last.getByRole('link', { name: 'New near miss' }).click();
  await expect(what(last)).toHaveValue('');
  await expect(last.getByText('Ladder too short')).toHaveCount(0);
});

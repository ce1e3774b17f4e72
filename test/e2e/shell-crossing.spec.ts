/**
 * What the Electron shell must not lose: a draft that moves between the browser shell and Electron, an upload interrupted by a
 * quit, and a link whose press leads nowhere and says so. Starts in real Chromium and continues in the built shell.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { createApp } from './app.ts';
import { expect, test } from './fixtures.ts';
import { asStored, drained, photoFile, report, sorted, storedAt } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

const what = (page: Page) => page.getByLabel('What happened?');
const photo = (page: Page, name: string) => page.getByRole('button', { name: `More for ${name}` });

test('failures A18: a draft with its photo crosses from the browser shell to Electron and back; nothing is asked', async ({
  app,
  folder,
  afterApp,
}) => {
  test.setTimeout(600_000);
  const { app: browser, isOpen } = createApp('browser', app.data_dir);
  afterApp(async () => {
    if (isOpen()) await browser.kill();
  });
  /** Waits until the journal on disk has this. */
  const written = (pattern: RegExp) =>
    expect
      .poll(() => pattern.test(readFileSync(join(app.data_dir, 'journal/journal.log'), 'utf8')))
      .toBe(true);
  /** The row of the photo. A photo that is still being read is named in the draft alone. */
  const rowOf = (name: string) => new RegExp(`"photos":\\[.*${name.replace('.', '\\.')}`);
  const goOn = async (page: Page, text: string, photos: readonly string[]) => {
    page.setDefaultTimeout(60_000);
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page.getByRole('button', { name: `Continue ${text}` }).click();
    await expect(what(page)).toHaveValue(text, { timeout: 60_000 });
    for (const name of photos) await expect(photo(page, name)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(/damaged|restored from the backup/)).toHaveCount(0);
  };

  const first = await browser.open();
  first.setDefaultTimeout(60_000);
  await first.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect(first.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 120_000 });
  await first.getByRole('link', { name: 'New near miss' }).click();
  await what(first).fill('Begun in Chromium');
  await first.locator('input[type=file]').setInputFiles((await photoFile(folder, 1, 60_000)).path);
  await expect(photo(first, 'IMG_1001.jpg')).toBeVisible();
  await written(rowOf('IMG_1001.jpg'));
  await browser.close();

  const there = await app.open();
  await goOn(there, 'Begun in Chromium', ['IMG_1001.jpg']);
  await what(there).fill('Begun in Chromium, gone on with in Electron');
  await there.locator('input[type=file]').setInputFiles((await photoFile(folder, 2, 60_000)).path);
  await expect(photo(there, 'IMG_1002.jpg')).toBeVisible();
  await written(/gone on with in Electron/);
  await written(rowOf('IMG_1002.jpg'));
  await app.close();

  const back = await browser.open();
  await goOn(back, 'Begun in Chromium, gone on with in Electron', ['IMG_1001.jpg', 'IMG_1002.jpg']);
});

test('failures A1: quit in the middle of an upload, the app ends in order; the next start sends the rest, each byte once', async ({
  app,
  chaos,
  client,
  world,
  keyring,
  folder,
}) => {
  const sent = [{ text: 'Quit in the middle (mid-quit)', photos: [await photoFile(folder, 1)] }];
  const gate = Promise.withResolvers<void>();
  try {
    const page = await world.open({ env: keyring.env });
    let parts = 0;
    let held = false;
    chaos.plan = (seen) => {
      if (seen.method !== 'PUT' || (parts += 1) !== 2) return null;
      held = true;
      return { kind: 'hold_request', after: 200_000, until: gate.promise };
    };
    for (const one of sent) await report(page, one);
    await expect.poll(() => held, { timeout: 120_000 }).toBe(true);
    const { process: host } = app.electron;
    await app.close();
    expect(host.exitCode).toBe(0);
    gate.resolve();
    chaos.plan = () => null;
    const again = await app.open({ env: keyring.env });
    await expect
      .poll(async () => sorted(await storedAt(client, 'mid-quit')), { timeout: 120_000 })
      .toEqual(sorted(asStored(sent)));
    await drained(again);
  } finally {
    gate.resolve();
  }
});

test('a link outside is opened by the system or says why not: no program for http:, an address in this network', async ({
  app,
  client,
  world,
}) => {
  const catalog = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  await client.post('~/incidents/near_misses', {
    near_miss: {
      incident_id: catalog.incidents[0]?.id,
      description: '<p>Rules of the crane</p><p><a href="http://rules.example/a?b=1">rules</a></p>',
    },
  });
  const page = await world.open();
  await page.getByRole('link', { name: /Rules of the crane/ }).click();
  const rules = page.getByRole('link', { name: 'rules', exact: true });
  await rules.click();
  const opened = async () =>
    (await app.electron.ask('calls', null)).filter(({ name }) => name === 'shell.openExternal');
  await expect
    .poll(async () => (await opened()).map(({ given }) => given))
    .toEqual([['http://rules.example/a?b=1']]);
  await app.electron.ask('noProgramFor', { scheme: 'http:' });
  await rules.click();
  await expect(page.getByText('No program on this laptop can open this link')).toBeVisible();
  // Regardless of how such a link got into the page.
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'http://127.0.0.1:9/';
    link.textContent = 'into this network';
    document.querySelector('main')?.prepend(link);
  });
  const before = (await opened()).length;
  await page.getByText('into this network').click();
  await expect(page.getByText('Spotter won’t open this link')).toBeVisible();
  expect(await opened()).toHaveLength(before);
});

/**
 * The waiting screen tells the truth and lets a person decide: what the server refused, what is pending, what was changed or
 * deleted elsewhere, exports to and imports from another laptop. Against the real service.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { tempDir, type Client } from '../support/service.ts';
import { createApp } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import {
  asStored,
  connectToServer,
  drained,
  photoFile,
  pressMore,
  report,
  signIn,
  sorted,
  storedAt,
  waitingCount,
} from './steps.ts';

const toWaiting = (page: Page) =>
  page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
const item = (page: Page, text: string) =>
  page
    .getByRole('region', { name: 'Waiting' })
    .getByRole('listitem')
    .filter({ hasText: text })
    .first();
const refuse = (status: number, errors: unknown) => ({
  kind: 'answer' as const,
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ errors }),
});
const creates = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.includes('/incidents/near_misses');
const idOf = async (client: Client, text: string): Promise<number> => {
  const found = await client.get(
    `~/incidents/near_misses?filters[query]=${encodeURIComponent(text)}`,
  );
  return (found.json as { id: number }[])[0]?.id ?? 0;
};

for (const [status, errors, says] of [
  [
    403,
    ['You are no longer a member of this company.'],
    '“You are no longer a member of this company”',
  ],
  [404, ['Project not found.'], '“Project not found”'],
  [422, { 'near_miss.description': ['is too vague'] }, 'What happened “is too vague”'],
] as const)
  test(`A10: ${status} needs the user, with the server's words; it can be edited and exported, later records go on`, async ({
    chaos,
    client,
    world,
  }) => {
    const page = await world.open();
    let refusing = true;
    let refused = 0;
    chaos.plan = (seen) => {
      if (!refusing || !creates(seen) || refused > 0) return null;
      refused += 1;
      return refuse(status, errors);
    };
    await report(page, { text: 'Refused at first', photos: [] });
    await report(page, { text: 'Goes on', photos: [] });
    await expect(page.getByText('report accepted by the server')).toBeVisible();
    await toWaiting(page);
    await expect(item(page, 'Refused at first').getByText('Needs attention').first()).toBeVisible();
    await page.getByRole('button', { name: 'Steps of Refused at first' }).click();
    await expect(page.getByRole('list', { name: 'Steps of Refused at first' })).toContainText(says);
    await page.getByRole('button', { name: 'More for Refused at first' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export' }).click();
    expect((await readFile(await (await download).path())).length).toBeGreaterThan(500);
    refusing = false;
    await page.getByRole('button', { name: 'More for Refused at first' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('What happened?').fill('Refused at first, put right');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
    await drained(page);
    expect(sorted(await storedAt(client, 'Refused at first'))).toEqual([
      { text: 'Refused at first, put right', hashes: [] },
    ]);
    expect(await storedAt(client, 'Goes on')).toHaveLength(1);
  });

test('A10: everything refused is sent again by one press; photos behind a refused report are not said to be on their way', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await world.open();
  let refusing = true;
  chaos.plan = (seen) =>
    refusing && creates(seen) ? refuse(403, ['You are no longer a member.']) : null;
  const photo = await photoFile(folder, 8, 60_000);
  await report(page, { text: 'Shut out with a photo', photos: [photo] });
  await report(page, { text: 'Shut out', photos: [] });
  await toWaiting(page);
  const again = page.getByRole('button', { name: 'Send all again (2)' });
  await expect(again).toBeVisible();
  await expect(page.getByRole('region', { name: 'Photos on their way' })).toHaveCount(0);
  await look(page, 'send-all-again');
  // The permission is back. By keyboard alone.
  refusing = false;
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(again).toBeHidden();
  await drained(page);
  expect(await storedAt(client, 'Shut out')).toHaveLength(2);
});

test('A25: the near miss is there and its photo fails: 1 photo pending, tried again, no second record', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  let failing = true;
  chaos.plan = ({ path }) =>
    failing && path.includes('/uploads') ? { kind: 'answer', status: 500, body: '{}' } : null;
  const photo = await photoFile(folder, 1, 90_000);
  await report(page, { text: 'Hook without latch', photos: [photo] });
  await toWaiting(page);
  const row = item(page, 'Hook without latch');
  await expect(row.getByText('1 photo waiting')).toBeVisible();
  await expect(row.getByText('Last try: The server has a problem.')).toBeVisible();
  await page.getByRole('button', { name: 'Steps of Hook without latch' }).click();
  const steps = page.getByRole('list', { name: 'Steps of Hook without latch' });
  await expect(
    steps.getByRole('listitem').filter({ hasText: 'Text of the near miss' }),
  ).toContainText('Sent');
  await expect(steps.getByText('Photo 1 of 1 · IMG_1001.jpg')).toBeVisible();
  // The count comes from the store, so a restart shows the same.
  await page.reload();
  await expect(page.getByRole('link', { name: 'Waiting, 1 item' })).toBeVisible();
  failing = false;
  // It retries without a person: retryable failures are never given up.
  await expect.poll(() => waitingCount(page), { timeout: 120_000 }).toBe(0);
  expect(sorted(await storedAt(client, 'Hook without latch'))).toEqual(
    asStored([{ text: 'Hook without latch', photos: [photo] }]),
  );
  await page.getByRole('button', { name: 'Receipt of Hook without latch' }).click();
  const receipt = page.getByRole('dialog');
  await receipt.getByText('Details', { exact: true }).click();
  await expect(receipt.getByText(photo.sha256)).toBeVisible();
  await expect(receipt.getByText(String(await idOf(client, 'Hook without latch')))).toBeVisible();
});

test('A26: edited, then deleted, while the create is on its way: one record, edited, in the recycle bin', async ({
  server,
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let holding = true;
  chaos.plan = (seen) => {
    if (!holding || !creates(seen)) return null;
    holding = false;
    return { kind: 'hold_request', after: 0, until: held };
  };
  await report(page, { text: 'On its way', photos: [] });
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('On its way, edited');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  await pressMore(page, 'Delete', 'More actions');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL(/#\/near-misses$/);
  release();
  await drained(page);
  expect(await storedAt(client, 'On its way')).toEqual([]);
  const bin = await client.get(
    '/rest/v1.0/projects/' +
      server.first.project_id +
      '/recycle_bin/incidents/near_misses?per_page=100',
  );
  const texts = (bin.json as { description_plain_text: string }[]).map(
    (one) => one.description_plain_text,
  );
  expect(texts.filter((text) => text.startsWith('On its way'))).toEqual(['On its way, edited']);
});

test('decisions §1.7: an edit behind a create in flight sends the ETag of the create as If-Match', async ({
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let holding = true;
  chaos.plan = (seen) => {
    if (!holding || !creates(seen)) return null;
    holding = false;
    return { kind: 'hold_request', after: 0, until: held };
  };
  await report(page, { text: 'First words', photos: [] });
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('Second words');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  release();
  await drained(page);
  const patches = chaos.seen.filter(({ method }) => method === 'PATCH');
  expect(patches).toHaveLength(1);
  expect(patches[0]?.headers['if-match']).toMatch(/^"/);
  expect(await storedAt(client, 'Second words')).toHaveLength(1);
});

test('outbox promise 5: sent to the recycle bin elsewhere while edited here: restored and sent by one press', async ({
  client,
  world,
}) => {
  const page = await world.open();
  await report(page, { text: 'Recycled elsewhere', photos: [] });
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  const id = await idOf(client, 'Recycled elsewhere');
  world.offline();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('What happened?').fill('Recycled elsewhere, edited here');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  await client.delete(`~/incidents/near_misses/${id}`);
  world.online();
  await toWaiting(page);
  const restore = page.getByRole('button', { name: 'Restore and send' });
  await restore.click({ timeout: 120_000 });
  await expect(restore).toBeHidden();
  await drained(page);
  expect(await storedAt(client, 'Recycled elsewhere')).toEqual([
    { text: 'Recycled elsewhere, edited here', hashes: [] },
  ]);
});

test('decisions §3.7: a photo is taken off a record, before it is sent and after', async ({
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const [one, two] = [await photoFile(folder, 1, 60_000), await photoFile(folder, 2, 60_000)];
  await report(page, { text: 'Two photos', photos: [one, two] });
  await drained(page);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByRole('link', { name: /Two photos/ }).click();
  await page.getByRole('button', { name: 'Open IMG_1001.jpg' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByRole('button', { name: 'Open IMG_1001.jpg' })).toBeHidden();
  // The record is changed in two steps, between which the queue may briefly be empty.
  await expect(page.getByText(/^Photo removed\./)).toBeVisible();
  await drained(page);
  expect(await storedAt(client, 'Two photos')).toEqual([
    { text: 'Two photos', hashes: [two.sha256] },
  ]);
});

test('exported from one laptop, imported on another after asking, delivered from both: once, with its photos', async ({
  app,
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  // Three windows are opened in turn.
  test.setTimeout(600_000);
  const page = await world.open();
  world.offline();
  const photo = await photoFile(folder, 5, 2_500_000);
  await report(page, { text: 'Carried over', photos: [photo] });
  await toWaiting(page);
  const download = page.waitForEvent('download');
  await pressMore(page, 'Export all', 'Import and export');
  const zip = join(folder, 'waiting.zip');
  await (await download).saveAs(zip);
  await expect(page.getByText('1 item exported to your downloads.')).toBeVisible();
  await app.close();

  const other = tempDir('other-laptop');
  const second = createApp('browser', other.path);
  try {
    world.online();
    const there = await second.app.open();
    there.setDefaultTimeout(60_000);
    await connectToServer(there, { ...server, url: chaos.url }, 'Harbour Bridge East');
    await toWaiting(there);
    await there.locator('input[type=file]').setInputFiles(zip);
    const dialog = there.getByRole('dialog', { name: 'Import reports from another laptop?' });
    await expect(
      dialog.getByText('The file contains 1 near miss with 1 photo, 2.5 MB.'),
    ).toBeVisible();
    expect(await waitingCount(there)).toBe(0);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await expect(there.getByText('1 item imported.')).toBeVisible();
    await drained(there);
    await expect(there.getByRole('button', { name: 'Receipt of Carried over' })).toBeVisible();
    // An unreadable file is refused with the reason.
    await there.locator('input[type=file]').setInputFiles(photo.path);
    await expect(there.getByText('This is not a readable zip file.')).toBeVisible();
    await expect(there.getByText('Nothing was changed on this laptop.')).toBeVisible();
  } finally {
    await second.end();
    other.remove();
  }
  // No keychain kept its token, so it waits for a sign-in. It then sends entries that the other laptop has already sent.
  const again = await app.open();
  await expect.poll(() => waitingCount(again)).toBe(1);
  await signIn(again, server);
  await drained(again);
  expect(await storedAt(client, 'Carried over')).toEqual(
    asStored([{ text: 'Carried over', photos: [photo] }]),
  );
});

/**
 * Follow-ups of a near miss: entered offline, sent when online, shown in the list and the rail when due, completed with a
 * photo, and in conflict when two people changed them.
 */
import type { Page } from 'playwright/test';
import { localDay } from '../../src/renderer/data/model/local-day.ts';
import { clientOf } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, drained, photoDeed, photoFile, report, storedAt } from './steps.ts';

test.use({ apart: false });

const rows = (page: Page) => page.locator('.scroller [aria-posinset]');
const pane = (page: Page) => page.getByRole('region', { name: 'Near miss', exact: true });
const part = (page: Page) => pane(page).getByRole('region', { name: 'Follow-up' });
const inDays = (days: number): string => localDay(Date.now() + days * 86_400_000);

interface Followed {
  readonly id: number;
  readonly custom_fields: Readonly<Record<string, { readonly value: unknown }>>;
}

test('decisions §4.7: a follow-up is said offline, kept over a restart, sent; due it is in list and rail; done it is not', async ({
  app,
  server,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  // The demo has open follow-ups.
  const dueNow = page.getByRole('link', { name: /^Follow-ups, \d+ due$/ });
  await expect(dueNow).toBeVisible();
  const before = Number(/\d+/.exec((await dueNow.getAttribute('aria-label')) ?? '')?.[0]);
  await server.stop();
  await report(page, { text: 'Gate left open at the river steps', photos: [] });
  await part(page).getByRole('button', { name: 'Add a follow-up' }).click();
  await part(page).getByLabel('What has to be done?').fill('Fit a spring to the gate');
  await part(page).getByLabel('Who does it?').fill('Tom Brennan');
  await part(page).getByRole('textbox', { name: 'By when?' }).fill(inDays(-1));
  await look(page, 'follow-up-form');
  await part(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part(page).getByText('Overdue')).toBeVisible();
  await expect(part(page).getByText(/^Follow-up for Tom Brennan · by /)).toBeVisible();
  await expect(dueNow).toHaveAttribute('aria-label', `Follow-ups, ${before + 1} due`);
  await look(page, 'follow-up');
  await page.reload();
  await expect(part(page).getByText('Overdue')).toBeVisible();

  // The rail leads to the open follow-ups, the overdue ones first.
  await dueNow.click();
  const overdue = page.getByRole('region', { name: /^Overdue/ });
  await expect(overdue.getByRole('link', { name: /Fit a spring to the gate/ })).toBeVisible();
  await look(page, 'follow-ups');

  // The list shows the due ones only, with a tag in each row.
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page
    .getByRole('region', { name: 'Since yesterday' })
    .getByRole('button', { name: /follow-ups? due/ })
    .click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(before + 1));
  await expect(rows(page).first()).toContainText('Gate left open');
  await expect(rows(page).first()).toContainText('Overdue');
  await expect(page.getByRole('button', { name: /Follow-up: Due/ })).toBeVisible();
  await look(page, 'follow-up-list');

  await server.start();
  await drained(page);
  await rows(page).first().getByRole('link').click();
  await part(page).getByRole('button', { name: 'Mark as done' }).click();
  await expect(page.getByText('Follow-up done.')).toBeVisible();
  await expect(part(page).getByText(/^Done /)).toBeVisible();
  await expect(dueNow).toHaveAttribute('aria-label', `Follow-ups, ${before} due`);
  await page.getByRole('button', { name: 'Add a photo' }).click();
  const photo = await photoFile(folder, 1, 300_000);
  await expect(page.getByLabel('What happened?')).toHaveValue('Gate left open at the river steps');
  await page.locator('input[type=file]').setInputFiles(photo.path);
  await expect(page.getByRole('button', { name: 'More for IMG_1001.jpg' })).toBeVisible();
  // It suggests "after" until the person chooses.
  const side = (name: string) =>
    page.getByRole('listitem', { name, exact: true }).locator('.picture em');
  await expect(side('IMG_1001.jpg')).toHaveText('After');
  const other = await photoFile(folder, 2, 300_000);
  await page.locator('input[type=file]').setInputFiles(other.path);
  await expect(side('IMG_1002.jpg')).toHaveText('After');
  await photoDeed(page, 'IMG_1002.jpg', 'Neither');
  await look(page, 'follow-up-photo');
  await expect(side('IMG_1001.jpg')).toHaveText('After');
  await expect(side('IMG_1002.jpg')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part(page).getByText(/^Done /)).toBeVisible();
  await drained(page);
  const client = clientOf(server.url, server.first);
  // The server returns the same bytes, and earlier values are still there.
  expect(await storedAt(client, 'Gate left open')).toEqual([
    { text: 'Gate left open at the river steps', hashes: [photo.sha256, other.sha256] },
  ]);
  const { custom_fields: sent } = (await client.get('~/incidents/near_misses')).json[0] as Followed;
  const values = Object.values(sent).map(({ value }) => value);
  for (const wanted of ['Fit a spring to the gate', 'Tom Brennan', inDays(-1), inDays(0)])
    expect(values).toContain(wanted);
  expect(values).toContain('IMG_1001.jpg (after)\nIMG_1002.jpg');
  await part(page).getByRole('button', { name: 'Reopen' }).click();
  await expect(part(page).getByText('Overdue')).toBeVisible();
});

test('outbox promise 5: a follow-up given to one person here and to another there is asked about; what else changed is kept', async ({
  client,
  world,
}) => {
  const page = await world.open();
  await report(page, { text: 'Ladder without a tie', photos: [] });
  await part(page).getByRole('button', { name: 'Add a follow-up' }).click();
  await part(page).getByLabel('What has to be done?').fill('Tie the ladder');
  await part(page).getByLabel('Who does it?').fill('Maria Kovacs');
  await part(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part(page).getByText(/Maria Kovacs/)).toBeVisible();
  await drained(page);
  const found = async (): Promise<Followed> => {
    const list = await client.get('~/incidents/near_misses?filters[query]=Ladder%20without');
    const [first] = list.json as Followed[];
    if (first === undefined) throw new Error('the record is not on the server');
    return first;
  };
  const { json } = await client.get('~/catalog');
  const fields = json.custom_field_definitions as { id: number; label: string }[];
  const keyOf = (label: string) =>
    `custom_field_${fields.find((one) => one.label === label)?.id ?? 0}`;

  world.offline();
  await part(page).getByRole('button', { name: 'Change' }).click();
  await part(page).getByLabel('Who does it?').fill('Ana Lopez');
  await part(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(part(page).getByText('Ana Lopez')).toBeVisible();
  const changed = await client.patch(`~/incidents/near_misses/${(await found()).id}`, {
    near_miss: {
      [keyOf('Follow-up by')]: 'Tom Brennan',
      [keyOf('Follow-up date')]: inDays(5),
    },
  });
  expect(changed.status).toBe(200);

  world.online();
  await page.getByRole('link', { name: /^Waiting/ }).click();
  // The open report offers Compare too.
  await expect(page.getByRole('heading', { name: 'Waiting', level: 1 })).toBeAttached();
  await page.getByRole('button', { name: 'Compare' }).click({ timeout: 120_000 });
  const dialog = page.getByRole('dialog', { name: 'Changed by two people' });
  await expect(dialog.getByRole('group')).toHaveCount(1);
  const who = dialog.getByRole('group', { name: 'Follow-up by' });
  for (const name of ['Maria Kovacs', 'Ana Lopez', 'Tom Brennan'])
    await expect(who.getByText(name)).toBeVisible();
  await who.getByText('Ana Lopez').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await drained(page);
  const { custom_fields } = await found();
  const kept = ['Follow-up', 'Follow-up by', 'Follow-up date'].map(
    (label) => custom_fields[keyOf(label)]?.value,
  );
  expect(kept).toEqual(['Tie the ladder', 'Ana Lopez', inDays(5)]);
});

/**
 * Vendor insurance through the real window and service, online and offline: added, changed, deleted and imported from a CSV
 * file, once each. Refusals of the server appear at the row of the file.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import type { Client } from '../support/service.ts';
import { toCompany, toWaiting } from './company-steps.ts';
import { drained } from './steps.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { countPresses } from './presses.ts';

test.use({ apart: false });

const day = (ahead: number): string =>
  new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

interface Vendor {
  readonly id: number;
  readonly name: string;
}
const vendors = async (client: Client): Promise<Vendor[]> =>
  (await client.get('~/catalog')).json.vendors as Vendor[];
interface Stored {
  readonly id: number;
  readonly insurance_provider: string;
  readonly limit: string;
  readonly policy_number: string;
  readonly expiration_date: string;
}
const stored = async (client: Client, vendor: Vendor): Promise<Stored[]> =>
  (await client.get(`~/vendors/${vendor.id}/insurances?per_page=1000`)).json as Stored[];
const toVendor = async (page: Page, { name }: Vendor): Promise<void> => {
  await toCompany(page, 'Insurance');
  await page.getByRole('region', { name: 'Vendors' }).getByText(name, { exact: true }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
};
const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Policies' }).getByRole('listitem');
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values))
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value);
};
const save = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();

test('decisions §8: added and changed offline, host killed, then online: there once; deleted; a change by two is asked', async ({
  app,
  client,
  world,
}) => {
  let page = await world.open({ apart: true });
  const [vendor] = await vendors(client);
  if (!vendor) throw new Error('no vendor');
  await toVendor(page, vendor);
  world.offline();
  await page.getByRole('button', { name: 'New policy' }).click();
  await save(page);
  await expect(page.getByText('1 field to complete.')).toBeVisible();
  await expect(page.getByLabel('Insurer', { exact: true })).toBeFocused();
  await fill(page, {
    Insurer: 'Zurich',
    'Insurance type': 'General liability',
    'Policy number': 'GL-77',
    Limit: '1000000,00',
    Starts: day(-300),
    Expires: day(12),
  });
  await save(page);
  await expect(page.getByText('Enter an amount such as')).toBeVisible();
  await fill(page, { Limit: '1000000.00' });
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('Expires in 12 days');
  await expect(rows(page).first()).toContainText('Waiting');
  await page.getByRole('button', { name: 'Open Zurich · General liability' }).click();
  await fill(page, { Limit: '2000000.00' });
  await save(page);
  await expect(rows(page).first()).toContainText('Limit 2,000,000');
  expect(await stored(client, vendor)).toEqual([]);

  await app.kill();
  page = await app.open();
  const item = await toWaiting(page);
  await expect(item).toContainText(`Policies of ${vendor.name}`);
  await expect(item).toContainText('New policy');
  await app.close();
  world.online();
  page = await world.reopen();
  await drained(page);
  const [only, ...others] = await stored(client, vendor);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ insurance_provider: 'Zurich', limit: '2000000.00' });

  // Someone else changes the limit while a local change of it is pending.
  await toVendor(page, vendor);
  world.offline();
  await page.getByRole('button', { name: 'Open Zurich · General liability' }).click();
  await fill(page, { Limit: '3000000.00' });
  await save(page);
  await client.patch(`~/vendors/${vendor.id}/insurances/${only?.id}`, {
    insurance: { limit: '500.00' },
  });
  world.online();
  await page.reload();
  await expect(rows(page).filter({ hasText: 'Needs attention' })).toHaveCount(1, {
    timeout: 60_000,
  });
  expect((await stored(client, vendor))[0]?.limit).toBe('500.00');
  await page.getByRole('button', { name: 'Open Zurich · General liability' }).click();
  const dispute = page.getByRole('region', { name: 'Someone else changed this policy too' });
  await expect(dispute).toContainText('3,000,000');
  await expect(dispute).toContainText('500');
  await dispute.getByRole('button', { name: 'Send yours' }).click();
  await expect(dispute).toBeHidden();
  await drained(page);
  expect((await stored(client, vendor))[0]?.limit).toBe('3000000.00');

  await page.getByRole('button', { name: 'Open Zurich · General liability' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Delete this policy?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(page.getByText('This vendor has no policies yet')).toBeVisible();
  await drained(page);
  expect(await stored(client, vendor)).toEqual([]);
});

test('a vendor that was never downloaded is not said to have no policies; one that has none is, offline too', async ({
  chaos,
  client,
  world,
}) => {
  const [vendor] = await vendors(client);
  if (!vendor) throw new Error('no vendor');
  chaos.plan = ({ path }) =>
    path.includes('/insurances') ? { kind: 'answer', status: 503, headers: {}, body: '' } : null;
  const page = await world.open();
  await toCompany(page, 'Insurance');
  const row = page
    .getByRole('region', { name: 'Vendors' })
    .getByRole('link')
    .filter({ hasText: vendor.name });
  await expect(row).toContainText('Not downloaded yet');
  await expect(page.getByText('No policies', { exact: true })).toHaveCount(0);
  chaos.plan = () => null;
  await page.reload();
  await expect(row).toContainText('No policies');
  world.offline();
  await page.reload();
  await expect(row).toContainText('No policies');
});

test('decisions §8: a CSV file is shown row by row before anything is sent, then sent offline to online once; refusals by row', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const [, vendor] = await vendors(client);
  if (!vendor) throw new Error('no vendor');
  const base = `~/vendors/${vendor.id}/insurances`;
  const made = (insurance: Readonly<Record<string, unknown>>) =>
    client.post(base, { insurance }).then(({ json }) => json as Stored);
  await made({ name: 'Allianz', policy_number: 'A-1', origin_id: 'o1', limit: '100.00' });
  const doomed = await made({ name: 'Axa', policy_number: 'X-1', origin_id: 'o2' });
  await toVendor(page, vendor);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save a CSV template' }).click();
  expect((await saving).suggestedFilename()).toBe('spotter-policies.csv');
  await page.getByRole('button', { name: 'Import a spreadsheet' }).click();
  const choose = (path: string) => page.locator('input[type=file]').setInputFiles(path);
  const file = async (name: string, text: string | Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  await choose(await file('bad.csv', 'Insurer,Limit\n"Zurich,1000\nAxa,2\n'));
  await expect(page.getByRole('alert')).toContainText('Row 2 has a quotation mark');
  world.offline();
  const csv = [
    'Number;Insurer;Policy number;Limit;Ends;Origin number;Remark',
    ';Allianz;A-1;250.00;31.12.2030;o1;',
    ';Österreichische;N-1;1.000.000,00;2030-05-01;o9;hello',
    `${doomed.id};Axa;X-1;5;2030-05-01;;`,
    ';Generali;N-2;12;30.02.2030;;',
    ';=cmd();N-3;;;;',
  ].join('\r\n');
  await choose(await file('vendor list.csv', Buffer.from(csv, 'latin1')));
  await expect(page.getByText('vendor list.csv: 5 rows')).toBeVisible();
  const plan = page.getByRole('region', { name: 'What will change' }).getByRole('row');
  await expect(plan).toHaveCount(6);
  await expect(plan.nth(1)).toContainText('Limit: 100 → 250');
  await expect(plan.nth(2)).toContainText('Österreichische');
  await expect(plan.nth(4)).toContainText('not a valid date');
  await expect(plan.nth(5)).toContainText('a formula, not a value');
  await look(page, 'insurances-csv');
  await page.getByRole('button', { name: 'Import 3 policies' }).click();
  await expect(rows(page).filter({ hasText: 'From a file' })).toHaveCount(1);
  await expect(rows(page).filter({ hasText: 'Limit 250' })).toHaveCount(1);
  // One of them is deleted meanwhile.
  await client.delete(`${base}/${doomed.id}`);
  world.online();
  await page.reload();
  const outcome = page.getByRole('status').filter({ hasText: 'Result of vendor list.csv' });
  await expect(outcome).toContainText('1 policy added, 1 policy is up to date', {
    timeout: 120_000,
  });
  await expect(outcome).toContainText('Row 4, Axa: Number: not found');
  await drained(page);
  expect(
    (await stored(client, vendor)).map((one) => [one.policy_number, one.limit]).sort(),
  ).toEqual([
    ['A-1', '250.00'],
    ['N-1', '1000000.00'],
  ]);
  // The window that was closed may already have sent it. It is then resent under the same key and executed once.
  const syncs = chaos.seen.filter(({ path, status }) => path.endsWith('/sync') && status);
  expect(new Set(syncs.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(outcome).toHaveCount(0);
});

test('insurance from an office’s file: six presses and the file, dates in the order that the file tells', async ({
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const [, vendor] = await vendors(client);
  if (!vendor) throw new Error('no vendor');
  // From the list, the whole rail is visible.
  await page.setViewportSize({ width: 1366, height: 768 });
  await expect(page.getByRole('button', { name: 'All 250' })).toBeVisible();
  const rail = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(() => rail.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  const path = join(folder, 'office.csv');
  const csv = 'Insurer;Policy number;Starts;Ends\r\nAxa;P-1;03/04/2029;31/03/2030\r\n';
  await writeFile(path, csv);
  const presses = await countPresses(page);
  await toVendor(page, vendor);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import a spreadsheet' }).click();
  await (await choosing).setFiles(path);
  await expect(page.getByLabel('Dates in this file')).toHaveValue('day_month');
  await look(page, 'insurances-csv-dates');
  await page.getByRole('button', { name: 'Import 1 policy' }).click();
  // Two of them unfold the company's places, which then stay unfolded.
  expect(await presses()).toBe(6);
  await expect(rows(page)).toHaveCount(1);
  await drained(page);
  const [made] = await stored(client, vendor);
  expect(made).toMatchObject({ effective_date: '2029-04-03', expiration_date: '2030-03-31' });
  // A group folded by hand stays folded, except for the current place.
  await rail.getByRole('button', { name: 'Company', exact: true }).click();
  await expect(rail.getByRole('link', { name: 'Members' })).toBeHidden();
  await page.reload();
  await expect(rail.getByRole('link', { name: 'Insurance' })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Members' })).toBeHidden();
});

test('looks: insurances in both themes, 1024x640 and 200 % zoom, by axe', async ({
  client,
  world,
}) => {
  const page = await world.open();
  const [vendor] = await vendors(client);
  if (!vendor) throw new Error('no vendor');
  const kinds = [
    { name: 'Zurich', insurance_type: 'General liability', expiration_date: day(5) },
    { name: 'Allianz', insurance_type: 'Workers compensation', expiration_date: day(-40) },
    { name: 'Axa', insurance_type: 'Umbrella', expiration_date: day(400), limit: '5000000.00' },
    { name: 'A very long name of an insurance company of the north-east and its partners' },
    { name: 'Generali', exempt: true, status: 'compliant' },
  ];
  for (const [at, insurance] of kinds.entries())
    await client.post(`~/vendors/${vendor.id}/insurances`, {
      insurance: { policy_number: `P-${at}`, effective_date: day(-100), ...insurance },
    });
  await toVendor(page, vendor);
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).first()).toContainText('Expired');
  await expect(rows(page).nth(1)).toContainText('Expires in 5 days');
  await look(page, 'insurances');
  await page.getByRole('button', { name: 'Open Zurich · General liability' }).click();
  await look(page, 'insurances-form');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Needs attention' }).click();
  await expect(rows(page)).toHaveCount(3);
});

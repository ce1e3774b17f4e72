/**
 * A firm that was made without the demo lives through the app alone (decisions §11): with no network its data is added and an incident
 * corrected; then a vendor is insured, a person named, a party becomes a member, an entry gets a file, the incident is closed. And
 * a spreadsheet of 5,000 rows: 20 bad ones are told by line and nothing is taken; then all of it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { startChaos, type Chaos } from '../support/chaos.ts';
import { type Client, clientOf, runCli, spawnService, tempDir } from '../support/service.ts';
import type { App } from './app.ts';
import { toCompany } from './company-steps.ts';
import { expect, type Fixtures, test } from './fixtures.ts';
import { look } from './looks.ts';
import { askServer, drained, photoFile } from './steps.ts';

interface Firm {
  readonly page: Page;
  readonly client: Client;
  readonly chaos: Chaos;
  readonly url: string;
}

/** A service with one firm of its own, and the app connected to it through a proxy. */
const openFirm = async (app: App, afterApp: Fixtures['afterApp']): Promise<Firm> => {
  const folder = tempDir('own-firm');
  afterApp(() => folder.remove());
  const args = [`--data-dir=${folder.path}`, '--log-level=error'];
  const running = await spawnService(['--port=0', '--rate-limit=0', ...args]);
  afterApp(async () => void (await running.end()));
  const who = ['--user', 'rita@firm.example', '--new-user', 'Rita'];
  const made = await runCli(['token', 'create', ...who, '--new-company', 'Rita and Sons', ...args]);
  const first = JSON.parse(made.stdout) as { token: string; company_id: number };
  const { url } = running.first;
  const signedIn = clientOf(url, { ...first, project_id: 1 });
  const [project] = (await signedIn.get('/rest/v1.0/me')).json.projects as { id: number }[];
  const seat = { ...first, project_id: project?.id ?? 0 };
  const chaos = await startChaos(url);
  afterApp(() => chaos.close());
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await askServer(page, { url: chaos.url, first: { ...running.first, ...seat } });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
  return { page, client: clientOf(url, seat), chaos, url };
};

const toKind = async (page: Page, kind: string): Promise<void> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Open company data' }).click();
  await page
    .getByRole('region', { name: 'Kinds of data' })
    .getByText(kind, { exact: true })
    .click();
  await expect(page.getByRole('heading', { name: kind, level: 2 })).toBeVisible();
};
const record = (page: Page, kind: string, name: string): Locator =>
  page
    .getByRole('list', { name: kind, exact: true })
    .getByRole('listitem')
    .filter({ hasText: name });
const saveForm = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
};
const add = async (page: Page, kind: string, values: Readonly<Record<string, string>>) => {
  await toKind(page, kind);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  for (const [label, value] of Object.entries(values))
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value);
  await saveForm(page);
  await expect(record(page, kind, Object.values(values)[0] ?? '')).toContainText('Waiting');
};
const own = async (client: Client, kind: string): Promise<readonly { readonly name: string }[]> =>
  (await client.get(`/rest/v1.0/companies/${client.company_id}/${kind}?per_page=10000`))
    .json as readonly { readonly name: string }[];

test('decisions §11, §4.6: a firm without the demo, through the app alone, its data added with no network', async ({
  app,
  afterApp,
  folder,
}) => {
  test.setTimeout(300_000);
  const { page, client, chaos, url } = await openFirm(app, afterApp);
  await toKind(page, 'Vendors');
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  await look(page, 'company data, empty');
  chaos.target = null;
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await look(page, 'company data, form');
  await page.keyboard.press('Escape');
  await add(page, 'Vendors', { Name: 'Crane Hire Ltd' });
  await add(page, 'People', { Name: 'Ivo Marin' });
  await add(page, 'Parties (can become members)', { Name: 'Steel Erectors' });
  await add(page, 'Time and material entries', { Name: 'Crane overtime' });
  await toKind(page, 'Jobs and areas');
  await page.getByRole('button', { name: 'Change General' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Yard and gate');
  await saveForm(page);
  await expect(record(page, 'Jobs and areas', 'Yard and gate')).toContainText('Waiting');
  await page.reload();
  await expect(record(page, 'Jobs and areas', 'Yard and gate')).toContainText('Waiting');
  expect(await own(client, 'vendors')).toEqual([]);
  chaos.target = url;
  await drained(page);

  expect(await own(client, 'vendors')).toMatchObject([{ name: 'Crane Hire Ltd' }]);
  expect((await client.get('~/catalog')).json.incidents).toMatchObject([
    { title: 'Yard and gate' },
  ]);
  await toCompany(page, 'Insurance');
  await page.getByRole('region', { name: 'Vendors' }).getByText('Crane Hire Ltd').click();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('dialog').getByLabel('Insurer', { exact: true }).fill('Zurich');
  await saveForm(page);
  await toCompany(page, 'Members');
  await page.getByRole('button', { name: 'Add members' }).click();
  await page.getByRole('dialog').getByLabel('Steel Erectors', { exact: true }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 person' }).click();
  await page.getByRole('link', { name: 'Time & material' }).click();
  await page.getByRole('region', { name: 'Entries' }).getByText('Crane overtime').click();
  const photo = await photoFile(folder, 1, 60_000);
  await page.locator('input[type=file]').setInputFiles([photo.path]);
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Hook swung over Ivo');
  await page.getByRole('button', { name: /people, equipment/i }).click();
  await page.getByRole('button', { name: 'Name a person' }).click();
  await page.getByRole('combobox', { name: /^Affected person/ }).click();
  await page.getByRole('option', { name: 'Ivo Marin' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Hook swung over Ivo' })).toBeVisible();
  await drained(page);

  const [vendor] = (await client.get('~/catalog')).json.vendors as { id: number }[];
  const policies = await client.get(`~/vendors/${vendor?.id ?? 0}/insurances`);
  expect(policies.json).toMatchObject([{ insurance_provider: 'Zurich' }]);
  expect((await client.get('~/project_memberships')).json).toHaveLength(1);
  expect((await client.get('~/time_and_material_entry_attachments')).json).toHaveLength(1);
  expect((await client.get('~/incidents/near_misses')).json).toMatchObject([
    { affected_person: { name: 'Ivo Marin' }, incident_title: 'Yard and gate' },
  ]);

  await toKind(page, 'Jobs and areas');
  await page.getByRole('button', { name: 'Change Yard and gate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
  await expect(record(page, 'Jobs and areas', 'Yard and gate')).toContainText('Closed');
  await toKind(page, 'Vendors');
  await page.getByRole('button', { name: 'Change Crane Hire Ltd' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
  await expect(record(page, 'Vendors', 'Crane Hire Ltd')).toContainText('Retired');
  await drained(page);
  expect((await client.get('~/incidents')).json).toMatchObject([{ status: 'closed' }]);
  expect((await client.get('~/catalog')).json.vendors).toEqual([]);
  await look(page, 'company data');
});

const sheet = (bad: ReadonlySet<number>): string =>
  [
    'Name,Number in another system,Colour',
    ...Array.from({ length: 5000 }, (_, at) =>
      bad.has(at + 2) ? `,V-${at},blue` : `"Vendor ${at}, GmbH",V-${at},blue`,
    ),
  ].join('\r\n');

test('decisions §11.5: a spreadsheet of 5,000 rows: 20 bad ones by line and nothing taken, then all of it', async ({
  app,
  afterApp,
  folder,
}) => {
  test.setTimeout(300_000);
  const { page, client } = await openFirm(app, afterApp);
  const bad = new Set(Array.from({ length: 20 }, (_, at) => 12 + at * 240));
  const [wrong, right] = [join(folder, 'vendors-1.csv'), join(folder, 'vendors-2.csv')];
  await writeFile(wrong, sheet(bad));
  await writeFile(right, sheet(new Set()));
  await toKind(page, 'Vendors');
  await page.getByRole('link', { name: 'Import a spreadsheet' }).click();
  await page.locator('input[type=file]').setInputFiles([wrong]);
  await expect(page.getByRole('alert')).toContainText(
    '20 rows have errors, so nothing is imported',
  );
  const cells = page.getByRole('group', { name: 'Rows with errors' }).locator('tbody td.short');
  expect((await cells.allInnerTexts()).map((text) => Number(text.replace(',', '')))).toEqual([
    ...bad,
  ]);
  await expect(page.getByText('Not imported: “Colour”.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  await look(page, 'company data, file with errors');
  await page.locator('input[type=file]').setInputFiles([right]);
  await expect(page.getByText('5,000 new')).toBeVisible({ timeout: 60_000 });
  expect(await own(client, 'vendors')).toEqual([]);
  await look(page, 'company data, file');
  await page.getByRole('button', { name: 'Import 5,000 rows' }).click();
  await drained(page);
  expect(await own(client, 'vendors')).toHaveLength(5000);
  await expect(page.getByText('5,000 in use')).toBeVisible({ timeout: 60_000 });
});

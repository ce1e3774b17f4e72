/**
 * A company created without the demo works through the app alone (decisions §11). Offline, its data is added and an incident
 * corrected. Then a vendor is insured, a person named, a party becomes a member, an entry gets a file, the incident is closed.
 * The same from spreadsheets, one with 5,000 rows: 20 bad rows are reported by line and nothing is imported; then all rows are.
 * On both databases.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { databaseUrl, startPostgres } from '../support/postgres-server.ts';
import { startChaos, type Chaos } from '../support/chaos.ts';
import { type Client, clientOf, runCli, spawnService, tempDir } from '../support/service.ts';
import type { App } from './app.ts';
import { toCompany } from './company-steps.ts';
import { expect, type Fixtures, test } from './fixtures.ts';
import { look } from './looks.ts';
import { askServer, drained, photoFile } from './steps.ts';

test.use({ apart: false });

interface LocalCompany {
  readonly page: Page;
  readonly client: Client;
  readonly chaos: Chaos;
  readonly url: string;
}

const databases = ['SQLite', 'PostgreSQL'] as const;
type Database = (typeof databases)[number];

/** Service options for this database, which ends after the service. */
const databaseArgs = async (
  database: Database,
  afterApp: Fixtures['afterApp'],
): Promise<readonly string[]> => {
  if (database === 'SQLite') return [];
  const server = await startPostgres();
  afterApp(() => server.stop());
  return [`--database-url=${databaseUrl(server.socket, 'postgres')}`];
};

/** A service with a single company, and the app connected to it through a proxy. */
const openLocalCompany = async (
  app: App,
  afterApp: Fixtures['afterApp'],
  database: Database,
): Promise<LocalCompany> => {
  const folder = tempDir('local-company');
  afterApp(() => folder.remove());
  const args = [
    `--data-dir=${folder.path}`,
    '--log-level=error',
    ...(await databaseArgs(database, afterApp)),
  ];
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
  await page.getByRole('region', { name: 'Lists' }).getByText(kind, { exact: true }).click();
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

/** Names of one company's records, by kind. */
interface Named {
  readonly vendor: string;
  readonly person: string;
  readonly party: string;
  readonly entry: string;
  readonly incident: string;
}

/**
 * The vendor is insured, the party becomes a member, the entry gets a file, and a near miss of the incident names the person.
 */
const live = async (
  { page, client }: LocalCompany,
  named: Named,
  folder: string,
): Promise<void> => {
  await toCompany(page, 'Insurance');
  await page.getByRole('searchbox', { name: 'Find a vendor' }).fill(named.vendor);
  await page.getByRole('region', { name: 'Vendors' }).getByText(named.vendor).first().click();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('dialog').getByLabel('Insurer', { exact: true }).fill('Zurich');
  await saveForm(page);
  await toCompany(page, 'Members');
  await page.getByRole('button', { name: 'Add members' }).click();
  await page.getByRole('dialog').getByRole('searchbox').fill(named.party);
  await page.getByRole('dialog').getByLabel(named.party, { exact: true }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 person' }).click();
  await toCompany(page, 'Time and materials');
  await page.getByRole('region', { name: 'Entries' }).getByRole('searchbox').fill(named.entry);
  await page.getByRole('region', { name: 'Entries' }).getByText(named.entry).first().click();
  const photo = await photoFile(folder, 1, 60_000);
  await page.locator('input[type=file]').setInputFiles([photo.path]);
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Hook swung over a person');
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  await job.click();
  await job.fill(named.incident);
  await page.getByRole('option', { name: named.incident }).first().click();
  await page.getByRole('button', { name: 'More details' }).click();
  await page.getByRole('button', { name: 'Name a person' }).click();
  const person = page.getByRole('combobox', { name: /^Affected person/ });
  await person.click();
  await person.fill(named.person);
  await page.getByRole('option', { name: named.person }).first().click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Hook swung over a person' })).toBeVisible();
  await drained(page);

  const vendors = (await client.get('~/catalog')).json.vendors as { id: number; name: string }[];
  const vendor = vendors.find(({ name }) => name === named.vendor);
  const policies = await client.get(`~/vendors/${vendor?.id ?? 0}/insurances`);
  expect(policies.json).toMatchObject([{ insurance_provider: 'Zurich' }]);
  const [member] = (await client.get('~/project_memberships')).json as { party_id: number }[];
  const parties = (await client.get('~/catalog')).json.parties as { id: number; name: string }[];
  expect(parties.find(({ id }) => id === member?.party_id)?.name).toBe(named.party);
  expect((await client.get('~/time_and_material_entry_attachments')).json).toHaveLength(1);
  expect((await client.get('~/incidents/near_misses')).json).toMatchObject([
    { affected_person: { name: named.person }, incident_title: named.incident },
  ]);
};

/** The incident gets a date and a place, becomes private, and is closed. */
const correctAndClose = async ({ page, client }: LocalCompany, named: Named): Promise<void> => {
  const found = async () => {
    const all = (await client.get('~/incidents?per_page=10000')).json as { title: string }[];
    return all.find(({ title }) => title === named.incident);
  };
  const change = async () => {
    await toKind(page, 'Jobs and areas');
    await page.getByRole('searchbox', { name: 'Find by name' }).fill(named.incident);
    await page.getByRole('button', { name: `Edit ${named.incident}`, exact: true }).click();
  };
  await change();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Where', { exact: true }).fill('Gate 2');
  await dialog.getByRole('textbox', { name: 'When' }).fill('2026-01-10T08:15');
  await dialog.getByLabel('Private', { exact: true }).check();
  const people = dialog.getByRole('group', { name: 'Who sees it' });
  await expect(people).toBeVisible();
  if ((await people.getByRole('searchbox').count()) > 0)
    await people.getByRole('searchbox').fill(named.person);
  await people.getByLabel(named.person, { exact: true }).check();
  await look(page, 'company data, an incident');
  await saveForm(page);
  await drained(page);
  const event_date = await page.evaluate(() => new Date('2026-01-10T08:15').toISOString());
  expect(await found()).toMatchObject({
    location: 'Gate 2',
    event_date,
    private: true,
    people: [{ name: named.person }],
  });
  await expect(record(page, 'Jobs and areas', named.incident).first()).toContainText('Private');
  await change();
  // Untouched fields are not sent, only the new status.
  await dialog.getByRole('button', { name: 'Close it' }).click();
  await expect(record(page, 'Jobs and areas', named.incident).first()).toContainText('Closed');
  await drained(page);
  expect(await found()).toMatchObject({
    status: 'closed',
    private: true,
    people: [{ name: named.person }],
  });
};

for (const database of databases)
  test(`decisions §11, §4.6: a local company without the demo, through the app alone, begun with no network: ${database}`, async ({
    app,
    afterApp,
    folder,
  }) => {
    test.setTimeout(300_000);
    const localCompany = await openLocalCompany(app, afterApp, database);
    const { page, client, chaos, url } = localCompany;
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
    await add(page, 'Contacts on site', { Name: 'Steel Erectors' });
    await add(page, 'Time and materials entries', { Name: 'Crane overtime' });
    await toKind(page, 'Jobs and areas');
    await page.getByRole('button', { name: 'Edit General' }).click();
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
    const named: Named = {
      vendor: 'Crane Hire Ltd',
      person: 'Ivo Marin',
      party: 'Steel Erectors',
      entry: 'Crane overtime',
      incident: 'Yard and gate',
    };
    await live(localCompany, named, folder);
    await correctAndClose(localCompany, named);
    await toKind(page, 'Vendors');
    await page.getByRole('button', { name: 'Edit Crane Hire Ltd' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await expect(record(page, 'Vendors', 'Crane Hire Ltd')).toContainText('Retired');
    await drained(page);
    expect((await client.get('~/incidents')).json).toMatchObject([{ status: 'closed' }]);
    expect((await client.get('~/catalog')).json.vendors).toEqual([]);
    await look(page, 'company data');
  });

/** Numbers of the 20 bad lines, spread over the whole file. */
const badLines = ({ lines }: Sheet): readonly number[] =>
  Array.from({ length: 20 }, (_, at) => 12 + (at * lines) / 21).map(Math.floor);

interface Sheet {
  /** The kind's name on screen. */
  readonly kind: string;
  /** The kind's name in the API. */
  readonly of: string;
  readonly lines: number;
  readonly heading: string;
  readonly good: (line: number) => string;
  readonly bad: (line: number) => string;
}
const marked = (kind: string, of: string, name: string, lines: number): Sheet => ({
  kind,
  of,
  lines,
  heading: 'Name,Number in another system,Colour',
  good: (line) => `"${name} ${line}, GmbH",${name}-${line},blue`,
  bad: (line) => `,${name}-${line},blue`,
});
const sheets: readonly Sheet[] = [
  marked('Vendors', 'vendors', 'Vendor', 5000),
  marked('Contacts on site', 'parties', 'Party', 400),
  marked('Time and materials entries', 'time_and_material_entries', 'Overtime', 400),
  {
    kind: 'People',
    of: 'people',
    lines: 400,
    heading: 'Name;Login',
    good: (line) => `Álvaro ${line};a${line}@firm.example`,
    bad: (line) => `${'x'.repeat(256)};a${line}@firm.example`,
  },
  {
    kind: 'Jobs and areas',
    of: 'incidents',
    lines: 400,
    heading: 'Name,Where,When,Status',
    good: (line) => `Trench ${line},"Gate ${line}, east",2026-01-10 08:15,open`,
    bad: (line) => `Trench ${line},,soon,`,
  },
];
const fileOf = (sheet: Sheet, bad: readonly number[]): string => {
  const line = (at: number): string => (bad.includes(at) ? sheet.bad(at) : sheet.good(at));
  const lines = Array.from({ length: sheet.lines }, (_, at) => line(at + 2));
  return [sheet.heading, ...lines].join('\r\n');
};

/** Imports a file with 20 bad rows, which changes nothing, then a correct file. */
const importSheet = async (
  { page, client }: LocalCompany,
  sheet: Sheet,
  folder: string,
): Promise<void> => {
  const { kind, of, lines } = sheet;
  const [bad, rows] = [badLines(sheet), lines.toLocaleString('en')];
  const [wrong, right] = [join(folder, `${of}-1.csv`), join(folder, `${of}-2.csv`)];
  await writeFile(wrong, fileOf(sheet, bad));
  await writeFile(right, fileOf(sheet, []));
  const path =
    of === 'incidents' ? '~/incidents' : `/rest/v1.0/companies/${client.company_id}/${of}`;
  const total = async () => Number((await client.get(`${path}?per_page=1`)).headers.get('total'));
  const before = await total();
  await toKind(page, kind);
  await page.getByRole('link', { name: 'Import a spreadsheet' }).click();
  await expect(page.getByRole('heading', { name: `Import: ${kind}` })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles([wrong]);
  await expect(page.getByRole('alert')).toContainText(
    '20 rows have errors, so nothing is imported',
  );
  const cells = page.getByRole('group', { name: 'Rows with errors' }).locator('tbody td.short');
  await expect
    .poll(async () => (await cells.allInnerTexts()).map((text) => Number(text.replace(',', ''))))
    .toEqual(bad);
  if (sheet.heading.includes('Colour'))
    await expect(page.getByText('Not imported: “Colour”.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  await look(page, `company data, ${of} with errors`);
  await page.locator('input[type=file]').setInputFiles([right]);
  await expect(page.getByText(`${rows} new`)).toBeVisible({ timeout: 120_000 });
  expect(await total()).toBe(before);
  await look(page, `company data, ${of} to import`);
  await page.getByRole('button', { name: `Import ${rows} rows` }).click();
  await expect.poll(total, { timeout: 120_000 }).toBe(before + lines);
  await drained(page);
  expect(await total()).toBe(before + lines);
  await expect(
    page.getByText(
      `${(before + lines).toLocaleString('en')} ${of === 'incidents' ? 'open' : 'in use'}`,
    ),
  ).toBeVisible({ timeout: 120_000 });
};

for (const database of databases)
  test(`decisions §11.5: spreadsheets, one of 5,000 rows, 20 bad in each: told by line, then used: ${database}`, async ({
    app,
    afterApp,
    folder,
  }) => {
    test.setTimeout(600_000);
    const localCompany = await openLocalCompany(app, afterApp, database);
    for (const sheet of sheets) await importSheet(localCompany, sheet, folder);
    const named: Named = {
      vendor: 'Vendor 217, GmbH',
      person: 'Álvaro 217',
      party: 'Party 217, GmbH',
      entry: 'Overtime 217, GmbH',
      incident: 'Trench 217',
    };
    await live(localCompany, named, folder);
    await correctAndClose(localCompany, named);
  });

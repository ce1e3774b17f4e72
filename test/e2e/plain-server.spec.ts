/**
 * A server with the reference API and none of our additions: the real service with `--plain`. No lists of companies and
 * projects, no catalog (decisions §4.4), no idempotency keys (§1.5), no photos on near misses (§3.7). A report is filed once,
 * or the user is asked; photos go where the connection's setting says.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { firstOf, type Fault, type Seen } from '../support/chaos.ts';
import type { Client } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { drained, photoFile, pressMore, report, sha256, tryNow } from './steps.ts';

interface Stored {
  readonly id: number;
  readonly incident_id: number;
  readonly description: string;
  readonly harm_source: { readonly name: string } | null;
  readonly custom_fields: Readonly<Record<string, { data_type: string; value: string }>>;
}
interface Attached {
  readonly filename: string;
  readonly url: string;
}

test.use({ apart: false, serverArgs: ['--plain'] });

/** The demo's first entry; the reference has no endpoint that lists entries. */
const ENTRY = 1;
const post =
  (end: string) =>
  ({ method, path }: Seen): boolean =>
    method === 'POST' && path.split('?')[0]?.endsWith(end) === true;
const filing = post('/near_misses');
const attaching = post('/time_and_material_entry_attachments');
/** The server executed the request, but the answer is lost. */
const lost: Fault = { kind: 'cut_reply', after: -1 };

const stored = async (client: Client, text: string): Promise<Stored[]> => {
  const query = encodeURIComponent(text);
  const found = await client.get(`~/incidents/near_misses?sort=created_at&filters[query]=${query}`);
  return found.json as Stored[];
};
const attached = async (client: Client): Promise<string[]> => {
  const all = (await client.get('~/time_and_material_entry_attachments')).json as Attached[];
  return Promise.all(
    all.map(async ({ url }) => sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()))),
  );
};

const openWaiting = (page: Page) => page.getByRole('link', { name: /^Waiting/ }).click();

/** Sets the target of photos, as a person does. */
const choosePlace = async (page: Page, place: string, number?: readonly [string, number]) => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText(place, { exact: true }).click();
  if (number) await page.getByLabel(number[0]).fill(String(number[1]));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Saved\./)).toBeVisible();
};

test('decisions §4.4: without /me and a catalog ids are typed, then picked from the records seen, and what is filed arrives', async ({
  chaos,
  client,
  world,
}) => {
  const nothing: Fault = {
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '[]',
  };
  // At first the project looks empty, so there is nothing to build a pick list from.
  chaos.plan = ({ method, path }) =>
    method === 'GET' && /\/near_misses(\?|$)/.test(path) ? nothing : null;
  const [known] = await stored(client, '');
  if (known === undefined) throw new Error('the demo has a near miss');
  const page = await world.open();
  await expect(page.getByText('No near misses yet')).toBeVisible();

  await page.getByRole('link', { name: 'New near miss' }).first().click();
  await page.getByLabel('What happened?').fill('Ladder rung split (typed)');
  await page.getByRole('textbox', { name: /^Job or area/ }).fill(String(known.incident_id));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  expect(await stored(client, 'Ladder rung split (typed)')).toMatchObject([
    { incident_id: known.incident_id },
  ]);

  chaos.plan = () => null;
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await pressMore(page, 'Refresh');
  await expect(page.getByRole('button', { name: 'All 251' })).toBeVisible();
  await expect(page.getByText(/^Updated/)).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill('Ladder rung split (picked)');
  await page.getByRole('combobox', { name: 'Harm source' }).click();
  await page.getByRole('option', { name: 'Electricity' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('report accepted by the server')).toBeVisible();
  expect(await stored(client, 'Ladder rung split (picked)')).toMatchObject([
    { incident_id: known.incident_id, harm_source: { name: 'Electricity' } },
  ]);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect(page.getByRole('button', { name: 'All 252' })).toBeVisible();
});

test('outbox promise 2: answers of three reports lost, two with the same words: found again, three records, none twice', async ({
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  world.offline();
  for (const text of ['Same words', 'Same words', 'Other words'])
    await report(page, { text, photos: [] });
  chaos.plan = firstOf(3, filing, lost);
  world.online();
  await openWaiting(page);
  await tryNow(page);
  await drained(page);
  expect(chaos.seen.filter((seen) => filing(seen) && seen.status === 201).length).toBe(3);
  expect((await stored(client, 'Same words')).length).toBe(2);
  expect((await stored(client, 'Other words')).length).toBe(1);
});

test('outbox promise 2: another report has the same words: asked, nothing sent; "it is this one" settles it, photos follow', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  const photo = await photoFile(folder, 1, 300_000);
  const page = await world.open();
  await choosePlace(page, 'A time and materials entry', [
    'Number of the time and materials entry',
    ENTRY,
  ]);
  // Someone else reports the same words to the same incident that the form preselects.
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('combobox', { name: /^Job or area/ }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('What happened?').fill('Hook came loose');
  chaos.plan = firstOf(1, filing, lost);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await stored(client, 'Hook came loose')).length).toBe(1);
  await drained(page);
  const [first] = await stored(client, 'Hook came loose');
  const other = await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: first?.incident_id, description: first?.description },
  });
  expect(other.status).toBe(201);

  chaos.plan = firstOf(1, filing, lost);
  await report(page, { text: 'Hook came loose', photos: [photo] });
  await openWaiting(page);
  const choose = page.getByRole('button', { name: 'Choose', exact: true });
  await expect(choose).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('The server has 2 reports with the same text.')).toBeVisible();
  expect((await stored(client, 'Hook came loose')).length).toBe(3);
  await choose.click();
  const dialog = page.getByRole('dialog', { name: 'Is it one of these?' });
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await test.info().attach(`pick-${colorScheme}`, {
      body: await page.screenshot(),
      contentType: 'image/png',
    });
  }
  // The last candidate is the record from this laptop.
  await dialog.locator('label').nth(1).click();
  await expect(dialog.getByRole('radio').nth(1)).toBeChecked();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  await drained(page);
  expect((await stored(client, 'Hook came loose')).length).toBe(3);
  expect(await attached(client)).toEqual([photo.sha256]);
});

test('decisions §3.7: no place for photos: they wait and say why; an entry chosen, they arrive once though the answer is lost', async ({
  chaos,
  client,
  world,
  folder,
}) => {
  const photo = await photoFile(folder, 1, 300_000);
  const page = await world.open();
  await report(page, { text: 'Board slid off', photos: [photo] });
  await openWaiting(page);
  await expect(page.getByText('This server does not accept photos on near misses.')).toBeVisible({
    timeout: 120_000,
  });
  expect((await stored(client, 'Board slid off')).length).toBe(1);
  expect(chaos.seen.filter(({ path }) => path.endsWith('/uploads'))).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await test.info().attach(`placeless-${colorScheme}`, {
      body: await page.screenshot(),
      contentType: 'image/png',
    });
  }
  // An item that stays by choice says so.
  await page.getByRole('link', { name: 'Choose a place' }).click();
  await choosePlace(page, 'Nowhere');
  await openWaiting(page);
  await expect(page.getByText('As set in Settings, they stay on this laptop.')).toBeVisible();

  chaos.plan = firstOf(1, attaching, lost);
  await choosePlace(page, 'A time and materials entry', [
    'Number of the time and materials entry',
    ENTRY,
  ]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await test.info().attach(`place-${colorScheme}`, {
      body: await page.screenshot({ fullPage: true }),
      contentType: 'image/png',
    });
  }
  await drained(page);
  expect(await attached(client)).toEqual([photo.sha256]);
  expect(chaos.seen.filter((seen) => attaching(seen)).length).toBe(1);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByText('Board slid off').first().click();
  await expect(page.getByText(/^Delivered and checked — 1 photo/u)).toBeVisible();
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText(`on time and materials entry ${ENTRY}`)).toBeVisible();
});

test('decisions §3.7: a custom field as the place names both photos’ uploads; the receipt claims no reading back', async ({
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  const two = [await photoFile(folder, 1, 300_000), await photoFile(folder, 2, 300_000)];
  const page = await world.open();
  const field = (await stored(client, ''))
    .flatMap((one) => Object.entries(one.custom_fields))
    .find(([, { data_type }]) => data_type === 'text' || data_type === 'string')?.[0];
  if (field === undefined) throw new Error('the demo has a text field');
  const id = Number(field.replace('custom_field_', ''));
  await choosePlace(page, 'A custom field', ['Number of the custom field', id]);
  // The field was changed but the answer lost: sending the same upload id again changes nothing.
  chaos.plan = firstOf(
    1,
    ({ method, path }) => method === 'PATCH' && /near_misses\/\d+$/.test(path),
    lost,
  );
  await report(page, { text: 'Cable cut', photos: two });
  await drained(page);
  const [record] = await stored(client, 'Cable cut');
  const named = String(record?.custom_fields[field]?.value).split(' ');
  expect(named.length).toBe(2);
  for (const uuid of named)
    expect(
      (await client.get(`/rest/v1.1/companies/${server.first.company_id}/uploads/${uuid}`)).status,
    ).toBe(200);
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await page.getByText('Cable cut').first().click();
  await expect(page.getByText(/0 of 2 photos, /u)).toBeVisible();
  await page.getByText('Details', { exact: true }).click();
  await expect(
    page.getByText(`named in “Custom field ${id}”, not checked, original on this laptop`).first(),
  ).toBeVisible();
  // The same name appears in the detail and in a file.
  await expect(page.getByText(`Custom field ${id}`, { exact: true })).toBeVisible();
  const coming = page.waitForEvent('download');
  await pressMore(page, 'Export: Table (CSV)');
  const file = join(folder, 'list.csv');
  await (await coming).saveAs(file);
  const csv = await readFile(file, 'utf8');
  expect(csv.split('\r\n')[0]).toContain(`"Custom field ${id}"`);
  for (const uuid of named) expect(csv).toContain(uuid);
});

/**
 * A construction site behind the scripted host: the choices of a form and the near misses of recent days, as a service returns
 * them.
 */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Catalog, CustomFieldDefinition } from '../../src/contract/rest/catalog.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { emptyCatalog } from '../../src/renderer/data/db/catalog.ts';
import { localDay } from '../../src/renderer/data/model/local-day.ts';
import { ScriptedHost, sessionOf } from './renderer-host.ts';
import { choosePhotos } from './renderer-photos.ts';

const lookup = (id: number, name: string) => ({ id, name, active: true, global: false });
const field = (
  id: number,
  label: string,
  data_type: CustomFieldDefinition['data_type'],
  options: string[] = [],
): CustomFieldDefinition => ({ id, label, data_type, options, required: false });

/** Ordered from mildest to worst, with the names of the demo company. */
const SEVERITY = ['Minor', 'First aid', 'Lost time', 'Could have killed'];

export const siteCatalog: Catalog = {
  ...emptyCatalog,
  incidents: [
    { id: 1, number: 1, title: 'Site traffic and deliveries' },
    { id: 2, number: 2, title: 'Tower crane operations' },
  ],
  companies: [{ id: 31, name: 'Skyline Scaffolding' }],
  people: [
    { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
    { id: 8, name: 'Tom Brennan', login: 'tom@example.com' },
  ],
  harm_sources: [lookup(41, 'Working at height'), lookup(42, 'Lifting operations')],
  work_activities: [lookup(51, 'Scaffold erection'), lookup(52, 'Crane lift')],
  managed_equipment: [{ id: 61, name: 'Tower crane TC-2' }],
  vendors: [{ id: 71, name: 'Coastal Crane Hire' }],
  custom_field_definitions: [
    field(81, 'Potential severity', 'select', SEVERITY),
    field(82, 'Location', 'string'),
    field(83, 'Event time', 'datetime'),
    field(84, 'Immediate action', 'text'),
    field(85, 'Follow-up', 'text'),
    field(86, 'Follow-up by', 'string'),
    field(87, 'Follow-up date', 'date'),
    field(88, 'Follow-up done', 'date'),
  ],
};

/** A near miss reported `ago` days before now. Near misses since yesterday also appear beside the list. */
export const reported = (text: string, ago = 3, more: Partial<NearMiss> = {}) => ({
  description: `<p>${text}</p>`,
  incident_title: siteCatalog.incidents[0]?.title ?? null,
  created_at: new Date(Date.now() - ago * 86_400_000).toISOString(),
  ...more,
});

/** Custom field values as a record has them, by the labels above. */
export const customFields = (values: Readonly<Record<string, string>>): NearMiss['custom_fields'] =>
  Object.fromEntries(
    siteCatalog.custom_field_definitions.flatMap(({ id, label, data_type }) =>
      label in values ? [[`custom_field_${id}`, { data_type, value: values[label] }]] : [],
    ),
  );

const FELL = ['Board fell', 'Hook swung', 'Ladder slipped', 'Hose burst', 'Panel tipped'];

/** Near misses of the past days, newest first, with a rating, a place and what they are about. */
export const manyReports = (count: number): Partial<NearMiss>[] =>
  Array.from({ length: count }, (_one, n) =>
    reported(`${FELL[n % FELL.length]} on deck ${n}`, 3 + n / 4, {
      incident_title: siteCatalog.incidents[n % 2]?.title ?? '',
      harm_source: siteCatalog.harm_sources[n % 2] ?? null,
      work_activity: siteCatalog.work_activities[n % 2] ?? null,
      incident_created_by: siteCatalog.people[n % 2] ?? null,
      custom_fields: customFields({
        'Potential severity': SEVERITY[n % 4] ?? '',
        Location: `Deck ${n % 3}`,
      }),
    }),
  );

/** The same host as a company's server, which is not the sample data. */
export const asServer = (host: ScriptedHost): ScriptedHost => {
  host.session = sessionOf({
    kind: 'server',
    address: 'https://spotter.example',
    account: 'https://spotter.example/1/1',
    company: { id: 1, name: 'Bridge Builders' },
    project: { id: 10, name: 'Harbour Bridge East' },
    user: { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
  });
  return host;
};

/** A host with that catalog and these near misses. */
export const siteHost = (records: readonly Partial<NearMiss>[] = []): ScriptedHost => {
  const host = new ScriptedHost();
  host.service.catalog = siteCatalog;
  for (const record of records) host.add(record);
  return host;
};

/** Files a near miss with photos under the first job and waits for its record. */
export const fileReport = async (text: string, photos: readonly File[] = []): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabelText('What happened?').fill(text);
  const job = page.getByRole('combobox', { name: /^Job or area/ });
  const suggested = page.getByRole('button', { name: 'Site traffic and deliveries' });
  await expect.element(job.or(suggested).first()).toBeVisible();
  if (suggested.elements().length > 0) await suggested.click();
  if (photos.length > 0) choosePhotos(photos);
  for (const { name } of photos)
    await expect.element(page.getByRole('button', { name: `More for ${name}` })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: text })).toBeVisible();
};

/** Presses an item of the list's menu, or of another. */
export const pressMore = async (item: string, menu = 'List options'): Promise<void> => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** The date `days` from today, in the format of a record. */
export const inDays = (days: number): string => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return localDay(day.getTime());
};

export const rows = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.scroller [aria-posinset]'),
];

/**
 * A company with the worst names that its API accepts, and near misses with the worst text in every field; for
 * nasty-texts.spec.ts.
 */
import { expect } from 'playwright/test';
import type { Client } from '../support/service.ts';

/**
 * 300 characters each: one word; many words; right-to-left text with combining marks and a multi-part emoji; markup lookalikes.
 */
export const NASTY = {
  unbroken: 'Gerüstbodenbelagsbefestigung'.repeat(11).slice(0, 300),
  spaced: 'North stair level 3 scaffold board after the fall '.repeat(6).slice(0, 300),
  right_to_left: 'السقالة انزلقت من المستوى é́́́́ 👷🏽‍♀️ '.repeat(12).slice(0, 300),
  markup: '<b>&amp;"\'{{x}}%s\\/'.repeat(20).slice(0, 300).replaceAll('/', '|'),
} as const;
const texts = Object.values(NASTY);

/** The longest allowed name, without half an emoji at its end. */
const named = (text: string): string => [...text].slice(0, 200).join('').trim();
const names = texts.map(named);
export const PROJECT = named(NASTY.unbroken);

interface Named {
  readonly id: number;
  readonly name: string;
}
const KINDS = {
  people: 'person',
  parties: 'party',
  vendors: 'vendor',
  affected_companies: 'affected_company',
  managed_equipment: 'managed_equipment',
  harm_sources: 'harm_source',
  work_activities: 'work_activity',
  time_and_material_entries: 'time_and_material_entry',
  folders: 'folder',
  documents: 'document',
} as const;
type Kind = keyof typeof KINDS;

const taken = ({ status, text }: { readonly status: number; readonly text: string }): void =>
  expect(status, text).toBeLessThan(300);

/** True for the signed-in user and for reference users, who alone can be added to a project. */
const foremost = (one: Named & { login?: string; reference_user?: boolean }, login: string) =>
  one.login === login || one.reference_user === true;

/** Renames four of each kind. */
const renameAll = async (client: Client, kind: Kind): Promise<readonly Named[]> => {
  const base = `/rest/v1.0/companies/${client.company_id}/${kind}`;
  const { user } = (await client.get('/rest/v1.0/me')).json as { user: { login: string } };
  const all = (await client.get(`${base}?per_page=100`)).json as Named[];
  const first = all.filter((one) => foremost(one, user.login));
  const chosen = [...new Set([...first, ...all])].slice(0, names.length);
  for (const [at, { id }] of chosen.entries())
    taken(await client.patch(`${base}/${id}`, { [KINDS[kind]]: { name: names[at] } }));
  return chosen;
};

/** Renames the company, the current project and three more projects. */
const renamePlaces = async (client: Client): Promise<void> => {
  const company = `/rest/v1.0/companies/${client.company_id}`;
  const base = `${company}/projects`;
  taken(await client.patch(company, { company: { name: names[1] } }));
  taken(await client.patch(`${base}/${client.project_id}`, { project: { name: PROJECT } }));
  for (const name of names.slice(1)) taken(await client.post(base, { project: { name } }));
};

interface Field {
  readonly id: number;
  readonly label: string;
}
/** Adds two custom fields with such labels and choices; returns the keys of all fields by label. */
const addFields = async (client: Client): Promise<ReadonlyMap<string, string>> => {
  const base = `/rest/v1.0/companies/${client.company_id}/custom_field_definitions`;
  for (const [label, more] of [
    [names[0], { data_type: 'select', options: names }],
    [names[1], { data_type: 'text' }],
  ] as const)
    taken(await client.post(base, { custom_field_definition: { label, ...more } }));
  const { json } = await client.get('~/catalog');
  const fields = json.custom_field_definitions as Field[];
  return new Map(fields.map(({ id, label }) => [label, `custom_field_${id}`]));
};

/** Adds a near miss for each text, with the text in every field that holds one. */
const addNearMisses = async (
  client: Client,
  of: Readonly<Record<Kind, readonly Named[]>>,
): Promise<void> => {
  const keys = await addFields(client);
  const key = (label: string): string => keys.get(label) ?? label;
  for (const [at, text] of texts.entries()) {
    const incident = { title: text, location: text, description: text };
    const opened = await client.post('~/incidents', { incident });
    taken(opened);
    const short = [...text].slice(0, 250).join('');
    taken(
      await client.post('~/incidents/near_misses', {
        near_miss: {
          incident_id: (opened.json as Named).id,
          description: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
          harm_source_id: of.harm_sources[at]?.id,
          work_activity_id: of.work_activities[at]?.id,
          managed_equipment_id: of.managed_equipment[at]?.id,
          affected_company_id: of.affected_companies[at]?.id,
          affected_party_id: of.parties[at]?.id,
          affected_person_id: of.people[at]?.id,
          [key('Potential severity')]: 'Could have killed',
          [key('Location')]: short,
          [key('Immediate action')]: text,
          [key('Follow-up')]: short,
          [key('Follow-up by')]: short,
          [key('Follow-up date')]: '2026-01-01',
          [key(names[0] ?? '')]: names[at],
          [key(names[1] ?? '')]: text,
        },
      }),
    );
  }
};

const addPolicies = async (client: Client, vendors: readonly Named[]): Promise<void> => {
  for (const [at, vendor] of vendors.entries())
    for (const text of texts)
      taken(
        await client.post(`~/vendors/${vendor.id}/insurances`, {
          insurance: {
            name: text,
            insurance_type: text,
            policy_number: text,
            notes: text,
            additional_insured: text,
            division_template: text,
            insurance_sets: text,
            limit: '99999999999999999999.999999',
            expiration_date: `2026-01-0${at + 1}`,
          },
        }),
      );
};

const addMembers = async (client: Client, parties: readonly Named[]): Promise<void> => {
  // Adds two as members, so that others remain to be offered.
  for (const { id } of parties.slice(0, 2))
    taken(await client.post('~/project_memberships', { project_membership: { party_id: id } }));
};

const addFiles = async (
  client: Client,
  entries: readonly Named[],
  documents: readonly Named[],
): Promise<void> =>
  taken(
    await client.post('~/time_and_material_entry_attachments', {
      time_and_material_entry_id: entries[0]?.id,
      time_and_material_entry_attachment: { documents: documents.map(({ id }) => id) },
    }),
  );

/** Points webhooks at a missing path of the service itself, so that each delivery has a long error. */
const addHooks = async (client: Client): Promise<void> => {
  const hooks = '/rest/v1.0/webhooks/hooks';
  for (const text of texts) {
    const made = await client.post(hooks, {
      project_id: client.project_id,
      hook: {
        api_version: 'v1',
        destination_url: new URL(`/${encodeURIComponent(text)}`, client.url).href,
        destination_headers: { [`X-${'Nasty'.repeat(20)}`]: 'x'.repeat(300) },
      },
    });
    taken(made);
    taken(
      await client.post(`${hooks}/${(made.json as Named).id}/triggers`, {
        api_version: 'v1',
        trigger: { resource_name: 'Near Misses', event_type: 'create' },
      }),
    );
  }
};

/** Must run before the app signs in. */
export const nameAllNasty = async (client: Client): Promise<void> => {
  await renamePlaces(client);
  await addHooks(client);
  const renamed = {} as Record<Kind, readonly Named[]>;
  for (const kind of Object.keys(KINDS) as Kind[]) renamed[kind] = await renameAll(client, kind);
  await addPolicies(client, renamed.vendors);
  await addMembers(client, renamed.parties);
  await addFiles(client, renamed.time_and_material_entries, renamed.documents);
  await addNearMisses(client, renamed);
};

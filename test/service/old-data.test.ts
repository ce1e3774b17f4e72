/**
 * The database of an older service, with rows in it, opened by this one: what migrations make of what is there already. The rows are
 * those of a service before names were folded without accents, before companies kept their own data, and before counts and trigrams.
 */
import { expect, it, onTestFinished } from 'vitest';
import { mintToken } from '../../src/service/domain/tokens.ts';
import { startService } from '../../src/service/index.ts';
import { makeOldDatabase, type OldRows } from '../support/old-database.ts';
import { clientOf, tempDir } from '../support/service.ts';

const [THEN, LATER] = [1_600_000_000_000, 1_600_000_100_000];

const lookup = { company_id: 1, project_id: null };
const record = {
  company_id: 1,
  project_id: 1,
  incident_id: 1,
  recordable: 0,
  created_by: 1,
  created_at: THEN,
  updated_at: THEN,
  deleted_at: null,
  version: 1,
  attachment_count: 0,
  custom_fields: '{}',
  description: '<p>Caída</p>',
  description_plain_text: 'Caída',
};

/** As it was written then: in lower case, with its accents. */
const old: OldRows = {
  companies: [{ id: 1, name: 'Obras Álvarez', created_at: THEN }],
  users: [
    { id: 1, name: 'Álvaro', login: 'alvaro@firm.example', created_at: THEN },
    { id: 2, name: 'Ivo', login: 'ivo@firm.example', created_at: LATER },
  ],
  company_users: [
    { company_id: 1, user_id: 1 },
    { company_id: 1, user_id: 2 },
  ],
  id_counters: [
    { name: 'companies', last: 1 },
    { name: 'users', last: 2 },
    { name: 'projects', last: 2 },
    { name: 'incidents', last: 2 },
    { name: 'people', last: 7 },
    { name: 'near_misses', last: 5 },
    { name: 'custom_field_definitions', last: 3 },
  ],
  custom_field_definitions: [
    {
      ...lookup,
      id: 3,
      label: 'Follow-up date',
      data_type: 'date',
      options: '[]',
      required: 0,
    },
  ],
  projects: [
    { company_id: 1, id: 1, name: 'Torre Ñ', last_incident_number: 2, created_at: THEN },
    { company_id: 1, id: 2, name: 'Empty', last_incident_number: 0, created_at: THEN },
  ],
  people: [
    { ...lookup, id: 7, name: 'Álvaro', name_folded: 'álvaro', login: 'alvaro@firm.example' },
  ],
  parties: [{ ...lookup, id: 1, name: 'Gone', name_folded: 'gone', reference_user: 0, active: 0 }],
  incidents: [1, 2].map((id) => ({
    company_id: 1,
    id,
    project_id: 1,
    number: id,
    title: 'Grúa',
    description: '',
    event_date: null,
    time_unknown: 0,
    location: null,
    private: id - 1,
    created_by: 2,
    last_near_miss_number: 4,
    created_at: THEN,
    updated_at: THEN,
  })),
  near_misses: [
    { ...record, id: 1, number: 1, affected_person_id: 7, search: 'grúa\u0001caída\u0001álvaro' },
    { ...record, id: 2, number: 2, search: 'grúa\u0001ankerplatte lose' },
    { ...record, id: 3, number: 3, deleted_at: LATER, search: 'grúa\u0001ankerplatte fort' },
    // Of an incident that is hidden from Álvaro.
    { ...record, id: 4, number: 4, incident_id: 2, search: 'grúa\u0001ankerplatte privat' },
  ],
};

it('decisions §2.4, §10: a database of an older service is counted, searched and offered as a new one', async () => {
  const dir = tempDir('old');
  const database = await makeOldDatabase(dir.path, '0013-private-incidents', old);
  onTestFinished(async () => {
    await database.drop();
    dir.remove();
  });
  const service = await startService({
    options: { 'data-dir': dir.path, port: 0, ...database.options },
  });
  onTestFinished(() => service.stop());
  const [alvaro, ivo] = await Promise.all(
    [1, 2].map((id) => service.app.store.write((tx) => mintToken(tx, id, Date.now()))),
  );
  const client = clientOf(service.url, { token: alvaro ?? '', company_id: 1, project_id: 1 });
  const told = async (path: string, from = client) => {
    const answer = await from.get(path);
    expect(answer.status, answer.text).toBe(200);
    return {
      ids: (answer.json as { id: number }[]).map(({ id }) => id),
      total: answer.headers.get('total'),
    };
  };
  const list = '~/incidents/near_misses';
  const bin = '~/recycle_bin/incidents/near_misses';

  expect(await told(list)).toEqual({ ids: [2, 1], total: '2' });
  expect(await told(bin)).toEqual({ ids: [3], total: '1' });
  const opener = clientOf(service.url, { token: ivo ?? '', company_id: 1, project_id: 1 });
  expect(await told(list, opener)).toEqual({ ids: [4, 2, 1], total: '3' });
  expect(await told('/rest/v1.0/projects/2/incidents/near_misses')).toEqual({
    ids: [],
    total: '0',
  });

  expect(await told(`${list}?filters[query]=ankerplatte`)).toEqual({ ids: [2], total: '1' });
  expect(await told(`${list}?filters[query]=ALVARO`)).toEqual({ ids: [1], total: '1' });
  expect(await told(`${bin}?filters[query]=ankerplatte`)).toEqual({ ids: [3], total: '1' });

  // 0015: Ivo, who was a user only, is a person now; Álvaro is not made one twice.
  const people = (await client.get('/rest/v1.0/companies/1/people')).json as Record<
    string,
    unknown
  >[];
  expect(people.map(({ id, name, login, active }) => ({ id, name, login, active }))).toEqual(
    expect.arrayContaining([
      { id: 7, name: 'Álvaro', login: 'alvaro@firm.example', active: true },
      { id: 8, name: 'Ivo', login: 'ivo@firm.example', active: true },
    ]),
  );
  expect(people).toHaveLength(2);
  // 0017: what has to be done has its fields; the one that was there is not made twice.
  const { json: catalog } = await client.get('~/catalog');
  const fields = catalog.custom_field_definitions as { id: number; label: string }[];
  expect(fields.map(({ id, label }) => [id, label]).sort()).toEqual([
    [3, 'Follow-up date'],
    [4, 'Follow-up'],
    [5, 'Follow-up by'],
    [6, 'Follow-up done'],
    // 0018: and what is said of photos.
    [7, 'Photo captions'],
  ]);
  const projects = await client.get('/rest/v1.0/companies/1/projects?filters[query]=torre');
  expect(projects.json).toMatchObject([
    { name: 'Torre Ñ', created_at: new Date(THEN).toISOString() },
  ]);
  const incident = await client.get('~/incidents/1');
  expect(incident.json).toMatchObject({ status: 'open' });
});

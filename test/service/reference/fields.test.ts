/**
 * Fields of records: insurances, memberships, near misses with the types of the reference's tables. Copied from the reference,
 * not from the contract, whose schemas allow another server to omit fields.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import {
  boolean,
  date,
  expectFields,
  integer,
  matches,
  nothing,
  object,
  string,
  utc,
} from './field-checks.ts';

let t: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
beforeAll(async () => {
  t = await startTestService();
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

const writable = {
  effective_date: '2026-01-01',
  enable_expired_insurance_notifications: false,
  exempt: true,
  expiration_date: '2026-12-31',
  info_received: true,
  insurance_type: 'General liability',
  limit: '1000000.00',
  notes: 'Renewal asked for',
  policy_number: 'NM-77',
  status: 'compliant',
  additional_insured: 'Harbour Authority',
  division_template: 'Division A',
  insurance_sets: 'Set 1',
  origin_data: '{"row":7}',
  origin_id: 'erp-1',
};

describe('reference, Insurance', () => {
  const list = () => `~/vendors/${catalog.vendors[0].id}/insurances`;

  it('reference, Insurance: eighteen fields and their types, in create, show, list, update, sync and delete (reference R-insurance-1, R-insurance-11, R-insurance-12, R-insurance-13, R-insurance-14)', async () => {
    const body = { insurance: { ...writable, name: 'Northern Mutual' } };
    const made = (await t.demo.post(list(), body)).json;
    const path = `${list()}/${made.id}`;
    const updates = [{ id: made.id, notes: 'x' }];
    for (const row of [
      made,
      (await t.demo.get(path)).json,
      (await t.demo.get(list())).json[0],
      (await t.demo.patch(path, body)).json,
      (await t.demo.patch(`${list()}/sync`, { updates })).json.entities[0],
      (await t.demo.delete(path)).json,
    ])
      expectFields(row, {
        id: integer,
        effective_date: date,
        enable_expired_insurance_notifications: boolean,
        exempt: boolean,
        expiration_date: date,
        info_received: boolean,
        insurance_provider: string,
        insurance_type: string,
        limit: matches(/^\d+\.\d+$/),
        notes: string,
        policy_number: string,
        status: string,
        vendor_id: integer,
        additional_insured: string,
        division_template: string,
        insurance_sets: string,
        origin_data: string,
        origin_id: string,
      });
  });

  it('reference, Insurance: the writable fields are kept by create, update and sync; the insurer goes in as name (reference R-insurance-4, R-insurance-5)', async () => {
    const sent = { ...writable, name: 'In by name' };
    const kept = { ...writable, insurance_provider: 'In by name' };
    const created = (await t.demo.post(list(), { insurance: sent })).json;
    const empty = (await t.demo.post(list(), { insurance: {} })).json;
    const updated = await t.demo.patch(`${list()}/${empty.id}`, { insurance: sent });
    const known = (await t.demo.post(list(), { insurance: {} })).json;
    const synced = await t.demo.patch(`${list()}/sync`, {
      updates: [
        // Of a vendor's records, a sync assigns an origin_id to only one (decisions §8).
        { id: known.id, ...sent, origin_id: 'erp-known' },
        { ...sent, origin_id: 'erp-new' },
      ],
    });
    expect(synced.json.errors).toEqual([]);
    const [changed, added] = synced.json.entities;
    for (const row of [created, updated.json]) expect(row).toMatchObject(kept);
    expect(changed).toMatchObject({ ...kept, origin_id: 'erp-known' });
    expect(added).toMatchObject({ ...kept, origin_id: 'erp-new' });
    for (const row of [created, updated.json, changed])
      expect((await t.demo.get(`${list()}/${row.id}`)).json).toEqual(row);
  });

  it('reference, Insurance status: any may follow any other (reference R-insurance-3)', async () => {
    const statuses = [
      'compliant',
      'compliant_in_progress',
      'expired',
      'non_compliant',
      'non_compliant_in_progress',
      'undecided',
      'unregistered',
    ];
    const { id } = (await t.demo.post(list(), { insurance: {} })).json;
    const become = (status: string) => t.demo.patch(`${list()}/${id}`, { insurance: { status } });
    for (const from of statuses)
      for (const to of statuses) {
        await become(from);
        const answer = await become(to);
        expect([answer.status, answer.json.status]).toEqual([200, to]);
      }
  });
});

describe('reference, Project membership', () => {
  it('reference, Project membership: three integers (reference R-memberships-1)', async () => {
    const { json } = await t.demo.get('~/project_memberships');
    expect(json.length).toBeGreaterThan(0);
    for (const row of json)
      expectFields(row, { id: integer, party_id: integer, project_id: integer });
  });
});

describe('reference, Near miss', () => {
  const named = object({ id: integer, name: string });
  const person = object({ login: string, id: integer, name: string });
  const lookup = object({
    id: integer,
    name: string,
    active: boolean,
    global: boolean,
    created_at: utc,
    updated_at: utc,
  });
  const fields = {
    id: integer,
    number: integer,
    full_number: string,
    incident_id: integer,
    recordable: boolean,
    type: matches(/^near_miss$/),
    incident_title: string,
    incident_private: boolean,
    summary: string,
    description_plain_text: string,
    description: string,
    affected_company: named,
    created_at: utc,
    deleted_at: nothing,
    managed_equipment: named,
    incident_created_by: person,
    updated_at: utc,
    work_activity: lookup,
    affected_party: named,
    affected_person: person,
    harm_source: lookup,
    custom_fields: (value: unknown) =>
      typeof value === 'object' && value !== null && Object.keys(value).length === 1,
  };
  /** Our additions (decisions §3.7, §3.8, §18, §20.3, §21.2). */
  const ours = ['anonymised_at', 'attachments', 'comment_count', 'created_by', 'erased_at'];
  const list = '~/incidents/near_misses';
  const bin = '~/recycle_bin/incidents/near_misses';

  it('reference, Near miss: twenty-two fields and their types, in create, show, list, update, the bin and restore (reference R-near-misses-1, R-near-misses-2, R-near-misses-3, R-near-misses-4, R-near-misses-5, R-near-misses-9, R-near-misses-10)', async () => {
    const near_miss = {
      incident_id: 1,
      description: '<p>Fell</p>',
      affected_person_id: catalog.people[0].id,
      affected_party_id: catalog.parties[0].id,
      affected_company_id: catalog.companies[0].id,
      harm_source_id: catalog.harm_sources[0].id,
      work_activity_id: catalog.work_activities[0].id,
      managed_equipment_id: catalog.managed_equipment[0].id,
      [`custom_field_${catalog.custom_field_definitions.find((one: { data_type: string }) => one.data_type === 'text').id}`]:
        'x',
    };
    const made = (await t.demo.post(list, { near_miss })).json;
    const one = `${list}/${made.id}`;
    for (const row of [
      made,
      (await t.demo.get(one)).json,
      (await t.demo.get(list)).json[0],
      (await t.demo.patch(one, { near_miss: { description: 'b' } })).json,
    ])
      expectFields(row, fields, ours);
    await t.demo.delete(one);
    for (const row of [
      (await t.demo.get(bin)).json[0],
      (await t.demo.get(`${bin}/${made.id}`)).json,
    ])
      expectFields(row, { ...fields, deleted_at: utc }, ours);
    const restored = await t.demo.ask('PATCH', `${bin}/${made.id}/restore`);
    expectFields(restored.json, fields, ours);
  });

  it('reference, Near miss: title and privacy are the incident’s (reference R-near-misses-7)', async () => {
    for (const hidden of [false, true]) {
      const incident = { title: `Private: ${hidden}`, private: hidden };
      const { id } = (await t.demo.post('~/incidents', { incident })).json;
      const made = (await t.demo.post(list, { near_miss: { incident_id: id } })).json;
      expect(made).toMatchObject({
        incident_id: id,
        incident_title: incident.title,
        incident_private: hidden,
      });
    }
  });

  it('reference, Near misses: update requires near_miss, takes create’s fields, answers the record (reference R-near-misses-27, R-near-misses-28)', async () => {
    const { id } = (await t.demo.post(list, { near_miss: { incident_id: 1 } })).json;
    const one = `${list}/${id}`;
    for (const body of [undefined, {}, { near_miss: null }, { near_miss: 'x' }]) {
      const answer = await t.demo.ask('PATCH', one, { body });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['near_miss']]);
    }
    const near_miss = {
      description: 'x',
      affected_person_id: catalog.people[1].id,
      affected_party_id: catalog.parties[1].id,
      affected_company_id: catalog.companies[1].id,
      harm_source_id: catalog.harm_sources[1].id,
      work_activity_id: catalog.work_activities[1].id,
      managed_equipment_id: catalog.managed_equipment[1].id,
    };
    const answer = await t.demo.patch(`${one}?incident_id=1`, { near_miss });
    expect(answer.status).toBe(200);
    for (const [name, value] of Object.entries(near_miss))
      if (name.endsWith('_id')) expect(answer.json[name.replace(/_id$/, '')].id).toBe(value);
    expect(answer.json).toMatchObject({ id, description: 'x' });
    const again = await t.demo.patch(one, { near_miss: {} });
    expect([again.status, again.json]).toEqual([200, answer.json]);
  });

  it('reference, Near misses: create takes a description and six ids, of their types (reference R-near-misses-24, R-near-misses-25)', async () => {
    const refused = async (name: string, value: unknown) =>
      (await t.demo.post(list, { near_miss: { incident_id: 1, [name]: value } })).json.errors;
    for (const name of [
      'incident_id',
      'affected_person_id',
      'affected_party_id',
      'harm_source_id',
      'affected_company_id',
      'managed_equipment_id',
      'work_activity_id',
    ])
      for (const value of ['1', 1.5, true, {}])
        expect(await refused(name, value)).toHaveProperty([`near_miss.${name}`]);
    expect(await refused('incident_id', undefined)).toHaveProperty(['near_miss.incident_id']);
    expect(await refused('description', 5)).toHaveProperty(['near_miss.description']);
  });
});

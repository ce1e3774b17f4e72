/**
 * The fields of every resource as the reference's tables have them, with their types: written out from the reference, not
 * from the contract, whose schemas let another server leave out what it does not know. What is [ours] beside them is named.
 */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import type { TestService } from '../../support/service.ts';
import { cut, KIB, md5, post, put, random, sha256 } from '../uploads/support.ts';
import {
  answering,
  deliveriesOf,
  HOOKS,
  makeHook,
  makeNearMiss,
  startEndpoint,
  startSender,
  until,
  type Endpoint,
} from '../webhooks/support.ts';

type Check = (value: unknown) => boolean;
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const integer: Check = (value) => Number.isInteger(value);
const string: Check = (value) => typeof value === 'string';
const boolean: Check = (value) => typeof value === 'boolean';
const nothing: Check = (value) => value === null;
const date = matches(/^\d{4}-\d{2}-\d{2}$/);
const utc = matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
const address: Check = (value) => typeof value === 'string' && URL.canParse(value);
const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false;
    expect(Object.keys(value).sort()).toEqual(Object.keys(fields).sort());
    return Object.entries(fields).every(([name, check]) => {
      const good = check((value as Record<string, unknown>)[name]);
      expect(good, `${name}: ${JSON.stringify((value as Record<string, unknown>)[name])}`).toBe(
        true,
      );
      return good;
    });
  };
const texts: Check = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every(string);

/** Exactly these fields, each of its type. `ours`: additions of the decisions, looked at by tests of their own. */
const expectFields = (
  value: Record<string, unknown>,
  fields: Readonly<Record<string, Check>>,
  ours: readonly string[] = [],
): void => {
  const own = Object.entries(value).filter(([name]) => !ours.includes(name));
  object(fields)(Object.fromEntries(own));
};

let t: TestService;
let endpoint: Endpoint;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
beforeAll(async () => {
  t = await startSender();
  endpoint = await startEndpoint();
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(async () => {
  await endpoint.close();
  await t.stop();
});

const uploadsOf = () => `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
const sendPhoto = async (): Promise<{ uuid: string; bytes: Buffer }> => {
  const raw = { width: 60, height: 40, channels: 3 } as const;
  const bytes = await sharp(random(60 * 40 * 3), { raw })
    .jpeg()
    .toBuffer();
  const { json } = await t.demo.post(uploadsOf(), { response_filename: 'site.jpg' });
  expect((await post(json as Upload, bytes)).status).toBe(204);
  return { uuid: json.uuid as string, bytes };
};

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
        { id: known.id, ...sent },
        { ...sent, origin_id: 'erp-new' },
      ],
    });
    expect(synced.json.errors).toEqual([]);
    const [changed, added] = synced.json.entities;
    for (const row of [created, updated.json, changed]) expect(row).toMatchObject(kept);
    expect(added).toMatchObject({ ...kept, origin_id: 'erp-new' });
    for (const { id } of [created, updated.json, changed])
      expect((await t.demo.get(`${list()}/${id}`)).json).toMatchObject(kept);
  });

  it('reference, Insurance status: any may follow any other (reference R-insurance-3)', async () => {
    const statuses = [
      ...['compliant', 'compliant_in_progress', 'expired', 'non_compliant'],
      ...['non_compliant_in_progress', 'undecided', 'unregistered'],
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

describe('reference, Time and material entry attachment', () => {
  const list = '~/time_and_material_entry_attachments';

  it('reference: seven fields and their types, whose addresses lead to the file (reference R-attachments-1, R-attachments-3, R-attachments-9, R-attachments-10, R-attachments-11)', async () => {
    const { uuid, bytes } = await sendPhoto();
    const made = (
      await t.demo.post(list, {
        time_and_material_entry_id: catalog.time_and_material_entries[0].id,
        time_and_material_entry_attachment: { upload_uuids: [uuid] },
      })
    ).json;
    for (const where of ['url', 'presentation_url']) {
      const back = await fetch(made[where]);
      expect(sha256(Buffer.from(await back.arrayBuffer()))).toBe(sha256(bytes));
    }
    expect((await fetch(made.thumbnail_url)).headers.get('content-type')).toMatch(/^image\//);
    const path = `${list}/${made.id}`;
    for (const row of [
      made,
      (await t.demo.get(path)).json,
      (await t.demo.get(list)).json[0],
      (await t.demo.delete(path)).json,
    ]) {
      expect(row.id).toBe(made.id);
      expectFields(
        row,
        {
          id: integer,
          attachment_id: integer,
          content_type: string,
          presentation_url: address,
          url: address,
          thumbnail_url: address,
          filename: string,
        },
        ['created', 'time_and_material_entry_id'],
      );
    }
  });

  it('reference: the list holds the attachments of this project, and nobody else’s (reference R-attachments-4)', async () => {
    const attach = async (client: TestService['demo']): Promise<number> => {
      const { time_and_material_entries, documents } = (await client.get('~/catalog')).json;
      const answer = await client.post(list, {
        time_and_material_entry_id: time_and_material_entries[0].id,
        time_and_material_entry_attachment: { documents: [documents[0].id] },
      });
      return answer.json.id as number;
    };
    const listed = async (client: TestService['demo']): Promise<number[]> =>
      (await client.get(list)).json.map(({ id }: { id: number }) => id) as number[];
    const [mine, theirs] = [await attach(t.demo), await attach(t.other)];
    expect(await listed(t.demo)).toContain(mine);
    expect(await listed(t.demo)).not.toContain(theirs);
    expect(await listed(t.other)).toEqual([theirs]);
  });
});

describe('reference, Upload', () => {
  const ours = [
    ...['status', 'min_segment_size', 'max_segment_size', 'max_segments'],
    ...['post_expires_at', 'expires_at'],
  ];
  const fields = { uuid: string, url: address, fields: texts };
  const body = {
    response_filename: 'plan.pdf',
    response_content_type: 'application/pdf',
    attachment_content_disposition: true,
  };

  it('reference, Upload: uuid, url, fields in create and show; segments of size, sha256, md5, etag in all three (reference R-uploads-1, R-uploads-4, R-uploads-11, R-uploads-12, R-uploads-13)', async () => {
    const whole = (await t.demo.post(uploadsOf(), body)).json;
    const parts = cut(random(256 * KIB + 5), 256 * KIB);
    const segmented = (await t.demo.post(uploadsOf(), { ...body, segments: parts.pieces })).json;
    for (const { uuid } of [whole, segmented])
      expectFields((await t.demo.get(`${uploadsOf()}/${uuid}`)).json, fields, [
        ...ours,
        'segments',
      ]);
    expectFields(whole, fields, [...ours, 'segments']);
    expect(Object.keys(whole.fields).length).toBeGreaterThan(0);
    for (const [index, part] of parts.entries()) await put(segmented as Upload, index, part);
    const segments = parts.map((part, at) => ({ ...parts.pieces[at], etag: md5(part) }));
    const done = await t.demo.patch(`${uploadsOf()}/${segmented.uuid}`, { segments });
    expect([done.status, done.json.uuid]).toEqual([200, segmented.uuid]);
    const shown = (await t.demo.get(`${uploadsOf()}/${segmented.uuid}`)).json;
    for (const answer of [segmented, done.json, shown])
      for (const [index, segment] of answer.segments.entries()) {
        const etag = answer === segmented ? nothing : string;
        const types = { size: integer, sha256: string, md5: string, etag };
        expectFields(segment, types, ['url', 'headers']);
        expect(segment).toMatchObject(parts.pieces[index] ?? {});
      }
  });

  it('reference, Upload: url must not be cached, and whatever stands between is told so (reference R-uploads-24)', async () => {
    const made = await t.demo.post(uploadsOf(), body);
    const { pieces } = cut(random(100), 100);
    const segmented = await t.demo.post(uploadsOf(), { ...body, segments: pieces });
    const path = `${uploadsOf()}/${segmented.json.uuid}`;
    const shown = await t.demo.get(path);
    const kept = await t.demo.patch(path, { segments: [{ etag: null }] });
    for (const answer of [made, segmented, shown, kept]) {
      expect(answer.json.url).toEqual(expect.any(String));
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('reference, Upload: the uuid is good from creation to association, with a near miss or an entry (reference R-uploads-2, R-uploads-3)', async () => {
    const status = async (uuid: string) => (await t.demo.get(`${uploadsOf()}/${uuid}`)).json.status;
    const associate: ((uuid: string) => Promise<{ status: number }>)[] = [
      (uuid) =>
        t.demo.post('~/incidents/near_misses', {
          near_miss: { incident_id: 1, upload_uuids: [uuid] },
        }),
      (uuid) =>
        t.demo.post('~/time_and_material_entry_attachments', {
          time_and_material_entry_id: catalog.time_and_material_entries[0].id,
          time_and_material_entry_attachment: { upload_uuids: [uuid] },
        }),
    ];
    for (const use of associate) {
      const upload = (await t.demo.post(uploadsOf(), body)).json as Upload;
      expect(await status(upload.uuid)).toBe('ready');
      await post(upload, random(100));
      expect(await status(upload.uuid)).toBe('complete');
      expect((await use(upload.uuid)).status).toBe(201);
      expect(await status(upload.uuid)).toBe('associated');
    }
  });

  it('reference, Company uploads: response_filename is a text and required; all others may be left out, and are of their type (reference R-uploads-5, R-uploads-9, R-uploads-10)', async () => {
    expect((await t.demo.post(uploadsOf(), { response_filename: 'a' })).status).toBe(201);
    const { pieces } = cut(random(100), 100);
    for (const more of [
      { ...body, size: 100 },
      { size: 100, segments: pieces },
    ])
      expect((await t.demo.post(uploadsOf(), { response_filename: 'a', ...more })).status).toBe(
        201,
      );
    for (const [name, value] of [
      ['response_filename', undefined],
      ['response_filename', 5],
      ['response_filename', null],
      ['response_content_type', 5],
      ['attachment_content_disposition', 'yes'],
      ['size', '100'],
      ['size', 1.5],
      ['segments', {}],
      ['segments', 'x'],
    ] as const) {
      const answer = await t.demo.post(uploadsOf(), { response_filename: 'a', [name]: value });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [name]]);
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
      expectFields(row, fields, ['attachments']);
    await t.demo.delete(one);
    for (const row of [
      (await t.demo.get(bin)).json[0],
      (await t.demo.get(`${bin}/${made.id}`)).json,
    ])
      expectFields(row, { ...fields, deleted_at: utc }, ['attachments']);
    const restored = await t.demo.ask('PATCH', `${bin}/${made.id}/restore`);
    expectFields(restored.json, fields, ['attachments']);
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

  it('reference, Near misses: update requires near_miss, takes the fields of create, and answers the record, with and without its incident_id (reference R-near-misses-27, R-near-misses-28)', async () => {
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
      ...['incident_id', 'affected_person_id', 'affected_party_id', 'harm_source_id'],
      ...['affected_company_id', 'managed_equipment_id', 'work_activity_id'],
    ])
      for (const value of ['1', 1.5, true, {}])
        expect(await refused(name, value)).toHaveProperty([`near_miss.${name}`]);
    expect(await refused('incident_id', undefined)).toHaveProperty(['near_miss.incident_id']);
    expect(await refused('description', 5)).toHaveProperty(['near_miss.description']);
  });
});

describe('reference, Webhook delivery', () => {
  const fields = {
    id: integer,
    event_id: string,
    started_at: utc,
    completed_at: utc,
    response_status: integer,
    response_headers: texts,
    response_error: nothing,
    response_body: string,
    outcome: string,
  };

  it('reference, Webhook delivery: nine attributes; every attempt is one, with the event’s id; ok, retried, failed (reference R-webhooks-11, R-webhooks-12, R-webhooks-13, R-webhooks-14, R-webhooks-15, R-events-9)', async () => {
    const { id } = await makeHook(t.demo, endpoint.url);
    endpoint.answer(answering(500, { 'x-seen': 'yes' }, 'no'));
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    endpoint.answer(answering(202, { 'x-seen': 'again' }, 'taken'));
    t.clock.advance(2000);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 2);
    endpoint.answer(answering(410));
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 3);
    const all = await deliveriesOf(t.demo, id);
    const [last, second, first] = all;
    for (const one of [last, first])
      expectFields({ ...one }, { ...fields, response_error: string });
    expectFields({ ...second }, fields);
    expect(first).toMatchObject({
      outcome: 'retried',
      response_status: 500,
      response_headers: { 'x-seen': 'yes' },
      response_body: 'no',
    });
    expect(second).toMatchObject({
      outcome: 'ok',
      response_status: 202,
      response_headers: { 'x-seen': 'again' },
      response_body: 'taken',
    });
    expect(last).toMatchObject({ outcome: 'failed', response_status: 410 });
    expect(new Set(all.map((one) => one.id)).size).toBe(3);
    expect(second?.event_id).toBe(first?.event_id);
    expect(last?.event_id).not.toBe(first?.event_id);
    expect(second?.started_at).toBe(new Date(t.clock.now()).toISOString());
  });

  it('reference, Webhooks management: company_id or project_id selects the deliveries; a hook of the other kind is not there (reference R-webhooks-17)', async () => {
    endpoint.answer(answering(200));
    const company = await makeHook(t.demo, endpoint.url);
    const project = await makeHook(t.demo, endpoint.url, { project_id: t.demo.project_id });
    const [byCompany, byProject] = [
      `company_id=${t.demo.company_id}`,
      `project_id=${t.demo.project_id}`,
    ];
    for (const [{ id }, right, wrong] of [
      [company, byCompany, byProject],
      [project, byProject, byCompany],
    ] as const) {
      const path = `/vapid/webhooks/hooks/${id}/deliveries`;
      expect((await t.demo.get(`${path}?${right}`)).status).toBe(200);
      expect((await t.demo.get(`${path}?${wrong}`)).status).toBe(404);
    }
    await t.demo.delete(`${HOOKS}/${company.id}`);
    await t.demo.delete(`${HOOKS}/${project.id}`);
  });
});

/**
 * A company created without the demo, through the API alone, as with `curl` (decisions §11): a vendor is insured, a person
 * named, a party becomes a member, an entry gets a file, an incident is corrected and closed.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type Answer,
  type Client,
  type ServiceProcess,
} from '../support/service.ts';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { databaseOf } from '../support/database.ts';
import { md5, put, sha256 } from './uploads/support.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const dir = tempDir('local-company');
let running: ServiceProcess;
let client: Client;

const firstLine = (stdout: string) =>
  JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;

beforeAll(async () => {
  running = await spawnService(['--port=0', `--data-dir=${dir.path}`, '--log-level=error']);
  const made = await runCli([
    'token',
    'create',
    '--user',
    'rita@firm.example',
    '--new-user',
    'Rita',
    '--new-company',
    'Firm',
    `--data-dir=${dir.path}`,
  ]);
  const { token, company_id } = firstLine(made.stdout) as { token: string; company_id: number };
  const signedIn = clientOf(running.first.url, { token, company_id, project_id: 1 });
  const [project] = (await signedIn.get('/rest/v1.0/me')).json.projects as { id: number }[];
  client = clientOf(running.first.url, { token, company_id, project_id: project?.id ?? 0 });
});
afterAll(async () => {
  await running.end();
  await (await databaseOf(dir.path)).drop();
  dir.remove();
});

const done = (answer: Answer): Answer => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};
const own = (kind: string): string => `/rest/v1.0/companies/${client.company_id}/${kind}`;
const made = async (kind: string, one: string, fields: object): Promise<number> =>
  done(await client.post(own(kind), { [one]: fields })).json.id as number;

const sendFile = async (text: string): Promise<string> => {
  const uploads = `/rest/v1.1/companies/${client.company_id}/uploads`;
  const bytes = Buffer.from(text);
  const segments = [{ size: bytes.length, sha256: sha256(bytes) }];
  const body = { response_filename: 'sheet.txt', response_content_type: 'text/plain', segments };
  const upload = done(await client.post(uploads, body)).json as Upload;
  await put(upload, 0, bytes);
  done(await client.patch(`${uploads}/${upload.uuid}`, { segments: [{ etag: md5(bytes) }] }));
  return upload.uuid;
};

it('decisions §11.6: the user of a new company is a person of it, and so is the next user', async () => {
  const people = async () => (await client.get('~/catalog')).json.people as { login: string }[];
  expect(await people()).toMatchObject([{ name: 'Rita', login: 'rita@firm.example' }]);
  const next = [
    '--user',
    'sam@firm.example',
    '--new-user',
    'Sam',
    '--company',
    `${client.company_id}`,
  ];
  expect((await runCli(['token', 'create', ...next, `--data-dir=${dir.path}`])).code).toBe(0);
  expect((await people()).map(({ login }) => login)).toEqual([
    'rita@firm.example',
    'sam@firm.example',
  ]);
});

it('decisions §11.1, §8: a vendor is added and insured', async () => {
  const vendor = await made('vendors', 'vendor', { name: 'Crane Hire Ltd', origin_id: 'V-7' });
  const insurances = `~/vendors/${vendor}/insurances`;
  done(await client.post(insurances, { insurance: { name: 'Mutual', limit: '1000000.00' } }));
  expect((await client.get(insurances)).json).toMatchObject([{ insurance_provider: 'Mutual' }]);
  // A retired vendor keeps its insurances.
  done(await client.patch(`${own('vendors')}/${vendor}`, { vendor: { active: false } }));
  expect((await client.get('~/catalog')).json.vendors).toEqual([]);
  expect((await client.get(insurances)).json).toHaveLength(1);
});

it('decisions §11.1, §3.3: a person, a firm, equipment and a field of its own are named in a near miss', async () => {
  const { incidents } = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  const field = await made('custom_field_definitions', 'custom_field_definition', {
    label: 'Ground',
    data_type: 'select',
    options: ['Dry', 'Wet'],
  });
  const { json } = done(
    await client.post('~/incidents/near_misses', {
      near_miss: {
        incident_id: incidents[0]?.id,
        affected_person_id: await made('people', 'person', { name: 'Ivo' }),
        affected_company_id: await made('affected_companies', 'affected_company', {
          name: 'Steel Co',
        }),
        managed_equipment_id: await made('managed_equipment', 'managed_equipment', {
          name: 'Crane 2',
        }),
        harm_source_id: await made('harm_sources', 'harm_source', { name: 'Wind' }),
        work_activity_id: await made('work_activities', 'work_activity', { name: 'Lifting' }),
        [`custom_field_${field}`]: 'Wet',
      },
    }),
  );
  expect(json).toMatchObject({
    affected_person: { name: 'Ivo' },
    managed_equipment: { name: 'Crane 2' },
    custom_fields: { [`custom_field_${field}`]: { value: 'Wet' } },
  });
  // A retired field keeps its values.
  done(
    await client.patch(`${own('custom_field_definitions')}/${field}`, {
      custom_field_definition: { active: false },
    }),
  );
  expect((await client.get(`~/incidents/near_misses/${json.id}`)).json.custom_fields).toEqual(
    json.custom_fields,
  );
});

it('decisions §11.2, §7: a party becomes a member', async () => {
  const party_id = await made('parties', 'party', { name: 'Dana' });
  const added = done(
    await client.post('~/project_memberships', { project_membership: { party_id } }),
  );
  expect(added.json).toEqual([party_id]);
  expect((await client.get('~/project_memberships')).json).toMatchObject([{ party_id }]);
});

it('decisions §11.2, §6: an entry gets a file: of an upload, and of a document in a folder', async () => {
  const entry = await made('time_and_material_entries', 'time_and_material_entry', {
    name: 'Extra dig',
  });
  const folder_id = await made('folders', 'folder', { name: 'Sheets' });
  const document = done(
    await client.post(own('documents'), {
      document: { name: 'Day sheet', folder_id, upload_uuid: await sendFile('the day sheet') },
    }),
  );
  expect(document.json).toMatchObject({ has_file: true, folder_id });
  const attached = done(
    await client.post('~/time_and_material_entry_attachments', {
      time_and_material_entry_id: entry,
      time_and_material_entry_attachment: {
        folders: [folder_id],
        upload_uuids: [await sendFile('the second sheet')],
      },
    }),
  );
  const texts = await Promise.all(
    (attached.json.created as { url: string }[]).map(async ({ url }) => (await fetch(url)).text()),
  );
  expect(texts.sort()).toEqual(['the day sheet', 'the second sheet']);
});

it('decisions §11.7: the company gets another name; what is older than it is a 412, an empty one a 422', async () => {
  const path = `/rest/v1.0/companies/${client.company_id}`;
  const before = await client.get(path);
  expect(before.json).toMatchObject({ id: client.company_id, name: 'Firm' });
  const etag = before.headers.get('etag') ?? '';
  const same = await client.patch(path, { company: { name: ' Firm ' } });
  expect([same.status, same.headers.get('etag')]).toEqual([200, etag]);
  const renamed = await client.patch(
    path,
    { company: { name: 'Rita & Ñandú' } },
    { 'if-match': etag },
  );
  expect(renamed.json).toMatchObject({ id: client.company_id, name: 'Rita & Ñandú' });
  const { companies } = (await client.get('/rest/v1.0/me')).json as {
    companies: { name: string }[];
  };
  expect(companies).toMatchObject([{ name: 'Rita & Ñandú' }]);
  const stale = await client.patch(path, { company: { name: 'x' } }, { 'if-match': etag });
  expect(stale.status).toBe(412);
  const empty = await client.patch(path, { company: { name: '  ' } });
  expect([empty.status, Object.keys(empty.json.errors as object)]).toEqual([422, ['company.name']]);
  const known = await client.get(path, { 'if-none-match': renamed.headers.get('etag') ?? '' });
  expect(known.status).toBe(304);
});

it('decisions §11.7, §4.2: notices are set, are in the catalog and under its ETag, and are removed again', async () => {
  const path = `/rest/v1.0/companies/${client.company_id}`;
  const catalog = `/rest/v1.0/projects/${client.project_id}/catalog`;
  const before = await client.get(catalog);
  const none = { help_contact: null, privacy_notice: null };
  expect(before.json).toMatchObject({ notices: none });
  const notices = { help_contact: 'Rita, 0151 496 0123', privacy_notice: 'Kept for 3 years.' };
  const set = await client.patch(path, { company: notices });
  expect([set.status, set.json]).toEqual([200, expect.objectContaining(notices)]);
  const after = await client.get(catalog, {
    'if-none-match': before.headers.get('etag') ?? '',
  });
  expect([after.status, after.json]).toEqual([200, expect.objectContaining({ notices })]);
  const long = await client.patch(path, {
    company: { help_contact: 'x'.repeat(301), privacy_notice: ' ' },
  });
  expect([long.status, Object.keys(long.json.errors as object).sort()]).toEqual([
    422,
    ['company.help_contact', 'company.privacy_notice'],
  ]);
  const removed = await client.patch(path, { company: none });
  expect(removed.json).toMatchObject(none);
});

it('decisions §4.6, §11.1: a second project; its incident is corrected and closed', async () => {
  const project_id = await made('projects', 'project', { name: 'Bridge two' });
  const { projects } = (await client.get('/rest/v1.0/me')).json as { projects: { name: string }[] };
  expect(projects.map(({ name }) => name)).toEqual(['First project', 'Bridge two']);
  const incidents = `/rest/v1.0/projects/${project_id}/incidents`;
  const { id } = done(await client.post(incidents, { incident: { title: 'Pier' } })).json as {
    id: number;
  };
  const corrected = await client.patch(`${incidents}/${id}`, {
    incident: { title: 'Pier 4', status: 'closed' },
  });
  expect(corrected.json).toMatchObject({ number: 1, title: 'Pier 4', status: 'closed' });
  done(await client.patch(`${own('projects')}/${project_id}`, { project: { active: false } }));
  // A retired project still accepts reports that were written for it before.
  done(await client.post(`${incidents}/near_misses`, { near_miss: { incident_id: id } }));
});

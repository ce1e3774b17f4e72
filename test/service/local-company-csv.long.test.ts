/**
 * A company created without the demo, filled from spreadsheets (decisions §11.5). Each kind has 1,200 lines; 20 bad ones are
 * each reported by line and nothing is imported; then all are. The imported data is then used as with `curl`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type Client,
  type ServiceProcess,
} from '../support/service.ts';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { databaseOf } from '../support/database.ts';
import { md5, put, sha256 } from './uploads/support.ts';

/** Each import is a child process, which a busy machine starts slowly. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** More than two read batches; company-import.long.test.ts has 5,000. */
const LINES = 1200;
const dir = tempDir('local-company-csv');
const data = join(dir.path, 'data');
let running: ServiceProcess;
let client: Client;

const firstLine = (stdout: string) =>
  JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;

beforeAll(async () => {
  running = await spawnService(['--port=0', `--data-dir=${data}`, '--log-level=error']);
  const who = ['--user', 'rita@firm.example', '--new-user', 'Rita', '--new-company', 'Firm'];
  const made = await runCli(['token', 'create', ...who, `--data-dir=${data}`]);
  const { token, company_id } = firstLine(made.stdout) as { token: string; company_id: number };
  const signedIn = clientOf(running.first.url, { token, company_id, project_id: 1 });
  const [project] = (await signedIn.get('/rest/v1.0/me')).json.projects as { id: number }[];
  client = clientOf(running.first.url, { token, company_id, project_id: project?.id ?? 0 });
});
afterAll(async () => {
  await running.end();
  await (await databaseOf(data)).drop();
  dir.remove();
});

/** One kind: its heading, a good line, and four kinds of bad lines. */
interface Sheet {
  readonly kind: string;
  readonly heading: string;
  readonly good: (line: number) => string;
  readonly bad: readonly [cells: (line: number) => string, told: string][];
}

const plain = (kind: string, name: string, mark: string): Sheet => ({
  kind,
  heading: 'Name,Origin ID,Active',
  good: (line) => `"${name} ${line}, GmbH",${mark}-${line},yes`,
  bad: [
    [(line) => `,${mark}-${line},yes`, 'name: is required'],
    [(line) => `${name} ${line},${mark}-2,yes`, 'name: means the same record as line 2'],
    [(line) => `${name} ${line},${mark}-${line},perhaps`, 'active: must be a boolean'],
    [(line) => `${'x'.repeat(256)},${mark}-${line},no`, 'name: must have at most 255 characters'],
  ],
});

const sheets: readonly Sheet[] = [
  plain('vendors', 'Vendor', 'V'),
  plain('parties', 'Party', 'P'),
  plain('managed_equipment', 'Crane', 'E'),
  plain('time_and_material_entries', 'Overtime', 'T'),
  {
    kind: 'people',
    heading: 'name,login',
    good: (line) => `Álvaro ${line},${line % 2 === 0 ? `a${line}@firm.example` : ''}`,
    bad: [
      [(line) => `,a${line}@firm.example`, 'name: is required'],
      [(line) => `Other ${line},a2@firm.example`, 'login: is that of another record'],
      [(line) => `Álvaro 3,a${line}@firm.example`, 'name: means the same record as line 3'],
      [(line) => `Ana ${line},x,more`, 'cell_3: is unknown'],
    ],
  },
  {
    kind: 'incidents',
    heading: 'title,location,event_date,status',
    good: (line) => `Trench ${line},"Gate ${line}, east",2026-01-10T08:00:00Z,open`,
    bad: [
      [(line) => `,Gate ${line},,`, 'title: is required'],
      [(line) => `Trench ${line},,soon,`, 'event_date: must be a date and time with zone'],
      [(line) => `Trench ${line},,,gone`, 'status: must be open or closed'],
      [() => `TRENCH 2,,,`, 'title: means the same record as line 2'],
    ],
  },
];

const BAD = Array.from({ length: 20 }, (_, index) => 60 * (index + 1));

const fileOf = (sheet: Sheet, wrong: boolean): string => {
  const path = join(dir.path, `${sheet.kind}-${wrong ? 'bad' : 'good'}.csv`);
  const line = (at: number): string => {
    const place = BAD.indexOf(at);
    return wrong && place >= 0 ? (sheet.bad[place % 4]?.[0](at) ?? '') : sheet.good(at);
  };
  const lines = Array.from({ length: LINES }, (_, index) => line(index + 2));
  writeFileSync(path, `\ufeff${[sheet.heading, ...lines].join('\r\n')}\r\n`);
  return path;
};

const importFile = (path: string, kind: string) => {
  const own = ['--project', `${client.project_id}`, '--user', 'rita@firm.example'];
  const words = [
    '--kind',
    kind,
    '--company',
    `${client.company_id}`,
    ...(kind === 'incidents' ? own : []),
  ];
  return runCli(['import', path, ...words, '--data-dir', data]);
};
const addressOf = (kind: string): string =>
  kind === 'incidents' ? '~/incidents' : `/rest/v1.0/companies/${client.company_id}/${kind}`;
const total = async (kind: string): Promise<number> =>
  Number((await client.get(`${addressOf(kind)}?per_page=1`)).headers.get('total'));

for (const sheet of sheets)
  it(`decisions §11.5: ${sheet.kind}: of 1,200 lines 20 are bad: told by line, nothing half done; then all are there`, async () => {
    const before = await total(sheet.kind);
    const refused = await importFile(fileOf(sheet, true), sheet.kind);
    expect([refused.code, firstLine(refused.stdout)]).toMatchObject([
      1,
      { imported: false, kind: sheet.kind, bad: 20 },
    ]);
    const told = refused.stderr.split('\n').filter((text) => text.startsWith('line '));
    expect(told).toEqual(
      BAD.map((line, index) =>
        expect.stringContaining(`line ${line}, ${sheet.bad[index % 4]?.[1] ?? ''}`),
      ),
    );
    expect(await total(sheet.kind)).toBe(before);
    const done = await importFile(fileOf(sheet, false), sheet.kind);
    expect([done.code, firstLine(done.stdout)], done.stderr).toEqual([
      0,
      { imported: true, kind: sheet.kind, created: LINES, updated: 0, unchanged: 0, bad: 0 },
    ]);
    expect(await total(sheet.kind)).toBe(before + LINES);
  });

it('decisions §11.5, §8, §7, §6, §3.3: what came from the spreadsheets is insured, named, made a member, given a file', async () => {
  const ofOrigin = async (kind: string, origin: string): Promise<number> =>
    (await client.get(`${addressOf(kind)}?filters[origin_id]=${origin}`)).json[0].id as number;
  const vendor = await ofOrigin('vendors', 'V-17');
  const insured = await client.post(`~/vendors/${vendor}/insurances`, {
    insurance: { name: 'Mutual', limit: '1000000.00' },
  });
  expect(insured.status, insured.text).toBe(201);
  const party_id = await ofOrigin('parties', 'P-17');
  const member = await client.post('~/project_memberships', { project_membership: { party_id } });
  expect([member.status, member.json]).toEqual([201, [party_id]]);
  const people = await client.get(
    `${addressOf('people')}?filters[query]=alvaro%2017&per_page=1000`,
  );
  const [person] = (people.json as { id: number; name: string }[]).filter(
    ({ name }) => name === 'Álvaro 17',
  );
  const incidents = (await client.get('~/incidents?per_page=10000')).json as {
    id: number;
    title: string;
  }[];
  const made = await client.post('~/incidents/near_misses', {
    near_miss: {
      incident_id: incidents.find(({ title }) => title === 'Trench 17')?.id,
      affected_person_id: person?.id,
      managed_equipment_id: await ofOrigin('managed_equipment', 'E-17'),
    },
  });
  expect(made.json).toMatchObject({
    incident_title: 'Trench 17',
    affected_person: { name: 'Álvaro 17' },
    managed_equipment: { name: 'Crane 17, GmbH' },
  });
  const uploads = `/rest/v1.1/companies/${client.company_id}/uploads`;
  const bytes = Buffer.from('the day sheet');
  const segments = [{ size: bytes.length, sha256: sha256(bytes) }];
  const upload = (await client.post(uploads, { response_filename: 'sheet.txt', segments }))
    .json as Upload;
  await put(upload, 0, bytes);
  await client.patch(`${uploads}/${upload.uuid}`, { segments: [{ etag: md5(bytes) }] });
  const attached = await client.post('~/time_and_material_entry_attachments', {
    time_and_material_entry_id: await ofOrigin('time_and_material_entries', 'T-17'),
    time_and_material_entry_attachment: { upload_uuids: [upload.uuid] },
  });
  expect(attached.status, attached.text).toBe(201);
  expect(await (await fetch(attached.json.created[0].url as string)).text()).toBe('the day sheet');
});

it('decisions §11.5, §4.6: a second file corrects an incident and closes it, or, with a bad line, does neither', async () => {
  const list = async () =>
    (await client.get('~/incidents?per_page=10000')).json as {
      number: number;
      title: string;
      status: string;
    }[];
  const number = (await list()).find(({ title }) => title === 'Trench 17')?.number ?? 0;
  const of = async () => (await list()).find((one) => one.number === number);
  const path = join(dir.path, 'corrections.csv');
  const good = `Number;Title;Status\n${number};Trench 17, east;closed\n`;
  writeFileSync(path, `${good}987654;;closed\n`);
  const refused = await importFile(path, 'incidents');
  expect([refused.code, firstLine(refused.stdout)['errors']]).toEqual([
    1,
    ['line 3, number: not found'],
  ]);
  expect(await of()).toMatchObject({ title: 'Trench 17', status: 'open' });
  writeFileSync(path, good);
  expect(firstLine((await importFile(path, 'incidents')).stdout)).toMatchObject({ updated: 1 });
  expect(await of()).toMatchObject({ title: 'Trench 17, east', status: 'closed' });
  // Only a project has incidents, and a user must create them.
  const unsaid = ['import', path, '--kind', 'incidents', '--company', `${client.company_id}`];
  const without = await runCli([...unsaid, '--data-dir', data]);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--project ID')]);
  const stranger = [...unsaid, '--project', `${client.project_id}`, '--user', 'sam'];
  const refusedTo = await runCli([...stranger, '--data-dir', data]);
  expect([refusedTo.code, refusedTo.stderr]).toEqual([2, expect.stringContaining('"sam"')]);
});

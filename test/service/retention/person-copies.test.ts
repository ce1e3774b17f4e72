/** [ours] The copy of what a company keeps about a person (decisions §22), on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  PersonCopy,
  PersonCopyRecord,
} from '../../../src/contract/rest/retention/person-copies.ts';
import { links, notShown } from '../../../src/service/domain/person-copy/links.ts';
import { onPostgres } from '../../support/database.ts';
import { startTestService, type Client, type TestService } from '../../support/service.ts';
import { fieldFor, list } from '../near-miss-records.ts';
import {
  addPerson,
  erase,
  fileReport,
  fillCompany,
  NAME,
  type Person,
  type Report,
} from './erasure-support.ts';
import { companyOf } from './support.ts';

const OTHER = 'Bartholomew Fenwick';
const OTHER_LOGIN = 'b.fenwick@northline.example';

const pathOf = (admin: Client): string => `${companyOf(admin)}/person_copies`;

const copyOf = async (admin: Client, subject: object): Promise<PersonCopy> => {
  const answer = await admin.post(pathOf(admin), { person_copy: subject });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as PersonCopy;
};

/** `table.column` of each column that may name a person by an id. */
const naming = async ({ database }: TestService): Promise<string[]> => {
  const columns = await database.query(
    onPostgres
      ? `select table_name as "table", column_name as "column" from information_schema.columns
           where table_schema = current_schema()`
      : `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
           where m.type = 'table' and m.sql not like '%virtual%'`,
  );
  return columns
    .map(({ table, column }) => `${String(table)}.${String(column)}`)
    .filter((one) => /\.(?:\w*user_id|\w*person_id|\w*party_id|\w+_by|owner_id)$/.test(one))
    .toSorted();
};

describe('decisions §22: a person in every table', () => {
  let t: TestService;
  let person: Person;
  let other: Person;
  let report: Report;
  beforeAll(async () => {
    t = await startTestService({ 'allow-private-webhooks': true });
    person = await addPerson(t);
    other = await addPerson(t, OTHER, OTHER_LOGIN);
    report = await fileReport(t, person);
    await fillCompany(t, person);
    const catalog = (await t.demo.get('~/catalog')).json;
    const near_miss = {
      incident_id: report.incident_id,
      description: `${OTHER} told ${NAME} at the gate. Bartholomew waved. Fenwick left.`,
      [fieldFor(catalog, 'Follow-up by')]: 'Zebedee',
      [fieldFor(catalog, 'Follow-up')]: 'Ask Ottoline',
    };
    expect((await other.client.post(list, { near_miss })).status).toBe(201);
    const alone = { incident_id: report.incident_id, description: 'Ottoline saw it' };
    expect((await other.client.post(list, { near_miss: alone })).status).toBe(201);
  });
  afterAll(() => t.stop());

  const ofTable = (copy: PersonCopy, resource: string, relation: string): PersonCopyRecord[] =>
    copy.records.filter((one) => one.resource === resource && one.relation === relation);

  it('decisions §22.2: every column that names a person by an id is shown, or says why not', async () => {
    const covered = new Set([
      ...links.map(({ table, relation }) => `${table}.${relation}`),
      ...Object.keys(notShown),
    ]);
    expect((await naming(t)).filter((one) => !covered.has(one))).toEqual([]);
  });

  it('decisions §22.2: it has the account, the reports, the history, the comments and the photos', async () => {
    const copy = await copyOf(t.demo, { user_id: person.user_id });
    const [account] = ofTable(copy, 'users', 'id');
    expect(account?.values).toMatchObject({ name: NAME });
    expect(ofTable(copy, 'company_users', 'user_id')[0]?.values).toMatchObject({
      level: 'standard',
    });
    expect(ofTable(copy, 'people', 'id').map((one) => one.resource_id)).toEqual([person.person_id]);
    expect(ofTable(copy, 'tokens', 'user_id')).toHaveLength(1);
    const [filed] = ofTable(copy, 'near_misses', 'created_by');
    expect(filed).toMatchObject({
      resource_id: report.id,
      number: expect.stringMatching(/^\d+-1$/) as string,
      project_id: t.demo.project_id,
      at: expect.stringMatching(/Z$/) as string,
      values: {
        description_plain_text: `Load swung at ${NAME} & Co.`,
        'Follow-up by': NAME,
        created_with: `Laptop of ${NAME}`,
      },
    });
    expect(ofTable(copy, 'near_misses', 'affected_person_id')[0]?.resource_id).toBe(report.id);
    const changes = ofTable(copy, 'near_miss_history', 'user_id').map(
      ({ values }) => values['changes'],
    );
    expect(changes).toContainEqual(
      expect.stringMatching(/^Seen: — → 2026-01-14 14:05 \+01:00 Ottoline/),
    );
    expect(ofTable(copy, 'near_miss_comments', 'created_by')).toHaveLength(1);
    expect(copy.photos).toEqual([
      expect.objectContaining({
        near_miss_id: report.id,
        own: true,
        content_type: 'image/jpeg',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      }),
    ]);
    const kinds = new Set(copy.mentions.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([
      'access',
      'comment',
      'company_data',
      'file_name',
      'history',
      'incident',
      'photo_name',
      'report',
    ]);
    expect(JSON.stringify(copy)).not.toMatch(/token_hash|secret/);
  });

  it('decisions §22.3: names of others are replaced, and a field for a person shows nobody else', async () => {
    const copy = await copyOf(t.demo, { user_id: person.user_id });
    const mention = copy.mentions.find(({ text }) => text.includes('at the gate'));
    expect(mention).toMatchObject({
      text: `[name] told ${NAME} at the gate. [name] waved. [name] left.`,
      match: 'whole',
    });
    expect(JSON.stringify(copy)).not.toMatch(/bartholomew|fenwick|zebedee/i);
    const theirs = await copyOf(t.demo, { user_id: other.user_id });
    expect(JSON.stringify(theirs)).not.toMatch(/ottoline quarrington|zebedee/i);
    const texts = ofTable(theirs, 'near_misses', 'created_by').map(({ values }) => values);
    const first = texts.find((values) => 'Follow-up' in values);
    expect(first).toMatchObject({
      description_plain_text: `${OTHER} told [name] at the gate. Bartholomew waved. Fenwick left.`,
      'Follow-up by': '[name]',
      'Follow-up': 'Ask [name]',
    });
  });

  it('decisions §22.1: texts with a part of the name alone are counted, and come when they are asked for', async () => {
    const without = await copyOf(t.demo, { person_id: person.person_id });
    expect(without.mentions.every(({ match }) => match === 'whole')).toBe(true);
    expect(without.parts_left_out).toBeGreaterThan(0);
    const parts = await copyOf(t.demo, { person_id: person.person_id, with_parts: true });
    expect(parts.parts_left_out).toBe(0);
    expect(parts.mentions).toHaveLength(without.mentions.length + without.parts_left_out);
    expect(parts.mentions.find(({ text }) => text === 'Ottoline saw it')?.match).toBe('part');
  });

  it('decisions §22.1: admins alone; it is logged without a name, and a kept response is encrypted', async () => {
    for (const level of ['standard', 'reporter', 'read_only'] as const)
      expect((await t.as(level).post(pathOf(t.demo), { person_copy: { name: NAME } })).status).toBe(
        403,
      );
    const key = { 'idempotency-key': 'copy' };
    const body = { person_copy: { user_id: person.user_id } };
    const first = await t.demo.post(pathOf(t.demo), body, key);
    expect((await t.demo.post(pathOf(t.demo), body, key)).json).toEqual(first.json);
    const [kept] = await t.database.query("select body from idempotency_keys where key = 'copy'");
    expect(String(kept?.['body'])).toMatch(/^s:/);
    const acts = (await t.demo.get(`${companyOf(t.demo)}/admin_acts`)).json as {
      act: string;
      about: { id: number } | null;
      details: object;
    }[];
    expect(acts[0]).toMatchObject({ act: 'person_copied', about: { id: person.user_id } });
    expect(JSON.stringify(acts[0]?.details)).not.toMatch(/ottoline/i);
  });

  it('decisions §22.2, §4.5: what belongs to private incidents that the admin does not see is counted, not shown', async () => {
    const before = await copyOf(t.demo, { user_id: person.user_id });
    expect(before.hidden).toBe(0);
    const incident = { title: `Secret of ${NAME}`, private: true };
    const made = await person.client.post('~/incidents', { incident });
    expect(made.status, made.text).toBe(201);
    const near_miss = { incident_id: made.json.id as number, description: `Hush, ${NAME}` };
    expect((await person.client.post(list, { near_miss })).status).toBe(201);
    const after = await copyOf(t.demo, { user_id: person.user_id });
    // The incident and the near miss, each as a record and as a text.
    expect(after.hidden).toBe(4);
    expect(JSON.stringify(after)).not.toMatch(/hush|secret of/i);
    const reports = (copy: PersonCopy) =>
      copy.records.filter(({ resource }) => ['near_misses', 'incidents'].includes(resource));
    expect(reports(after)).toEqual(reports(before));
  });

  it('decisions §22.1: a name of two people, of nobody and none at all', async () => {
    await addPerson(t, OTHER, 'bart@northline.example');
    const two = await t.demo.post(pathOf(t.demo), { person_copy: { name: OTHER } });
    expect(two.status).toBe(422);
    expect(two.text).toContain('2 people');
    const nobody = await copyOf(t.demo, { name: 'Nobody Here At All' });
    expect([nobody.records, nobody.mentions, nobody.photos]).toEqual([[], [], []]);
    for (const subject of [{}, { name: 'Al' }, { user_id: 987_654_321 }])
      expect((await t.demo.post(pathOf(t.demo), { person_copy: subject })).status).toBe(422);
    const chosen = await copyOf(t.demo, { user_id: other.user_id });
    expect(ofTable(chosen, 'users', 'id').map((one) => one.resource_id)).toEqual([other.user_id]);
  });

  it('decisions §21.2, §22: an erased person has an empty copy, and no kept copy has the name', async () => {
    await erase(t, { user_id: person.user_id });
    const copy = await copyOf(t.demo, { name: NAME, with_parts: true });
    expect([copy.records, copy.mentions]).toEqual([[], []]);
    const kept = await t.database.query("select key from idempotency_keys where key = 'copy'");
    expect(kept).toEqual([]);
  });
});

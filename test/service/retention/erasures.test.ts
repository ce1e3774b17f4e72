/** [ours] Erasing the name of a person (decisions §21), on both databases. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/contract/rest/history/near-miss-history.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { onPostgres } from '../../support/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { readOn, type Row } from '../following-race.ts';
import { copies, places } from '../../../src/service/domain/erasure/places.ts';
import { sendFile } from '../matrix-world.ts';
import { fieldFor, list } from '../near-miss-records.ts';
import {
  addPerson,
  all,
  decide,
  erase,
  everyTable,
  fileReport,
  fillCompany,
  NAME,
  preview,
  proofOf,
  TRACE,
  traced,
  tracedFiles,
  untracedColumns,
  type Person,
  type Report,
} from './erasure-support.ts';
import { companyOf, hold } from './support.ts';

/** Columns of ids, checksums, states, times and encrypted texts; names that other columns repeat and change with. */
const NO_TEXT = [
  /\.(\w*uuid|\w*ulid|\w*sha256|md5|digest|\w*hash|salt|etag|storage_key|fingerprint|lease_owner)$/,
  /\.(status|level|project_ids|data_type|event_type|resource_name|\w*content_type|associated_type|api_version|language)$/,
  /\.(action|act|kind|outcome|list|event|due|method|effective_date|expiration_date)$/,
  /\.(name_folded|origin_id)$/,
  /^(admin_acts|erasures|erasure_items|service_state|service_lock|signing_keys|id_counters|kysely_\w+)\./,
  /^webhook_hooks\.(destination_headers|signing_secret|previous_signing_secret)$/,
  // Searched, and without a name in this company.
  /^idempotency_keys\.(key|path)$/,
  /^(legal_holds\.reason|plan_files\.filename|time_and_material_entry_attachments\.filename)$/,
];

describe('decisions §21: a person in every table', () => {
  let t: TestService;
  let person: Person;
  let report: Report;
  beforeAll(async () => {
    t = await startTestService({ 'allow-private-webhooks': true, 'daily-copies': 7 });
    person = await addPerson(t);
    report = await fileReport(t, person);
    await fillCompany(t, person);
  });
  afterAll(() => t.stop());

  it('decisions §21.1: every column of texts holds the name here, is searched, or takes no text of people', async () => {
    const searched = new Set(
      [...places, ...Object.values(copies)].flatMap(({ table, columns }) =>
        columns.map((column) => `${table}.${column}`),
      ),
    );
    const open = (await untracedColumns(t)).filter((one) => !searched.has(one));
    expect(open.filter((one) => !NO_TEXT.some((pattern) => pattern.test(one)))).toEqual([]);
  });

  it('decisions §21.1: a preview lists every place with an excerpt, and changes nothing', async () => {
    const before = await everyTable(t);
    const seen = await preview(t.demo, { user_id: person.user_id });
    expect(await everyTable(t)).toEqual(before);
    const kinds = new Set(seen.hits.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      [
        'user',
        'person',
        'party',
        'report',
        'history',
        'comment',
        'photo_name',
        'photo',
        'incident',
        'company_data',
        'file_name',
        'access',
        'copy',
      ].toSorted(),
    );
    expect(seen.total).toBe(seen.hits.length);
    expect(new Set(seen.hits.map(({ id }) => id)).size).toBe(seen.total);
    const of = (field: string) =>
      seen.hits.find((hit) => hit.resource_id === report.id && hit.field === field);
    expect(of('description')).toMatchObject({
      kind: 'report',
      number: expect.stringMatching(/^\d+-1$/),
      held: null,
      excerpt: `Load swung at ${NAME} & Co.`,
      proposed: 'pseudonymise',
    });
    const page = `${companyOf(t.demo)}/erasures/preview?per_page=2&page=2`;
    const second = await t.demo.post(page, { erasure: { user_id: person.user_id } });
    expect(second.json.hits).toEqual(seen.hits.slice(2, 4));
  });

  it('decisions §21.1: admins alone; a subject of three kinds; a short name, a stranger and no name are refused', async () => {
    const path = `${companyOf(t.demo)}/erasures/preview`;
    for (const level of ['standard', 'reporter', 'read_only'] as const)
      expect((await t.as(level).post(path, { erasure: { name: NAME } })).status).toBe(403);
    // A kept answer to a preview is encrypted.
    const key = { 'idempotency-key': 'preview' };
    expect((await t.demo.post(path, { erasure: { name: NAME } }, key)).status).toBe(200);
    const [kept] = await t.database.query(
      "select body from idempotency_keys where key = 'preview'",
    );
    expect(String(kept?.['body'])).toMatch(/^s:/);
    for (const subject of [
      {},
      { name: 'Al' },
      { name: NAME, user_id: person.user_id },
      { user_id: 987_654_321 },
      { person_id: 987_654_321 },
    ])
      expect((await t.demo.post(path, { erasure: subject })).status).toBe(422);
    const byPerson = await preview(t.demo, { person_id: person.person_id });
    const byName = await preview(t.demo, { name: 'ottoline  QUARRINGTON' });
    const places = (seen: typeof byName) => seen.hits.map(({ id }) => id);
    expect(places(byPerson)).toEqual(places(await preview(t.demo, { user_id: person.user_id })));
    expect(places(byPerson)).toEqual(expect.arrayContaining(places(byName)));
  });

  it('decisions §21.2: decisions on another state than the previewed one are a 409 and do nothing', async () => {
    const subject = { user_id: person.user_id };
    const seen = await preview(t.demo, subject);
    const comment = { text: `Also ${NAME}` };
    expect((await t.demo.post(`${list}/${report.id}/comments`, { comment })).status).toBe(201);
    const refused = await decide(t.demo, subject, seen, all(seen.hits));
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('look at the preview again'),
    ]);
    const now = await preview(t.demo, subject);
    for (const decisions of [
      [],
      [{ id: 'report:near_misses:1::nothing', act: 'erase' }],
      [{ id: now.hits[0]?.id, act: 'erase' }],
    ])
      expect((await decide(t.demo, subject, now, decisions)).status).toBe(422);
    expect((await t.demo.get(`${companyOf(t.demo)}/erasures`)).json).toEqual([]);
  });

  it('decisions §21.2, §21.4: no table and no file holds the name any more, and the proof never does', async () => {
    expect(await traced(t)).not.toEqual([]);
    const files = join(t.data_dir, 'files');
    expect(tracedFiles(files)).not.toEqual([]);
    const laptop = new Map<number, Row>();
    const position = await readOn(t.demo, null, laptop);
    expect(JSON.stringify([...laptop.values()])).toMatch(TRACE);
    const proof = await erase(t, { user_id: person.user_id });
    expect(await traced(t)).toEqual([]);
    expect(tracedFiles(files)).toEqual([]);
    expect(JSON.stringify(proof)).not.toMatch(TRACE);
    expect(proof).toMatchObject({
      pseudonym: expect.stringMatching(/^Person [2-9A-Z]{4}$/),
      created_by: { id: expect.any(Number) },
      done_at: expect.any(String),
      remained: [],
    });
    expect(proof.copies_until === null).toBe(onPostgres);
    for (const { waiting, refused, kept } of proof.counts)
      expect([waiting, refused, kept]).toEqual([0, 0, 0]);
    expect(proof.counts.find(({ kind }) => kind === 'photo')).toMatchObject({ erased: 1 });
    const { json } = await t.demo.get(`${companyOf(t.demo)}/erasures`);
    const { remained: _, ...listed } = proof;
    expect(json).toEqual([listed]);
    await readOn(t.demo, position, laptop);
    expect(JSON.stringify([...laptop.values()])).not.toMatch(TRACE);
  });

  it('decisions §21.2: texts have the pseudonym, *Seen* its moment, and the history its chain', async () => {
    const [proof] = (await t.demo.get(`${companyOf(t.demo)}/erasures`)).json;
    const { pseudonym } = proof as { pseudonym: string };
    const shown = (await t.demo.get(`${list}/${report.id}`)).json as NearMiss;
    const catalog = (await t.demo.get('~/catalog')).json;
    const value = (label: string) => shown.custom_fields?.[fieldFor(catalog, label)]?.value;
    expect(shown).toMatchObject({
      description_plain_text: `Load swung at ${pseudonym} & Co.`,
      incident_title: `Crane of ${pseudonym}`,
      created_by: { id: person.user_id, name: pseudonym },
      affected_person: { id: person.person_id, name: pseudonym },
      erased_at: shown.updated_at,
      comment_count: 3,
    });
    expect(value('Seen')).toBe(`2026-01-14 14:05 +01:00 ${pseudonym}`);
    expect(value('Who saw it')).toBe(pseudonym);
    expect(value('Photo captions')).toBe(`${pseudonym}_1.jpg: ${pseudonym} beside the load`);
    const entries = (await t.demo.get(`${list}/${report.id}/history`)).json as HistoryEntry[];
    expect(entries.filter(({ redacted }) => redacted).length).toBeGreaterThan(0);
    expect(entries.map(({ action }) => action)).toContain('redacted');
    const chain = entries.toReversed().slice(1);
    let before = '';
    for (const { id, at, user, action, digest, hash } of chain) {
      const lines = [before, report.id, id, Date.parse(at), user.id, action, digest];
      expect(hash).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'));
      before = hash ?? '';
    }
    const comments = (await t.demo.get(`${list}/${report.id}/comments`)).json as { text: string }[];
    expect(comments[1]?.text).toBe(`${pseudonym} was told.\n${pseudonym} agreed.`);
    for (const query of [`Crane of ${pseudonym}`, 'load swung'])
      expect((await t.demo.get(`${list}?filters[query]=${query}`)).json).toHaveLength(1);
    expect((await t.demo.get(`${list}?filters[query]=quarrington`)).json).toEqual([]);
  });

  it('decisions §21.2: the photo is a blurred copy with checksums of its own, and without EXIF', async () => {
    const { attachments = [] } = (await t.demo.get(`${list}/${report.id}`)).json as NearMiss;
    expect(attachments).toHaveLength(1);
    const [photo] = attachments;
    const bytes = Buffer.from(await (await fetch(photo?.url ?? '')).arrayBuffer());
    const { width, height, exif } = await sharp(bytes).metadata();
    expect([width, height, exif]).toEqual([1024, 768, undefined]);
    // The squares were black and white. Nothing of them is left.
    const { channels } = await sharp(bytes).greyscale().stats();
    const [{ min = 0, max = 255 } = {}] = channels;
    expect(max - min).toBeLessThan(64);
    const small = await fetch(photo?.thumbnail_url ?? '');
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('decisions §21.2: the account has ended, and a repeated request has its answer, without the name', async () => {
    expect((await person.client.get('/rest/v1.0/me')).status).toBe(401);
    const users = (await t.demo.get(`${companyOf(t.demo)}/users?per_page=100`)).json as {
      id: number;
      login: string;
      active: boolean;
    }[];
    expect(users.find(({ id }) => id === person.user_id)).toMatchObject({
      active: false,
      login: expect.stringMatching(/^person-[2-9a-z]{4}-\d+$/),
    });
    const kept = await t.database.query(
      `select status, body from idempotency_keys where user_id = ${person.user_id}`,
    );
    expect(kept.map(({ status }) => Number(status)).toSorted()).toEqual([200, 201]);
    const previews = "select key from idempotency_keys where key = 'preview'";
    expect(await t.database.query(previews)).toEqual([]);
  });

  it('decisions §21.4: the log has who erased and the number of the erasure alone', async () => {
    const acts = (await t.demo.get(`${companyOf(t.demo)}/admin_acts`)).json as object[];
    expect(acts[0]).toMatchObject({
      act: 'person_erased',
      about: null,
      details: { erasure_id: expect.any(Number) },
    });
  });

  it.skipIf(onPostgres)(
    'decisions §21.2: the file of the database holds it no more either',
    async () => {
      await t.service.stop();
      expect(tracedFiles(t.data_dir)).toEqual([]);
    },
  );
});

/** Fills the table of comments without 5,000 requests. */
const manyComments = (company_id: number): string => `
  insert into near_miss_comments (company_id, id, near_miss_id, text, created_by, created_at)
  select a.company_id, 100000 + a.id * 1000 + b.id, a.id, 'Jericho Wolverton', a.created_by, 1
  from near_misses a join near_misses b on b.company_id = a.company_id
  where a.company_id = ${company_id} and a.id < 60 and b.id < 150`;

describe('decisions §21.3: what stays', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await startTestService();
  });
  afterAll(() => t.stop());

  it('decisions §21.3: a legal hold keeps its near miss and whom that names, with the reason, and no other', async () => {
    const person = await addPerson(t);
    const held = await fileReport(t, person);
    const free = await fileReport(t, person);
    await hold(t.demo, held.id, 'Claim 77');
    const before = (await t.demo.get(`${list}/${held.id}`)).json as NearMiss;
    const seen = await preview(t.demo, { name: NAME });
    const of = (id: number) =>
      seen.hits.filter((hit) => hit.resource === 'near_misses' && hit.resource_id === id);
    expect(of(held.id).length).toBeGreaterThan(5);
    for (const hit of of(held.id))
      expect(hit).toMatchObject({
        proposed: 'keep',
        held: { why: 'legal_hold', reason: 'Claim 77' },
      });
    for (const hit of of(free.id)) expect(hit.held).toBeNull();
    const proof = await erase(t, { name: NAME });
    expect((await t.demo.get(`${list}/${held.id}`)).json.description).toBe(before.description);
    expect((await t.demo.get(`${list}/${free.id}`)).json.description).not.toMatch(TRACE);
    expect(JSON.stringify(proof)).not.toMatch(/Claim 77|quarrington/i);
    const why = proof.remained.filter(({ resource_id }) => resource_id === held.id);
    expect(why.length).toBe(of(held.id).length);
    for (const one of proof.remained) expect(one.why).toBe('legal_hold');
    expect(proof.remained.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['user', 'person', 'report', 'history', 'comment', 'incident']),
    );
    expect(proof.counts.find(({ kind }) => kind === 'user')).toMatchObject({ refused: 1 });
    expect((await person.client.get('/rest/v1.0/me')).status).toBe(200);
    await t.demo.delete(`${list}/${held.id}/legal_hold`);
    await erase(t, { name: NAME });
    expect(await traced(t)).toEqual([]);
  });

  it('decisions §21.3: the own account, the last admin and a user of another company stay', async () => {
    const other = await addPerson(t, 'Berenice Falkirk', 'berenice@northline.example');
    const login = 'berenice@northline.example';
    const join = await t.other.post(`${companyOf(t.other)}/users`, { user: { login } });
    expect(join.status, join.text).toBe(201);
    const me = (await t.demo.get('/rest/v1.0/me')).json as { id: number };
    const why = async (user_id: number) =>
      (await preview(t.demo, { user_id })).hits.find(
        ({ kind, resource_id }) => kind === 'user' && resource_id === user_id,
      )?.held?.why;
    expect(await why(other.user_id)).toBe('elsewhere');
    expect(await why(me.id)).toBe('own_account');
    const proof = await erase(t, { user_id: other.user_id });
    expect(proof.remained).toMatchObject([{ kind: 'user', why: 'elsewhere' }]);
    const theirs = (await t.other.get(`${companyOf(t.other)}/users`)).json as { name: string }[];
    expect(theirs.map(({ name }) => name)).toContain('Berenice Falkirk');
  });

  it('decisions §21.1: a first or last name alone is proposed to be kept; a namesake too when a person was chosen', async () => {
    const one = await addPerson(t, 'Thessaly Marchbanks', 'thessaly@northline.example');
    const two = await addPerson(t, 'Thessaly Marchbanks', 'thessaly2@northline.example');
    const near_miss = { incident_id: 1, description: 'Marchbanks Ltd delivered' };
    expect((await t.demo.post(list, { near_miss })).status).toBe(201);
    const { hits } = await preview(t.demo, { user_id: one.user_id });
    const proposed = (kind: string, id: number) =>
      hits.find((hit) => hit.kind === kind && hit.resource_id === id)?.proposed;
    expect(proposed('user', one.user_id)).toBe('pseudonymise');
    expect(proposed('person', one.person_id)).toBe('pseudonymise');
    expect(proposed('user', two.user_id)).toBe('keep');
    expect(hits.filter(({ kind }) => kind === 'report').map((hit) => hit.proposed)).toEqual([
      'keep',
    ]);
    const proof = await erase(t, { user_id: one.user_id }, (seen) =>
      seen.map(({ id, proposed: act }) => ({ id, act })),
    );
    expect(proof.remained.every(({ why }) => why === 'chosen')).toBe(true);
    expect((await two.client.get('/rest/v1.0/me')).json.name).toBe('Thessaly Marchbanks');
  });

  it('decisions §21.2: erasing takes the whole text, and of a comment its author stays', async () => {
    const person = await addPerson(t);
    const report = await fileReport(t, person);
    const proof = await erase(t, { name: NAME }, (hits) =>
      hits.map(({ id, kind }) => ({
        id,
        act: ['user', 'person', 'party'].includes(kind) ? 'pseudonymise' : 'erase',
      })),
    );
    expect(proof.remained).toEqual([]);
    expect(await traced(t)).toEqual([]);
    const shown = (await t.demo.get(`${list}/${report.id}`)).json as NearMiss;
    expect(shown).toMatchObject({ description: '', incident_title: '—', comment_count: 0 });
    const values = Object.values(shown.custom_fields ?? {}).map(({ value }) => value);
    expect(values).toContain('2026-01-14 14:05 +01:00 —');
    const comments = (await t.demo.get(`${list}/${report.id}/comments`)).json as object[];
    expect(comments).toMatchObject([{ text: null }, { text: null }]);
  });

  it('decisions §21.3: a file that is no picture stays as it is, and the proof says so', async () => {
    const near_miss = {
      incident_id: 1,
      description: 'Lysander Okonedo',
      upload_uuids: [await sendFile(t.demo)],
    };
    const made = await t.demo.post(list, { near_miss });
    expect(made.status, made.text).toBe(201);
    const proof = await erase(t, { name: 'Lysander Okonedo' });
    expect(proof.remained).toMatchObject([{ kind: 'photo', why: 'no_picture' }]);
    const { attachments } = (await t.demo.get(`${list}/${made.json.id}`)).json;
    expect(attachments).toMatchObject([{ id: made.json.attachments[0].id }]);
  });

  it('decisions §21: another company keeps what it has', async () => {
    const near_miss = { incident_id: 0, description: NAME };
    const incident = { title: 'x' };
    near_miss.incident_id = (await t.other.post('~/incidents', { incident })).json.id;
    const made = await t.other.post(list, { near_miss });
    expect(made.status, made.text).toBe(201);
    expect((await preview(t.demo, { name: NAME })).hits).toEqual([]);
    expect((await t.other.get(`${list}/${made.json.id}`)).json.description).toBe(NAME);
    expect((await t.demo.get(`${companyOf(t.other)}/erasures`)).status).toBe(403);
    const { id } = (await t.demo.get(`${companyOf(t.demo)}/erasures`)).json[0];
    expect((await t.other.get(`${companyOf(t.other)}/erasures/${id}`)).status).toBe(404);
    expect((await proofOf(t.demo, id)).id).toBe(id);
  });

  it('decisions §21.1: a name in more than 5,000 places is a 422, which says to give the whole name', async () => {
    const { company_id } = t.demo;
    await t.database.query(
      `update near_misses set description = 'Jericho Wolverton' where company_id = ${company_id}`,
    );
    await t.database.query(manyComments(company_id));
    const path = `${companyOf(t.demo)}/erasures/preview`;
    const refused = await t.demo.post(path, { erasure: { name: 'Jericho Wolverton' } });
    expect([refused.status, refused.json.errors['erasure.name'][0]]).toEqual([
      422,
      expect.stringContaining('give the whole name'),
    ]);
  });
});

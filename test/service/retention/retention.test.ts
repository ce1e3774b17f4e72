/** [ours] How long reports are kept (decisions §20), on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/contract/rest/history/near-miss-history.ts';
import { insertMails } from '../../../src/service/store/mail/mail-queue.ts';
import { startTestService, type Client, type TestService } from '../../support/service.ts';
import { askPack, fetchPack, jsonIn, unpack } from '../evidence/support.ts';
import { readOn, type Row } from '../following-race.ts';
import { sendFile } from '../matrix-world.ts';
import { bin, fieldFor, list } from '../near-miss-records.ts';
import {
  choose,
  companyOf,
  DAY,
  file,
  hold,
  incidentOf,
  preview,
  stored,
  sweep,
} from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'allow-private-webhooks': true });
});
afterAll(() => t.stop());

/** Nothing of the demo is due, whatever tests before this one chose. */
const off = () => choose(t.demo, { years: null, bin_days: null });

const actsOf = async (name: string): Promise<readonly Record<string, unknown>[]> => {
  const acts = (await t.demo.get(`${companyOf(t.demo)}/admin_acts?per_page=500`)).json as {
    readonly act: string;
    readonly user: { readonly login: string } | null;
    readonly details: Record<string, unknown>;
  }[];
  return acts
    .filter(({ act }) => act === name)
    .map(({ user, details }) => ({ by: user?.login ?? null, ...details }));
};

const EARLY = '2019-03-04T08:00:00Z';

describe('decisions §20.1: the choice', () => {
  it('decisions §20.1: off at first; whole years and days in bounds; logged; with ETag; of admins alone', async () => {
    const path = `${companyOf(t.demo)}/retention`;
    const first = await t.demo.get(path);
    expect([first.status, first.json]).toEqual([200, { years: null, bin_days: null }]);
    for (const [field, values] of [
      ['years', [0, 51, 1.5, '3']],
      ['bin_days', [29, 91, 0, 45.5]],
    ] as const)
      for (const value of values) {
        const refused = await t.demo.patch(path, { retention: { [field]: value } });
        expect([refused.status, Object.keys(refused.json.errors)]).toEqual([
          422,
          [`retention.${field}`],
        ]);
      }
    const made = await t.demo.patch(path, { retention: { years: 3 } });
    expect(made.json).toEqual({ years: 3, bin_days: null });
    const stale = { 'If-Match': first.headers.get('etag') ?? '' };
    expect((await t.demo.patch(path, { retention: { years: 5 } }, stale)).status).toBe(412);
    await choose(t.demo, { bin_days: 30 });
    await choose(t.demo, { bin_days: 30 });
    await off();
    expect((await actsOf('retention_changed')).toReversed()).toMatchObject([
      { years_from: null, years_to: 3, bin_days_from: null, bin_days_to: null },
      { years_from: 3, years_to: 3, bin_days_from: null, bin_days_to: 30 },
      { years_from: 3, years_to: null, bin_days_from: 30, bin_days_to: null },
    ]);
    for (const level of ['standard', 'reporter', 'read_only'] as const) {
      expect((await t.as(level).get(path)).status).toBe(403);
      expect((await t.as(level).get(`${path}/preview`)).status).toBe(403);
    }
    expect(await sweep(t)).toEqual({ anonymised: 0, deleted: 0 });
  });
});

/** Words that occur in no other record, one for each place that holds a text. */
const WORDS = {
  description: 'quillfeather',
  place: 'zanzabrook',
  follow_up: 'marrowgate',
  who: 'ottolinevex',
  answer: 'brindlewick',
  caption: 'snaggletarn',
  client: 'Pebblewisp/9',
  before: 'hollowfinch',
};

interface Made {
  readonly id: number;
  readonly uuid: string;
  readonly author: Client;
  readonly fields: Readonly<Record<string, string>>;
}

/** A near miss with words in every place that takes some, a photo, a history, a mail and kept answers. */
const makeFull = async (): Promise<Made> => {
  const author = t.as('standard');
  const catalog = (await t.demo.get('~/catalog')).json;
  const key = (label: string) => fieldFor(catalog, label);
  const fields = {
    severity: key('Potential severity'),
    place: key('Location'),
    what: key('Follow-up'),
    who: key('Follow-up by'),
    due: key('Follow-up date'),
    seen: key('Seen'),
    answer: key('What we did'),
    captions: key('Photo captions'),
    pin: key('Where on the plan'),
    kind: key('Kind'),
  };
  const uuid = await sendFile(author);
  const near_miss = {
    incident_id: await incidentOf(t.demo, EARLY),
    description: `<p>${WORDS.before}</p>`,
    harm_source_id: catalog.harm_sources[0].id,
    affected_person_id: catalog.people[0].id,
    affected_party_id: catalog.parties[0].id,
    [fields.severity]: catalog.custom_field_definitions.find(
      ({ label }: { label: string }) => label === 'Potential severity',
    ).options[0],
    [fields.kind]: 'Near miss',
    [fields.place]: WORDS.place,
    [fields.what]: WORDS.follow_up,
    [fields.who]: WORDS.who,
    [fields.due]: '2026-01-20',
    [fields.captions]: `canary-7d1f.jpg: ${WORDS.caption}`,
    [fields.pin]: 'Level 3 @0.42,0.61 #57',
    upload_uuids: [uuid],
  };
  const agent = { 'user-agent': WORDS.client };
  const made = await author.post(list, { near_miss }, agent);
  expect(made.status, made.text).toBe(201);
  const id = made.json.id as number;
  const more = {
    description: `<p>${WORDS.description}</p>`,
    [fields.seen]: `2026-01-15 14:05 +01:00 ${WORDS.who}`,
    [fields.answer]: WORDS.answer,
  };
  t.clock.advance(31 * DAY);
  const kept = { ...agent, 'Idempotency-Key': `late-${id}` };
  const path = `${list}/${id}`;
  expect((await t.demo.patch(path, { near_miss: more }, kept)).status).toBe(200);
  const { company_id } = t.demo;
  await t.service.app.store.write(
    (tx) =>
      insertMails(tx, [
        {
          company_id,
          user_id: 1,
          near_miss_id: id,
          kind: 'assigned',
          event: `assigned/${id}`,
          due: null,
          created_at: t.clock.now(),
        },
      ]),
    company_id,
  );
  return { id, uuid, author, fields };
};

describe('decisions §20.3: an anonymised near miss', () => {
  it('decisions §20.3, §20.6: every text, photo and person goes, from every table; number, dates and choices stay', async () => {
    const { id, uuid, author, fields } = await makeFull();
    const path = `${list}/${id}`;
    const text = WORDS.description;
    expect((await t.demo.post(`${path}/comments`, { comment: { text } })).status).toBe(201);
    const before = (await t.demo.get(path)).json;
    const tag = (await t.demo.get(path)).headers.get('etag') ?? '';
    const photo = before.attachments[0].url as string;
    for (const word of Object.values(WORDS)) expect(await stored(t)).toContain(word);
    await choose(t.demo, { years: 3 });
    expect(await sweep(t)).toMatchObject({ deleted: 0 });
    await t.service.app.uploads.sweep();

    const after = (await t.demo.get(path)).json;
    const day = new Date(t.clock.now()).toISOString().slice(0, 10);
    const said = `Anonymised on ${day}. Anonimizado el ${day}. Zanonimizowano ${day}.`;
    expect(after).toMatchObject({
      description: said,
      description_plain_text: said,
      created_by: null,
      incident_created_by: null,
      affected_person: null,
      affected_party: null,
      attachments: [],
      comment_count: 0,
      anonymised_at: after.updated_at,
    });
    for (const same of ['id', 'number', 'full_number', 'created_at', 'harm_source', 'incident_id'])
      expect(after[same], same).toEqual(before[same]);
    const value = (key = '') => after.custom_fields[key]?.value;
    expect(value(fields['severity'])).toBe(before.custom_fields[fields['severity'] ?? ''].value);
    expect(value(fields['kind'])).toBe('Near miss');
    expect(value(fields['due'])).toBe('2026-01-20');
    expect(value(fields['what'])).toBe('—');
    expect(value(fields['seen'])).toBe('2026-01-15 14:05 +01:00 —');
    expect(value(fields['answer'])).toBe('—');
    for (const gone of ['who', 'place', 'captions', 'pin'])
      expect(value(fields[gone]), gone).toBeUndefined();

    const database = await stored(t);
    for (const word of Object.values(WORDS)) expect(database).not.toContain(word);
    const rows = await t.database.query(
      `select response_filename from uploads where uuid = '${uuid}'`,
    );
    expect(rows).toEqual([{ response_filename: '' }]);
    expect((await fetch(photo)).status).toBe(410);
    expect(await t.service.app.uploads.files.list(uuid)).toEqual([]);
    const me = (await author.get('/rest/v1.0/me')).json.id;
    const events = await t.database.query(
      `select user_id from events where resource_name = 'Near Misses' and resource_id = ${id}`,
    );
    expect(events.map(({ user_id }) => user_id)).not.toContain(me);
    expect((await t.demo.get(path)).headers.get('etag')).not.toBe(tag);
    for (const word of [WORDS.description, WORDS.before]) {
      const found = await t.demo.get(`${list}?filters[query]=${word}`);
      expect(found.json).toEqual([]);
    }
    expect(await actsOf('near_miss_anonymised')).toEqual([
      {
        by: null,
        project_id: t.demo.project_id,
        near_miss_id: id,
        number: before.full_number,
      },
      ...(await actsOf('near_miss_anonymised')).slice(1),
    ]);
    await off();
  });

  it('decisions §20.3: its history says when, holds, and names nobody; a pack says so too; texts are refused from then on', async () => {
    const { id } = await makeFull();
    const path = `${list}/${id}`;
    await choose(t.demo, { years: 3 });
    await sweep(t);
    const [last, ...earlier] = (await t.demo.get(`${path}/history`)).json as HistoryEntry[];
    expect(last).toMatchObject({
      action: 'anonymised',
      user: { name: '' },
      changes: [{ field: 'history', from: 1, to: null }],
    });
    expect(earlier.map(({ redacted, user, client }) => [redacted, user.name, client])).toEqual([
      [true, '', null],
      [false, '', null],
    ]);
    const pack = await unpack(await fetchPack(await askPack(t.demo, id, { with_names: true })));
    const entries = jsonIn(pack, 'history.json').entries;
    expect(entries[1]).toMatchObject({ redacted: true, redacted_on: last?.at });
    const refused = await t.demo.patch(path, { near_miss: { description: 'Ana again' } });
    expect([refused.status, refused.json.errors[0]]).toEqual([
      409,
      expect.stringMatching(/^This near miss was anonymised on 20\d\d-\d\d-\d\d, because/),
    ]);
    expect((await t.demo.post(`${path}/comments`, { comment: { text: 'Ana' } })).status).toBe(409);
    expect(await sweep(t)).toEqual({ anonymised: 0, deleted: 0 });
    await off();
  });

  it('decisions §20.3, §14.3: a reader who follows gets it as a change; for its author, a reporter, it is gone', async () => {
    const reporter = t.as('reporter');
    const incident_id = await incidentOf(t.demo, EARLY);
    const id = await file(reporter, { incident_id, description: 'Own' });
    t.clock.advance(31 * DAY);
    const [all, own] = [new Map<number, Row>(), new Map<number, Row>()];
    const from = await readOn(t.demo, null, all);
    const of = await readOn(reporter, null, own);
    expect(own.get(id)).toMatchObject({ description_plain_text: 'Own' });
    await choose(t.demo, { years: 3 });
    await sweep(t);
    await readOn(t.demo, from, all);
    await readOn(reporter, of, own);
    expect(all.get(id)?.description_plain_text).toMatch(/^Anonymised on/);
    expect(Object.keys(own.get(id) ?? {})).toEqual(['id', 'deleted_at']);
    expect((await reporter.get(`${list}/${id}`)).status).toBe(404);
    t.clock.advance(91 * DAY);
    await sweep(t);
    const rows = await t.database.query(`select list from tombstones where list like '%/by/%'`);
    expect(rows).toEqual([]);
    await off();
  });
});

describe('decisions §20.2: when a near miss is due', () => {
  it('decisions §20.2: by its time of the event, else that of its incident, else its day; 30 days after it was filed', async () => {
    const catalog = (await t.demo.get('~/catalog')).json;
    const when = fieldFor(catalog, 'Event time');
    const [old, young, none] = [
      await incidentOf(t.demo, EARLY),
      await incidentOf(t.demo, new Date(t.clock.now() - 10 * DAY).toISOString()),
      await incidentOf(t.demo, null),
    ];
    const recent = new Date(t.clock.now() - DAY).toISOString();
    const of = async (incident_id: number, more: object = {}) =>
      file(t.demo, { incident_id, description: 'Of the dates', ...more });
    const due = [
      await of(old),
      await of(young, { [when]: EARLY }),
      await of(none, { [when]: EARLY }),
    ];
    const kept = [await of(old, { [when]: recent }), await of(young), await of(none)];
    const dueOf = async (query: string) => {
      const { near_misses } = await preview(t.demo, `${query}&per_page=1000`);
      return near_misses.filter(({ id }) => [...due, ...kept].includes(id));
    };
    const soon = await dueOf('?years=3');
    expect(soon.map(({ id }) => id)).toEqual(due);
    expect(soon.map(({ act }) => act)).toEqual(due.map(() => 'anonymise'));
    await choose(t.demo, { years: 3 });
    await sweep(t);
    const described = async (id: number): Promise<string> =>
      (await t.demo.get(`${list}/${id}`)).json.description;
    expect(await Promise.all(due.map(described))).toEqual(due.map(() => 'Of the dates'));
    t.clock.advance(30 * DAY);
    await sweep(t);
    for (const text of await Promise.all(due.map(described))) expect(text).toMatch(/^Anonymised/);
    expect(await Promise.all(kept.map(described))).toEqual(kept.map(() => 'Of the dates'));
    await off();
  });

  it('decisions §20.2: a preview counts and lists what a choice would do, page by page, and changes nothing', async () => {
    const incident_id = await incidentOf(t.demo, EARLY);
    const ids: number[] = [];
    for (const description of ['a', 'b', 'c'])
      ids.push(await file(t.demo, { incident_id, description }));
    const [first = 0, second = 0, third = 0] = ids;
    await t.demo.delete(`${list}/${third}`);
    await hold(t.demo, second);
    t.clock.advance(31 * DAY);
    const before = await stored(t);
    const shown = await preview(t.demo, '?years=3&bin_days=40&per_page=1000');
    expect(shown).toMatchObject({ years: 3, bin_days: 40, held: 1, hidden: 0 });
    const ours = shown.near_misses.filter(({ id }) => ids.includes(id));
    expect(ours.map(({ id, act, held }) => [id, act, held])).toEqual([
      [first, 'anonymise', false],
      [second, 'anonymise', true],
      [third, 'anonymise', false],
    ]);
    const binned = await preview(t.demo, '?years=0&bin_days=40');
    expect(binned).toMatchObject({ years: null, bin_days: 40, anonymise: { now: 0, soon: 0 } });
    expect(binned.near_misses).toContainEqual(
      expect.objectContaining({ id: third, act: 'delete', held: false }),
    );
    expect((await preview(t.demo)).near_misses).toEqual([]);
    const pages = [
      await preview(t.demo, '?years=3&per_page=1'),
      await preview(t.demo, '?years=3&per_page=1&page=2'),
    ];
    expect(pages.flatMap(({ near_misses }) => near_misses)).toEqual(
      (await preview(t.demo, '?years=3')).near_misses.slice(0, 2),
    );
    expect(await stored(t)).toBe(before);
    for (const query of ['?years=51', '?bin_days=29', '?years=x'])
      expect((await t.demo.get(`${companyOf(t.demo)}/retention/preview${query}`)).status).toBe(422);
    await t.demo.delete(`${list}/${second}/legal_hold`);
    await off();
  });
});

describe('decisions §20.4: the recycle bin', () => {
  it('decisions §20.4, §20.6, §14.3: a near miss is deleted for good with its photos and history; who saw it learns its id', async () => {
    const [author, reporter] = [t.as('standard'), t.as('reporter')];
    const uuid = await sendFile(author);
    const incident_id = await incidentOf(t.demo, null);
    const id = await file(author, { incident_id, description: 'Binned', upload_uuids: [uuid] });
    const secret = { title: 'Secret', private: true };
    const hidden_in = (await t.demo.post('~/incidents', { incident: secret })).json.id as number;
    const hidden = await file(t.demo, { incident_id: hidden_in, description: 'Hidden' });
    await author.post(`${list}/${id}/comments`, { comment: { text: 'Seen too' } });
    for (const one of [id, hidden]) await t.demo.delete(`${list}/${one}`);
    const rows = { demo: new Map<number, Row>(), author: new Map<number, Row>() };
    const from = await readOn(t.demo, null, rows.demo);
    const of = await readOn(author, null, rows.author);
    const nothing = await readOn(reporter, null, new Map());
    expect(rows.author.has(hidden)).toBe(false);
    await choose(t.demo, { bin_days: 30 });
    t.clock.advance(29 * DAY);
    await sweep(t);
    expect((await t.demo.get(`${bin}/${id}`)).status).toBe(200);
    t.clock.advance(DAY);
    const total = Number((await t.demo.get(`${bin}?per_page=1`)).headers.get('total'));
    const swept = await sweep(t);
    expect(swept.deleted).toBe(total);
    await t.service.app.uploads.sweep();
    expect((await t.demo.get(`${bin}/${id}`)).status).toBe(404);
    expect((await t.demo.get(bin)).headers.get('total')).toBe('0');
    await readOn(t.demo, from, rows.demo);
    await readOn(author, of, rows.author);
    expect(Object.keys(rows.demo.get(id) ?? {})).toEqual(['id', 'deleted_at']);
    expect(Object.keys(rows.demo.get(hidden) ?? {})).toEqual(['id', 'deleted_at']);
    expect(Object.keys(rows.author.get(id) ?? {})).toEqual(['id', 'deleted_at']);
    expect(rows.author.has(hidden)).toBe(false);
    const unseen = new Map<number, Row>();
    await readOn(reporter, nothing, unseen);
    expect([...unseen.keys()]).not.toContain(id);
    for (const table of ['near_miss_history', 'near_miss_attachments', 'mails'])
      expect(await t.database.query(`select * from ${table} where near_miss_id = ${id}`)).toEqual(
        [],
      );
    expect(await t.service.app.uploads.files.list(uuid)).toEqual([]);
    expect((await actsOf('near_miss_deleted')).map((one) => one['near_miss_id'])).toContain(id);
    const again = await file(author, { incident_id, description: 'The next' });
    expect((await t.demo.get(`${list}/${again}`)).json.number).toBe(2);
    await off();
  });
});

describe('decisions §20.5: a legal hold', () => {
  it('decisions §20.5: held, a near miss is neither anonymised nor deleted nor redacted; released, it is', async () => {
    const uuid = await sendFile(t.demo);
    const incident_id = await incidentOf(t.demo, EARLY);
    const id = await file(t.demo, { incident_id, description: 'First', upload_uuids: [uuid] });
    const binned = await file(t.demo, { incident_id, description: 'In the bin' });
    const path = `${list}/${id}`;
    await t.demo.patch(path, { near_miss: { description: 'Evidence' } });
    await t.demo.delete(`${list}/${binned}`);
    expect((await t.demo.get(`${path}/legal_hold`)).json).toEqual({
      held: false,
      reason: null,
      set_by: null,
      set_at: null,
    });
    for (const one of [id, binned]) expect((await hold(t.demo, one)).status).toBe(200);
    const login = (await t.demo.get('/rest/v1.0/me')).json.login;
    expect((await t.demo.get(`${path}/legal_hold`)).json).toMatchObject({
      held: true,
      reason: 'Claim of a visitor',
      set_by: { login },
    });
    const photo = (await t.demo.get(path)).json.attachments[0].id;
    const comment = (await t.demo.post(`${path}/comments`, { comment: { text: 'Kept' } })).json.id;
    for (const [what, address] of [
      ['it cannot be deleted', path],
      ['its history cannot be redacted', `${path}/history/1`],
      ['its photos cannot be removed', `${path}/attachments/${photo}`],
      ['its comments cannot be removed', `${path}/comments/${comment}`],
    ]) {
      const refused = await t.demo.delete(address ?? '');
      expect([refused.status, refused.json.errors[0]]).toEqual([
        409,
        expect.stringMatching(
          new RegExp(`^This near miss has been under a legal hold since .*, so ${what}\\.`),
        ),
      ]);
    }
    t.clock.advance(60 * DAY);
    await choose(t.demo, { years: 3, bin_days: 30 });
    await sweep(t);
    expect((await t.demo.get(path)).json.description).toBe('Evidence');
    expect((await t.demo.get(`${bin}/${binned}`)).json.description).toBe('In the bin');
    for (const one of [id, binned])
      expect((await t.demo.delete(`${list}/${one}/legal_hold`)).status).toBe(204);
    expect((await t.demo.delete(`${path}/legal_hold`)).status).toBe(204);
    await sweep(t);
    expect((await t.demo.get(path)).json.description).toMatch(/^Anonymised/);
    expect((await t.demo.get(`${bin}/${binned}`)).status).toBe(404);
    expect((await actsOf('legal_hold_set')).slice(0, 2).map((one) => one['near_miss_id'])).toEqual([
      binned,
      id,
    ]);
    expect(await actsOf('legal_hold_released')).toHaveLength(3);
    expect(JSON.stringify(await actsOf('legal_hold_set'))).not.toContain('Claim');
    await off();
  });

  it('decisions §20.5: only admins hold and see holds; a reason is required', async () => {
    const id = await file(t.as('standard'), { incident_id: await incidentOf(t.demo, null) });
    for (const level of ['standard', 'reporter', 'read_only'] as const) {
      expect((await hold(t.as(level), id)).status).toBe(403);
      expect((await t.as(level).get(`${list}/${id}/legal_hold`)).status).toBe(403);
    }
    for (const reason of ['', '  ', 'x'.repeat(501)])
      expect((await hold(t.demo, id, reason)).status).toBe(422);
    expect((await hold(t.demo, 999_999)).status).toBe(404);
  });
});

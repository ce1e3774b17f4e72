/** Company data, each kind by the same rules: created, listed, changed, retired, imported (decisions §11). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  companyRecordKindNames,
  companyRecordKinds,
  type CompanyRecordKind,
} from '../../src/contract/rest/company-records.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const pathOf = (kind: CompanyRecordKind): string =>
  `/rest/v1.0/companies/${t.demo.company_id}/${kind}`;
const nameOf = (kind: CompanyRecordKind): 'name' | 'label' =>
  kind === 'custom_field_definitions' ? 'label' : 'name';
const bodyOf = (kind: CompanyRecordKind, name: string, more: object = {}) => ({
  [companyRecordKinds[kind].one]: {
    [nameOf(kind)]: name,
    ...(kind === 'custom_field_definitions' ? { data_type: 'string' } : {}),
    ...more,
  },
});
const make = (kind: CompanyRecordKind, name: string, more: object = {}): Promise<Answer> =>
  t.demo.post(pathOf(kind), bodyOf(kind, name, more));
const change = (kind: CompanyRecordKind, id: number, body: object): Promise<Answer> =>
  t.demo.patch(`${pathOf(kind)}/${id}`, { [companyRecordKinds[kind].one]: body });
const errorsOf = (answer: Answer): string[] => Object.keys(answer.json.errors as object);

/** The kind's list in the catalog; projects are in `/me`. */
const inCatalog: Readonly<Record<string, string>> = { affected_companies: 'companies' };
const offered = async (kind: CompanyRecordKind): Promise<number[]> => {
  const rows =
    kind === 'projects'
      ? (await t.demo.get('/rest/v1.0/me')).json.projects
      : (await t.demo.get('~/catalog')).json[inCatalog[kind] ?? kind];
  return (rows as { id: number; active?: boolean }[])
    .filter(({ active }) => active !== false)
    .map(({ id }) => id);
};

describe('decisions §11.1: every kind', () => {
  for (const kind of companyRecordKindNames) {
    it(`decisions §11.1, §11.2, §11.3: ${kind} are created, offered, listed, changed, retired and brought back`, async () => {
      const name = `Zeta ${kind}`;
      const made = await make(kind, `  ${name} `, { origin_id: `erp-${kind}` });
      expect(made.status, made.text).toBe(201);
      const id = made.json.id as number;
      expect(made.json).toMatchObject({
        [nameOf(kind)]: name,
        origin_id: `erp-${kind}`,
        active: true,
      });
      expect(await offered(kind)).toContain(id);
      const found = await t.demo.get(`${pathOf(kind)}?filters[query]=zeTA`);
      expect([found.headers.get('total'), found.json]).toEqual(['1', [made.json]]);
      const byOrigin = await t.demo.get(`${pathOf(kind)}?filters[origin_id]=erp-${kind}`);
      expect(byOrigin.json).toEqual([made.json]);

      const shown = await t.demo.get(`${pathOf(kind)}/${id}`);
      const etag = shown.headers.get('etag') ?? '';
      expect([shown.status, shown.json, etag]).toEqual([200, made.json, made.headers.get('etag')]);
      const same = await change(kind, id, { [nameOf(kind)]: name });
      expect([same.status, same.headers.get('etag')]).toEqual([200, etag]);
      t.clock.advance(1000);
      const renamed = await change(kind, id, { [nameOf(kind)]: `${name} 2` });
      expect([renamed.status, renamed.json[nameOf(kind)]]).toEqual([200, `${name} 2`]);
      expect(renamed.json.updated_at).not.toBe(made.json.updated_at);
      const stale = await t.demo.patch(`${pathOf(kind)}/${id}`, bodyOf(kind, 'x'), {
        'if-match': etag,
      });
      expect(stale.status).toBe(412);

      const retired = await change(kind, id, { active: false });
      expect([retired.status, retired.json.active]).toEqual([200, false]);
      expect(await offered(kind)).not.toContain(id);
      const inactive = await t.demo.get(`${pathOf(kind)}?filters[active]=false`);
      expect((inactive.json as { id: number }[]).map((row) => row.id)).toContain(id);
      await change(kind, id, { active: true });
      expect(await offered(kind)).toContain(id);
    });

    it(`decisions §11.2, §1.5: ${kind}: a name is required, an origin_id is one record’s, a key creates once`, async () => {
      const unnamed = await t.demo.post(pathOf(kind), { [companyRecordKinds[kind].one]: {} });
      expect(unnamed.status).toBe(422);
      expect(errorsOf(unnamed)).toContain(`${companyRecordKinds[kind].one}.${nameOf(kind)}`);
      const headers = { 'idempotency-key': `once-${kind}` };
      const ask = () =>
        t.demo.post(pathOf(kind), bodyOf(kind, 'Once', { origin_id: 'once' }), headers);
      const [first, again] = [await ask(), await ask()];
      expect([first.status, again.text]).toEqual([201, first.text]);
      const taken = await make(kind, 'Twice', { origin_id: 'once' });
      expect([taken.status, errorsOf(taken)]).toEqual([
        422,
        [`${companyRecordKinds[kind].one}.origin_id`],
      ]);
    });

    it(`decisions §11.5: ${kind} are imported by id, origin_id or name, all or none, and a dry run writes nothing`, async () => {
      const name = nameOf(kind);
      const typed = kind === 'custom_field_definitions' ? { data_type: 'number' } : {};
      const byId = (await make(kind, `By id ${kind}`)).json.id as number;
      await make(kind, `By origin ${kind}`, { origin_id: `o-${kind}` });
      await make(kind, `Ímport ${kind}`);
      const rows = [
        { id: byId, [name]: `Now by id ${kind}` },
        { origin_id: `o-${kind}`, [name]: `By origin ${kind}` },
        { [name]: `import ${kind.toUpperCase()}`, active: false },
        { [name]: `New ${kind}`, origin_id: `n-${kind}`, ...typed },
      ];
      const counts = { created: 1, updated: 2, unchanged: 1, errors: {} };
      const list = async () => (await t.demo.get(`${pathOf(kind)}?per_page=1000`)).text;
      const before = await list();
      const dry = await t.demo.post(`${pathOf(kind)}/import`, { rows, dry_run: true });
      expect([dry.status, dry.json]).toEqual([200, { dry_run: true, ...counts }]);
      expect(await list()).toBe(before);

      const bad = [
        ...rows,
        { [name]: '' },
        { nmae: 'x' },
        7,
        { id: 987_654_321, [name]: 'x' },
        rows[3],
      ];
      const refused = await t.demo.post(`${pathOf(kind)}/import`, { rows: bad });
      expect(refused.status).toBe(422);
      expect(errorsOf(refused).map((field) => field.split('.')[1])).toEqual(
        expect.arrayContaining(['4', '5', '6', '7', '8']),
      );
      expect(errorsOf(refused)).toEqual(
        expect.arrayContaining([
          `rows.4.${name}`,
          'rows.5.nmae',
          'rows.6.row',
          'rows.7.id',
          `rows.8.${name}`,
        ]),
      );
      expect(await list()).toBe(before);

      const done = await t.demo.post(`${pathOf(kind)}/import`, { rows });
      expect([done.status, done.json]).toEqual([200, { dry_run: false, ...counts }]);
      const again = await t.demo.post(`${pathOf(kind)}/import`, { rows });
      expect(again.json).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
      expect((await t.demo.get(`${pathOf(kind)}/${byId}`)).json[name]).toBe(`Now by id ${kind}`);
    });
  }
});

describe('decisions §11: what one kind alone has', () => {
  it('decisions §11.2: project_id and data_type stay, and name what there is', async () => {
    const vendor = (await make('vendors', 'Placed', { project_id: t.demo.project_id })).json;
    expect(vendor.project_id).toBe(t.demo.project_id);
    const moved = await change('vendors', vendor.id as number, { project_id: null });
    expect(errorsOf(moved)).toEqual(['vendor.project_id']);
    const nowhere = await make('vendors', 'x', { project_id: t.other.project_id });
    expect([nowhere.status, errorsOf(nowhere)]).toEqual([422, ['vendor.project_id']]);
    const field = (await make('custom_field_definitions', 'Depth')).json;
    const retyped = await change('custom_field_definitions', field.id as number, {
      data_type: 'number',
    });
    expect(errorsOf(retyped)).toEqual(['custom_field_definition.data_type']);
    const none = await make('custom_field_definitions', 'Ground', { data_type: 'select' });
    expect(errorsOf(none)).toEqual(['custom_field_definition.options']);
    const options = ['Dry', 'Wet'];
    const select = await make('custom_field_definitions', 'Ground', {
      data_type: 'select',
      options,
    });
    expect(select.json.options).toEqual(options);
    const folder = await make('documents', 'x', { folder_id: 987_654_321 });
    expect(errorsOf(folder)).toEqual(['document.folder_id']);
  });

  it('decisions §11.2: a login is one person’s; many have none', async () => {
    const first = await make('people', 'Ana', { login: 'ana@firm.example' });
    expect([first.status, first.json.login]).toEqual([201, 'ana@firm.example']);
    const second = await make('people', 'Ana B', { login: 'ana@firm.example' });
    expect(errorsOf(second)).toEqual(['person.login']);
    for (const name of ['Nobody', 'No one']) expect((await make('people', name)).status).toBe(201);
  });

  it('decisions §11.3: a retired folder takes its documents from what is offered; old near misses keep who is retired', async () => {
    const folder = (await make('folders', 'Method statements')).json.id as number;
    const document = (await make('documents', 'Scaffold', { folder_id: folder })).json.id as number;
    expect(await offered('documents')).toContain(document);
    await change('folders', folder, { active: false });
    expect(await offered('documents')).not.toContain(document);
    const person = (await make('people', 'Leaving')).json.id as number;
    const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
    const near_miss = { incident_id, affected_person_id: person };
    const old = await t.demo.post('~/incidents/near_misses', { near_miss });
    await change('people', person, { active: false });
    const shown = await t.demo.get(`~/incidents/near_misses/${old.json.id}`);
    expect(shown.json.affected_person).toMatchObject({ id: person, name: 'Leaving' });
    // It may have been written offline before, so it must never be refused.
    expect((await t.demo.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
  });

  it('decisions §11.4, §4.6: near misses are found by the new name of what they name, and are not changed', async () => {
    const incident = (await t.demo.post('~/incidents', { incident: { title: 'Pit kvaxon' } })).json;
    const person = (await make('people', 'Quillon')).json.id as number;
    const { json: made } = await t.demo.post('~/incidents/near_misses', {
      near_miss: { incident_id: incident.id, affected_person_id: person },
    });
    const found = async (word: string): Promise<number[]> =>
      (
        (await t.demo.get(`~/incidents/near_misses?filters[query]=${word}`)).json as {
          id: number;
        }[]
      ).map(({ id }) => id);
    expect([await found('quillon'), await found('kvaxon')]).toEqual([[made.id], [made.id]]);
    await change('people', person, { name: 'Ózwald' });
    await t.demo.patch(`~/incidents/${incident.id}`, { incident: { title: 'Pit zwelfe' } });
    expect([await found('quillon'), await found('ozwald')]).toEqual([[], [made.id]]);
    expect([await found('kvaxon'), await found('pit%20zwelfe')]).toEqual([[], [made.id]]);
    const { json } = await t.demo.get(`~/incidents/near_misses/${made.id}`);
    expect([json.updated_at, json.affected_person.name]).toEqual([made.updated_at, 'Ózwald']);
  });

  it('decisions §11.5: of several with the name, the import asks which; two rows of one record are bad', async () => {
    for (const more of [{}, { origin_id: 'one' }]) await make('vendors', 'Twin Ltd', more);
    const several = await t.demo.post(`${pathOf('vendors')}/import`, {
      rows: [{ name: 'Twin Ltd' }],
    });
    expect(several.json.errors['rows.0.name'][0]).toMatch(/several/);
    const twice = await t.demo.post(`${pathOf('vendors')}/import`, {
      rows: [{ name: 'Same one' }, { name: 'SAME ONE' }],
    });
    expect(twice.json.errors).toEqual({ 'rows.1.name': ['means the same record as rows.0'] });
    const named = await t.demo.post(`${pathOf('vendors')}/import`, {
      rows: [{ name: 'Twin Ltd', origin_id: 'one', active: false }],
    });
    expect(named.json).toMatchObject({ updated: 1, created: 0 });
  });
});

describe('decisions §4.6: incidents', () => {
  const open = async (more: object = {}) =>
    (await t.demo.post('~/incidents', { incident: { title: 'Trench', ...more } })).json as {
      id: number;
      updated_at: string;
    };

  it('decisions §4.6: corrected, closed and opened again; a near miss of a closed one is taken', async () => {
    const { id, updated_at } = await open();
    const path = `~/incidents/${id}`;
    t.clock.advance(1000);
    const tag = (await t.demo.get(path)).headers.get('etag') ?? '';
    const same = await t.demo.patch(path, { incident: { title: 'Trench', people_ids: [] } });
    expect([same.status, same.headers.get('etag'), same.json.updated_at]).toEqual([
      200,
      tag,
      updated_at,
    ]);
    const body = { title: 'Trench, east', location: 'Gate 2', event_date: '2026-01-10T08:00:00Z' };
    const corrected = await t.demo.patch(path, { incident: body }, { 'if-match': tag });
    expect([corrected.status, corrected.json]).toMatchObject([
      200,
      { title: 'Trench, east', location: 'Gate 2', status: 'open' },
    ]);
    const stale = await t.demo.patch(path, { incident: { title: 'x' } }, { 'if-match': tag });
    expect(stale.status).toBe(412);
    expect((await t.demo.patch(path, { incident: { status: 'closed' } })).json.status).toBe(
      'closed',
    );
    const { incidents } = (await t.demo.get('~/catalog')).json as {
      incidents: { id: number; closed: boolean }[];
    };
    expect(incidents.find((one) => one.id === id)?.closed).toBe(true);
    const late = await t.demo.post('~/incidents/near_misses', { near_miss: { incident_id: id } });
    expect(late.status).toBe(201);
    const again = await t.demo.patch(path, { incident: { status: 'open', location: null } });
    expect(again.json).toMatchObject({ status: 'open', location: null, title: 'Trench, east' });
    const bad = await t.demo.patch(path, { incident: { status: 'gone', title: ' ' } });
    expect([bad.status, errorsOf(bad).sort()]).toEqual([
      422,
      ['incident.status', 'incident.title'],
    ]);
  });

  it('decisions §11.5, §4.6: incidents are imported by id, number or title: opened, corrected and closed, all or none', async () => {
    const list = async () => (await t.demo.get('~/incidents?per_page=1000')).text;
    const events = async () =>
      Number((await t.database.query('select count(*) as n from events'))[0]?.['n']);
    const send = (rows: readonly unknown[], dry_run = false) =>
      t.demo.post('~/incidents/import', { rows, dry_run });
    const [byId, byNumber] = [await open({ title: 'By id' }), await open({ title: 'By number' })];
    await open({ title: 'Ímport me' });
    const { number } = (await t.demo.get(`~/incidents/${byNumber.id}`)).json as { number: number };
    const { people } = (await t.demo.get('~/catalog')).json as { people: { id: number }[] };
    const rows = [
      { id: byId.id, title: 'Now by id', location: 'Gate 2' },
      { number, status: 'closed' },
      { title: 'IMPORT ME', event_date: '2026-01-10T08:00:00Z' },
      { title: 'New, for some', private: true, people_ids: [people[0]?.id] },
      { title: 'New and over', status: 'closed' },
    ];
    const counts = { created: 2, updated: 3, unchanged: 0, errors: {} };
    const before = [await list(), await events()];
    const dry = await send(rows, true);
    expect([dry.status, dry.json]).toEqual([200, { dry_run: true, ...counts }]);
    const bad = await send([
      ...rows,
      { title: ' ' },
      { location: 'nowhere' },
      { id: 987_654_321 },
      { number: 987_654 },
      { title: 'x', status: 'gone', event_date: 'soon' },
      { title: 'x', people_ids: [987_654_321] },
      { title: 'new AND over' },
      7,
      { titel: 'x' },
    ]);
    expect([bad.status, errorsOf(bad)]).toEqual([
      422,
      expect.arrayContaining([
        'rows.5.title',
        'rows.6.title',
        'rows.7.id',
        'rows.8.number',
        'rows.9.status',
        'rows.9.event_date',
        'rows.10.people_ids',
        'rows.11.title',
        'rows.12.row',
        'rows.13.titel',
      ]),
    ]);
    expect(errorsOf(bad)).toHaveLength(10);
    expect([await list(), await events()]).toEqual(before);

    const done = await send(rows);
    expect([done.status, done.json]).toEqual([200, { dry_run: false, ...counts }]);
    expect(await events()).toBe((before[1] as number) + 5);
    expect((await send(rows)).json).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
    expect(await events()).toBe((before[1] as number) + 5);
    const all = JSON.parse(await list()) as { title: string; number: number }[];
    const named = (title: string) => all.find((one) => one.title === title);
    expect(named('Now by id')).toMatchObject({ id: byId.id, location: 'Gate 2', status: 'open' });
    expect(named('By number')).toMatchObject({ number, status: 'closed' });
    expect(named('IMPORT ME')).toMatchObject({ event_date: '2026-01-10T08:00:00.000Z' });
    expect(named('New and over')).toMatchObject({ status: 'closed', private: false, people: [] });
    expect(named('New, for some')).toMatchObject({ private: true, people: [people[0]] });
    const numbers = all.map((one) => one.number);
    expect(new Set(numbers).size).toBe(numbers.length);

    for (const title of ['Twin pit', 'TWIN PIT']) await open({ title });
    const several = await send([{ title: 'Twin Pit' }]);
    expect(several.json.errors['rows.0.title'][0]).toMatch(/several/);
    expect((await send([{ title: 'Twin pit', location: 'this one' }])).json.updated).toBe(1);
  });

  it('decisions §4.5, §11.5: an import neither finds nor names a private incident of somebody else', async () => {
    const { id } = await open({ title: 'Hidden pit', private: true });
    await t.service.app.store.write((tx) =>
      tx.updateTable('incidents').set({ created_by: null }).where('id', '=', id).execute(),
    );
    const asked = await t.demo.post('~/incidents/import', { rows: [{ id, status: 'closed' }] });
    expect([asked.status, asked.json.errors]).toEqual([422, { 'rows.0.id': ['not found'] }]);
    const opened = await t.demo.post('~/incidents/import', { rows: [{ title: 'Hidden pit' }] });
    expect(opened.json).toMatchObject({ created: 1, updated: 0 });
    const self = (await open({ title: 'Mine' })).id;
    await t.service.app.store.write((tx) =>
      tx.updateTable('incidents').set({ created_by: null }).where('id', '=', self).execute(),
    );
    const away = await t.demo.post('~/incidents/import', { rows: [{ id: self, private: true }] });
    expect([away.status, Object.keys(away.json.errors as object)]).toEqual([
      422,
      ['rows.0.private'],
    ]);
  });

  it('decisions §4.6, §4.5: nobody hides an incident from themselves; who is listed changes', async () => {
    const { id } = await open({ private: true });
    const { people } = (await t.demo.get('~/catalog')).json as { people: { id: number }[] };
    const listed = await t.demo.patch(`~/incidents/${id}`, {
      incident: { people_ids: [people[0]?.id] },
    });
    expect((listed.json.people as { id: number }[]).map((one) => one.id)).toEqual([people[0]?.id]);
    const kept = await t.demo.patch(`~/incidents/${id}`, { incident: { title: 'Trench 3' } });
    expect(kept.json.people).toEqual(listed.json.people);
    const opened = await t.demo.patch(`~/incidents/${id}`, { incident: { private: false } });
    expect([opened.json.private, opened.json.people]).toEqual([false, []]);
    const { store } = t.service.app;
    await store.write((tx) =>
      tx.updateTable('incidents').set({ created_by: null }).where('id', '=', id).execute(),
    );
    const hidden = await t.demo.patch(`~/incidents/${id}`, { incident: { private: true } });
    expect([hidden.status, errorsOf(hidden)]).toEqual([422, ['incident.private']]);
    expect((await t.demo.get(`~/incidents/${id}`)).json.private).toBe(false);
  });
});

/** Near misses and their recycle bin: decisions §3, failures S26. uploads/ has the tests of photos. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearMiss } from '../../src/contract/rest/near-misses.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bin, fieldFor, list, recordsOf } from './near-miss-records.ts';

let t: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
const { create, made } = recordsOf(() => t.demo);
const newIncident = async (title: string) =>
  (await t.demo.post('~/incidents', { incident: { title } })).json;
const definition = (label: string): string => fieldFor(catalog, label);

beforeAll(async () => {
  t = await startTestService();
  // Stamps of the sample data may be a millisecond ahead of the clock (decisions §14.1).
  t.clock.advance(1_000);
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

describe('decisions §3.1: what a near miss is', () => {
  it('reference, Near miss: a whole one answers every field, in the contract’s shape (reference R-near-misses-8, R-near-misses-26, R-near-misses-29)', async () => {
    const row = await made({
      description: '<p>Something <b>fell</b></p>',
      affected_person_id: catalog.people[0].id,
      affected_party_id: catalog.parties[0].id,
      affected_company_id: catalog.companies[0].id,
      harm_source_id: catalog.harm_sources[0].id,
      work_activity_id: catalog.work_activities[0].id,
      managed_equipment_id: catalog.managed_equipment[0].id,
      [definition('Location')]: 'Pier 3',
    });
    expect(nearMiss.safeParse(row).error).toBeUndefined();
    expect(row).toMatchObject({
      incident_id: 1,
      incident_title: 'Pier 3 excavation',
      incident_private: false,
      type: 'near_miss',
      recordable: false,
      summary: catalog.harm_sources[0].name,
      description: '<p>Something <b>fell</b></p>',
      description_plain_text: 'Something fell',
      affected_company: catalog.companies[0],
      managed_equipment: catalog.managed_equipment[0],
      affected_party: { id: catalog.parties[0].id, name: catalog.parties[0].name },
      affected_person: catalog.people[0],
      harm_source: catalog.harm_sources[0],
      work_activity: catalog.work_activities[0],
      incident_created_by: {
        id: 1,
        name: 'Maria Kovacs',
        login: 'maria.kovacs@northline.example',
      },
      created_by: { id: 1, name: 'Maria Kovacs', login: 'maria.kovacs@northline.example' },
      custom_fields: {
        [definition('Location')]: { data_type: 'string', value: 'Pier 3', typed_value: 'Pier 3' },
      },
      created_at: new Date(t.clock.now()).toISOString(),
      updated_at: new Date(t.clock.now()).toISOString(),
      deleted_at: null,
      attachments: [],
    });
    expect(row.harm_source).toHaveProperty('created_at');
    expect((await t.demo.get(`${list}/${row.id}`)).json).toEqual(row);
  });

  it('decisions §3.1: numbers count per incident, and the number of a recycled record is never reused (reference R-near-misses-6)', async () => {
    const [a, b] = [await newIncident('first'), await newIncident('second')];
    const inA = [await made({ incident_id: a.id }), await made({ incident_id: a.id })];
    const inB = await made({ incident_id: b.id });
    expect([...inA.map(({ number }) => number), inB.number]).toEqual([1, 2, 1]);
    expect(inA[1].full_number).toBe(`${a.number}-2`);
    await t.demo.delete(`${list}/${inA[1].id}`);
    expect((await made({ incident_id: a.id })).number).toBe(3);
  });

  it('decisions §3.1: fifty creations at once get fifty numbers without a gap', async () => {
    const incident = await newIncident('burst');
    const rows = await Promise.all(
      Array.from({ length: 50 }, () => made({ incident_id: incident.id })),
    );
    expect(rows.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('decisions §3.1: summary is "" without a harm source (reference R-near-misses-29)', async () => {
    expect((await made()).summary).toBe('');
  });
});

describe('decisions §3.2: rich text', () => {
  it('decisions §3.2: nothing that runs, loads or sends is kept', async () => {
    for (const [html, kept] of [
      ['<p onclick="x()">a</p>', '<p>a</p>'],
      ['<script>alert(1)</script>b', 'b'],
      ['<style>p{}</style>c', 'c'],
      ['<img src="https://x.example/p.png" onerror=x>d', 'd'],
      ['<iframe src="https://x.example"></iframe>e', 'e'],
      ['<form action="/x"><input name=y>f</form>', 'f'],
      ['<svg><script>1</script></svg>g', 'g'],
      ['<a href="javascript:alert(1)">h</a>', '<a rel="noopener noreferrer nofollow">h</a>'],
      ['<a href="http://127.1:37301/">h</a>', '<a rel="noopener noreferrer nofollow">h</a>'],
      ['<a href="https://nas.local/">h</a>', '<a rel="noopener noreferrer nofollow">h</a>'],
      [
        '<a href="https://a.example">i</a>',
        '<a href="https://a.example" rel="noopener noreferrer nofollow">i</a>',
      ],
      ['<math><mi xlink:href="data:x">j</mi></math>k', 'k'],
      ['<p style="background:url(https://x.example)">l</p>', '<p>l</p>'],
      ['5 < 6 & 7', '5 &lt; 6 &amp; 7'],
    ] as const)
      expect((await made({ description: html })).description, html).toBe(kept);
  });

  it('decisions §3.2: description_plain_text is derived from it (reference R-near-misses-8)', async () => {
    const row = await made({
      description: '<p>One &amp; two</p><ul><li>three</li><li>&lt;four&gt;</li></ul>a<br>b',
    });
    expect(row.description_plain_text).toBe('One & two\nthree\n<four>\n\na\nb');
  });

  it('decisions §3.2: 64 KiB are taken, one byte more is a 422', async () => {
    expect((await create({ description: 'a'.repeat(65_536) })).status).toBe(201);
    for (const description of ['a'.repeat(65_537), 'ä'.repeat(32_769)]) {
      const answer = await create({ description });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        ['near_miss.description'],
      ]);
    }
  });

  it('decisions §3.2: whatever is sent, no tag outside the list and no handler comes back', async () => {
    const piece = fc.constantFrom(
      '<script',
      '<img src=x onerror=y',
      '<p>',
      '</p>',
      '"',
      "'",
      '>',
      '<',
      'javascript:',
      '&#x6a;',
      'on',
      '=',
      '<a href=',
      '<!--',
      '-->',
      '<svg/onload=',
      '<math>',
      ' ',
      'x',
      '`',
      '/',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { description } = await made({ description: pieces.join('') });
        expect(description).not.toMatch(/<(?!\/?(p|a)[ >])/i);
        expect(description).not.toMatch(/<[^>]*\son\w+=/i);
        expect(description).not.toMatch(/<[^>]*href="?\s*javascript/i);
      }),
      { numRuns: 60 },
    );
  });
});

describe('decisions §3.3: foreign ids', () => {
  const fields = [
    ['affected_person_id', 'people', 'affected_person'],
    ['affected_party_id', 'parties', 'affected_party'],
    ['affected_company_id', 'companies', 'affected_company'],
    ['harm_source_id', 'harm_sources', 'harm_source'],
    ['work_activity_id', 'work_activities', 'work_activity'],
    ['managed_equipment_id', 'managed_equipment', 'managed_equipment'],
  ] as const;

  for (const [field, lookup, shown] of fields)
    it(`decisions §3.3: ${field} must exist in the company, and null clears it`, async () => {
      const theirs = (await t.other.get('~/catalog')).json[lookup][0].id;
      for (const id of [4711, theirs]) {
        const answer = await create({ [field]: id });
        expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
          422,
          [`near_miss.${field}`],
        ]);
      }
      const { id } = catalog[lookup][0];
      const row = await made({ [field]: id });
      expect(row[shown].id).toBe(id);
      const cleared = await t.demo.patch(`${list}/${row.id}`, { near_miss: { [field]: null } });
      expect(cleared.json[shown]).toBeNull();
    });

  it('decisions §3.3: incident_id must exist in the project', async () => {
    for (const incident_id of [4711, (await t.other.get('~/incidents')).json[0].id]) {
      const answer = await create({ incident_id });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        ['near_miss.incident_id'],
      ]);
    }
    const none = await t.demo.post(list, { near_miss: { description: 'x' } });
    expect(none.json).toEqual({ errors: { 'near_miss.incident_id': ['is required'] } });
  });

  it('decisions §3.3: a refused creation leaves nothing behind, not even a number', async () => {
    const incident = await newIncident('refused');
    const refused = await create({ incident_id: incident.id, harm_source_id: 4711 });
    const photo = await create({ incident_id: incident.id, upload_uuids: ['unknown'] });
    expect([refused.status, photo.status]).toEqual([422, 422]);
    expect(Object.keys(photo.json.errors)).toEqual(['near_miss.upload_uuids']);
    expect((await made({ incident_id: incident.id })).number).toBe(1);
  });
});

describe('decisions §3.4: update', () => {
  it('decisions §3.4: only what is sent changes; incident_id in the body changes nothing (reference R-near-misses-28)', async () => {
    const row = await made({
      description: 'as it was',
      harm_source_id: catalog.harm_sources[0].id,
      [definition('Location')]: 'Pier 3',
    });
    t.clock.advance(5000);
    const changed = await t.demo.patch(`${list}/${row.id}`, {
      near_miss: { incident_id: 2, [definition('Work stopped')]: 'true' },
    });
    expect(changed.status).toBe(200);
    expect(changed.json).toEqual({
      ...row,
      updated_at: new Date(t.clock.now()).toISOString(),
      custom_fields: {
        ...row.custom_fields,
        [definition('Work stopped')]: { data_type: 'boolean', value: 'true', typed_value: true },
      },
    });
  });

  it('decisions §3.4: an incident_id query that does not match is 404 on show, update, delete and restore (reference R-near-misses-26, R-recycle-bin-1, R-recycle-bin-6, R-recycle-bin-7)', async () => {
    const row = await made();
    const at = (incident: number) => `${list}/${row.id}?incident_id=${incident}`;
    const inBin = (incident: number, more = '') =>
      `${bin}/${row.id}${more}?incident_id=${incident}`;
    expect((await t.demo.get(at(2))).status).toBe(404);
    expect((await t.demo.patch(at(2), { near_miss: { description: 'x' } })).status).toBe(404);
    expect((await t.demo.delete(at(2))).status).toBe(404);
    expect((await t.demo.get(at(1))).status).toBe(200);
    expect((await t.demo.delete(at(1))).status).toBe(204);
    expect((await t.demo.get(inBin(2))).status).toBe(404);
    expect((await t.demo.ask('PATCH', inBin(2, '/restore'))).status).toBe(404);
    expect((await t.demo.get(inBin(1))).status).toBe(200);
    expect((await t.demo.ask('PATCH', inBin(1, '/restore'))).status).toBe(200);
  });

  it('decisions §3.4: the incident_id query scopes the list and the bin', async () => {
    const incident = await newIncident('scoped');
    const [a, b] = [
      await made({ incident_id: incident.id }),
      await made({ incident_id: incident.id }),
    ];
    await t.demo.delete(`${list}/${b.id}`);
    const idsOf = async (path: string) =>
      (await t.demo.get(`${path}?incident_id=${incident.id}`)).json.map(
        ({ id }: { id: number }) => id,
      );
    expect([await idsOf(list), await idsOf(bin)]).toEqual([[a.id], [b.id]]);
  });
});

describe('decisions §1.7: an update that changes nothing', () => {
  it('decisions §1.7: what is sent as it was moves neither updated_at nor the ETag, and nobody is told', async () => {
    const made = await t.demo.post(list, {
      near_miss: { incident_id: 1, description: 'the same', harm_source_id: 1 },
    });
    const one = `${list}/${made.json.id}`;
    const events = async () =>
      Number((await t.database.query('select count(*) as n from events'))[0]?.['n']);
    const before = await events();
    t.clock.advance(5000);
    const again = await t.demo.patch(one, {
      near_miss: { description: 'the same', harm_source_id: 1, work_activity_id: null },
    });
    expect(again.status).toBe(200);
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(again.json.updated_at).toBe(made.json.updated_at);
    expect(await events()).toBe(before);
    const other = await t.demo.patch(one, { near_miss: { description: 'not the same' } });
    expect(other.headers.get('etag')).not.toBe(made.headers.get('etag'));
    expect(await events()).toBe(before + 1);
  });
});

describe('decisions §3.5: recycle bin', () => {
  it('decisions §3.5: a recycled record is only in the bin; restoring brings it back as it was (reference R-recycle-bin-1, R-recycle-bin-6, R-recycle-bin-7)', async () => {
    const row = await made({ description: 'keep me', [definition('Location')]: 'Gate 2' });
    const one = `${list}/${row.id}`;
    t.clock.advance(1000);
    expect((await t.demo.delete(one)).status).toBe(204);
    expect((await t.demo.get(one)).status).toBe(404);
    expect((await t.demo.patch(one, { near_miss: {} })).status).toBe(404);
    expect((await t.demo.delete(one)).status).toBe(404);
    const all = await t.demo.get(`${list}?per_page=10000`);
    expect(all.json.map(({ id }: { id: number }) => id)).not.toContain(row.id);
    const recycled = await t.demo.get(`${bin}/${row.id}`);
    expect(recycled.json).toEqual({
      ...row,
      deleted_at: new Date(t.clock.now()).toISOString(),
      updated_at: new Date(t.clock.now()).toISOString(),
    });
    const found = await t.demo.get(`${bin}?filters[query]=KEEP%20ME&sort=-number`);
    expect(found.json).toEqual([recycled.json]);
    t.clock.advance(1000);
    const restored = await t.demo.ask('PATCH', `${bin}/${row.id}/restore`);
    expect(restored.json).toEqual({ ...row, updated_at: new Date(t.clock.now()).toISOString() });
    expect((await t.demo.get(`${bin}/${row.id}`)).status).toBe(404);
  });

  it('decisions §3.5: restoring an active record is 404', async () => {
    const row = await made();
    expect((await t.demo.ask('PATCH', `${bin}/${row.id}/restore`)).status).toBe(404);
    expect((await t.demo.ask('PATCH', `${bin}/4711/restore`)).status).toBe(404);
  });

  it('failures S26: deletes, restores and updates at once are serialised, and counts stay right', async () => {
    const row = await made({ description: 'race' });
    const count = async () =>
      Number((await t.demo.get(list)).headers.get('total')) +
      Number((await t.demo.get(bin)).headers.get('total'));
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 99 }, (_, index) =>
        index % 3 === 0
          ? t.demo.delete(`${list}/${row.id}`)
          : index % 3 === 1
            ? t.demo.ask('PATCH', `${bin}/${row.id}/restore`)
            : t.demo.patch(`${list}/${row.id}`, { near_miss: { description: `race ${index}` } }),
      ),
    );
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    const deleted = answers.filter(({ status }) => status === 204).length;
    const restored = answers.filter(
      ({ status }, index) => index % 3 === 1 && status === 200,
    ).length;
    const active = (await t.demo.get(`${list}/${row.id}`)).status === 200;
    expect(deleted - restored).toBe(active ? 0 : 1);
    expect(await count()).toBe(before);
  });
});

describe('decisions §9.4: what happened is written with the change', () => {
  it('decisions §9.4, §9.2: create, update, delete and restore each leave one event; a refusal leaves none', async () => {
    const row = await made({ description: 'events' });
    const one = `${list}/${row.id}`;
    await t.demo.patch(one, { near_miss: { description: 'more' } });
    await t.demo.patch(one, { near_miss: { harm_source_id: 4711 } });
    await t.demo.patch(one, { near_miss: {} });
    await t.demo.delete(one);
    await t.demo.ask('PATCH', `${bin}/${row.id}/restore`);
    const events = await t.service.app.store.read
      .selectFrom('events')
      .select(['event_type', 'resource_name', 'user_id', 'project_id'])
      .where('resource_id', '=', row.id)
      .where('resource_name', '=', 'Near Misses')
      .orderBy('id')
      .execute();
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'create',
      'update',
      'delete',
      'update',
    ]);
    expect(events[0]).toMatchObject({ user_id: 1, project_id: 1 });
  });
});

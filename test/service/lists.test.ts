/** Lists: paging headers, sorts and filters (reference: Pagination; decisions §2), failures S18. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearMissSortFields } from '../../src/contract/rest/near-misses.ts';
import { anyCharacter } from '../support/any-character.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bin, list, recordsOf } from './near-miss-records.ts';
import { slow } from '../support/slow.ts';

let t: TestService;

/** A separate project for this test: the second company's, with the ids of its catalog. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;
let incident = 0;

const { made } = recordsOf(
  () => t.other,
  () => incident,
);
const create = async (fields: Readonly<Record<string, unknown>>): Promise<number> =>
  (await made(fields)).id as number;
const ids = async (query: string): Promise<number[]> => {
  const answer = await t.other.get(`${list}?incident_id=${incident}&per_page=1000&${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { id: number }[]).map(({ id }) => id);
};

beforeAll(async () => {
  t = await startTestService();
  catalog = (await t.other.get('~/catalog')).json;
  incident = (await t.other.post('~/incidents', { incident: { title: 'Ärger am Gerüst' } })).json
    .id;
});
afterAll(() => t.stop());

describe('decisions §2.1: page and per_page', () => {
  it('decisions §2.1: per_page defaults to 100, page to 1', async () => {
    const answer = await t.demo.get(list);
    expect(answer.json).toHaveLength(100);
    expect(answer.headers.get('per-page')).toBe('100');
    expect(answer.headers.get('total')).toBe('250');
  });

  it('decisions §2.1: 1 and 10000 are taken', async () => {
    expect((await t.demo.get(`${list}?per_page=1`)).json).toHaveLength(1);
    expect((await t.demo.get(`${list}?per_page=10000`)).json).toHaveLength(250);
  });

  for (const name of ['page', 'per_page'])
    for (const value of [
      '0',
      '-1',
      'abc',
      '',
      '1.5',
      '01',
      '1e9',
      '99999999999999999999',
      '1&NAME=2',
      '%00',
    ])
      it(`decisions §2.1, failures S18: ${name}=${value} is a 422 on ${name}`, async () => {
        const answer = await t.demo.get(`${list}?${name}=${value.replace('NAME', name)}`);
        expect(answer.status).toBe(422);
        expect(Object.keys(answer.json.errors)).toEqual([name]);
      });

  it('decisions §2.1: per_page 10001 is a 422 on per_page', async () => {
    const answer = await t.demo.get(`${list}?per_page=10001`);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['per_page']]);
  });
});

describe('decisions §2.2: headers', () => {
  const relations = async (query: string) => {
    const link = (await t.demo.get(`${list}?${query}`)).headers.get('link') ?? '';
    return [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => ({ url, rel }));
  };
  const names = async (query: string) => (await relations(query)).map(({ rel }) => rel);

  it('decisions §2.2: each page’s set of links, to the letter (reference R-near-misses-12, R-pagination-3, R-pagination-4, R-pagination-5)', async () => {
    expect(await names('per_page=50')).toEqual(['next', 'last']);
    expect(await names('per_page=50&page=2')).toEqual(['first', 'next', 'last']);
    expect(await names('per_page=50&page=3')).toEqual(['first', 'prev', 'next', 'last']);
    expect(await names('per_page=50&page=4')).toEqual(['first', 'prev', 'next', 'last']);
  });

  it('decisions §2.2: the last page has no next and keeps the rest of its set', async () => {
    expect(await names('per_page=50&page=5')).toEqual(['first', 'prev', 'last']);
    expect(await names('per_page=125&page=2')).toEqual(['first', 'last']);
  });

  it('decisions §2.2: a very long query leaves out links, so that the headers stay readable; next goes last', async () => {
    const { harm_sources } = (await t.demo.get('~/catalog')).json as {
      harm_sources: { id: number }[];
    };
    const known = harm_sources.map(({ id }) => id);
    const asked = async (ids: number, page: number) => {
      const unknown = Array.from({ length: ids - known.length }, (_, at) => 10_000_000 + at);
      const filter = `filters[harm_source_id]=${[...known, ...unknown].join(',')}`;
      const answer = await t.demo.get(`${list}?${filter}&per_page=2&page=${page}`);
      const link = answer.headers.get('link');
      return [answer.status, [...(link ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)];
    };
    expect(await asked(100, 3)).toEqual([200, ['first', 'prev', 'next', 'last']]);
    expect(await asked(250, 3)).toEqual([200, ['first', 'next', 'last']]);
    expect(await asked(500, 3)).toEqual([200, ['next']]);
    expect(await asked(1000, 3)).toEqual([200, []]);
  });

  it('decisions §2.2: no Link when everything fits on one page', async () => {
    const answer = await t.demo.get(`${list}?per_page=250`);
    expect(answer.headers.get('link')).toBeNull();
    expect(answer.headers.get('total')).toBe('250');
  });

  it('decisions §2.2: links are absolute, keep every other parameter, and lead to their page', async () => {
    const links = await relations('sort=-number&page=2&per_page=20&filters[query]=a%26b%20c&x=1');
    expect(links).toEqual([]);
    const found = await relations('sort=-number&page=2&per_page=20&filters[query]=pier&x=%C3%A4');
    const path = `/rest/v1.0/projects/${t.demo.project_id}/incidents/near_misses`;
    expect(found.find(({ rel }) => rel === 'next')?.url).toBe(
      `${t.url}${path}?sort=-number&per_page=20&filters[query]=pier&x=%C3%A4&page=3`,
    );
    const last = found.find(({ rel }) => rel === 'last')?.url ?? '';
    const answer = await t.demo.get(last.slice(t.url.length));
    const total = Number(answer.headers.get('total'));
    expect(answer.json).toHaveLength(total % 20 === 0 ? 20 : total % 20);
  });

  it('decisions §2.2: a page past the end is an empty array with the same headers', async () => {
    const answer = await t.demo.get(`${list}?per_page=50&page=99`);
    expect([answer.status, answer.json]).toEqual([200, []]);
    expect(answer.headers.get('total')).toBe('250');
    expect(answer.headers.get('per-page')).toBe('50');
    expect(await names('per_page=50&page=99')).toEqual(['first', 'prev', 'last']);
  });

  it('decisions §2.2: walking next visits every record once', async () => {
    const seen: number[] = [];
    let next: string | undefined =
      `${t.url}/rest/v1.0/projects/1/incidents/near_misses?per_page=40`;
    while (next !== undefined) {
      const answer = await t.demo.get(next.slice(t.url.length));
      seen.push(...(answer.json as { id: number }[]).map(({ id }) => id));
      next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect([seen.length, new Set(seen).size]).toEqual([250, 250]);
  });

  it('decisions §2.2: the recycle bin answers Per-Page and Total only (reference R-recycle-bin-5)', async () => {
    for (const { id } of (await t.demo.get(`${list}?per_page=3`)).json)
      expect((await t.demo.delete(`${list}/${id}`)).status).toBe(204);
    const answer = await t.demo.get(`${bin}?per_page=2`);
    expect(answer.json).toHaveLength(2);
    expect(answer.headers.get('per-page')).toBe('2');
    expect(answer.headers.get('total')).toBe('9'); // six were in it
    expect(answer.headers.get('link')).toBeNull();
  });
});

describe('decisions §2.3: sorts', () => {
  it('decisions §2.3: default is created_at descending, then id descending', async () => {
    const a = await create({});
    const b = await create({});
    t.clock.advance(1000);
    const c = await create({});
    expect((await ids('')).slice(0, 3)).toEqual([c, b, a]);
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const valueOf: Record<string, (row: any) => string | number | null> = {
    affected_company: (row) => row.affected_company?.name.toLowerCase() ?? null,
    affected_person: (row) => row.affected_person?.name.toLowerCase() ?? null,
    created_at: (row) => row.created_at,
    managed_equipment: (row) => row.managed_equipment?.name.toLowerCase() ?? null,
    full_number: (row) => {
      const [first, second] = row.full_number.split('-').map(Number);
      return first * 1e6 + second;
    },
    harm_source: (row) => row.harm_source?.name.toLowerCase() ?? null,
    number: (row) => row.number,
    work_activity: (row) => row.work_activity?.name.toLowerCase() ?? null,
  };

  for (const field of nearMissSortFields)
    for (const sign of ['', '-'])
      it(`decisions §2.3: sort=${sign}${field}, ties by id, nulls last`, async () => {
        const answer = await t.demo.get(`${list}?per_page=1000&sort=${sign}${field}`);
        const value = valueOf[field] ?? (() => null);
        const expected = [...answer.json].sort((a, b) => {
          const [x, y] = [value(a), value(b)];
          if (x === y) return a.id - b.id;
          if (x === null) return 1;
          if (y === null) return -1;
          return (x < y ? -1 : 1) * (sign === '-' ? -1 : 1);
        });
        expect(answer.json.map(({ id }: { id: number }) => id)).toEqual(
          expected.map(({ id }: { id: number }) => id),
        );
      });

  it('decisions §2.3: an unknown field is a 422 on sort', async () => {
    for (const sort of ['nothing', '', '--number', 'id', 'created_at,number'])
      expect((await t.demo.get(`${list}?sort=${sort}`)).json.errors, sort).toHaveProperty('sort');
  });
});

describe('decisions §2.4: filters', () => {
  it('decisions §2.4: arrays in all three spellings, combined with AND', async () => {
    const [h1, h2] = catalog.harm_sources;
    const [w1] = catalog.work_activities;
    const a = await create({ harm_source_id: h1.id, work_activity_id: w1.id });
    const b = await create({ harm_source_id: h2.id });
    await create({});
    for (const query of [
      `filters[harm_source_id][]=${h1.id}&filters[harm_source_id][]=${h2.id}`,
      `filters[harm_source_id]=${h1.id},${h2.id}`,
      `filters[harm_source_id]=${h1.id}&filters[harm_source_id]=${h2.id}`,
      `filters%5Bharm_source_id%5D%5B%5D=${h1.id}&filters%5Bharm_source_id%5D%5B%5D=${h2.id}`,
    ])
      expect((await ids(query)).sort(), query).toEqual([a, b]);
    expect(
      await ids(`filters[harm_source_id]=${h1.id},${h2.id}&filters[work_activity_id]=${w1.id}`),
    ).toEqual([a]);
  });

  it('decisions §2.4: every id filter matches its own field only', async () => {
    const fields = {
      affected_company_id: catalog.companies[0].id,
      affected_party_id: catalog.parties[0].id,
      affected_person_id: catalog.people[0].id,
      managed_equipment_id: catalog.managed_equipment[0].id,
    };
    for (const [field, id] of Object.entries(fields)) {
      const made = await create({ [field]: id });
      expect(await ids(`filters[${field}]=${id}`), field).toEqual([made]);
    }
  });

  it('decisions §2.4: created_at includes both ends; a date alone is that whole UTC day; a side may be open', async () => {
    t.clock.set(Date.UTC(2026, 5, 10, 0, 0, 0));
    const first = await create({});
    t.clock.set(Date.UTC(2026, 5, 10, 23, 59, 59, 999));
    const last = await create({});
    t.clock.set(Date.UTC(2026, 5, 11, 0, 0, 0));
    const next = await create({});
    const range = (text: string) => ids(`filters[created_at]=${encodeURIComponent(text)}`);
    expect(await range('2026-06-10...2026-06-10')).toEqual([last, first]);
    expect(await range('2026-06-10T00:00:00Z...2026-06-10T00:00:00Z')).toEqual([first]);
    expect(await range('2026-06-10T23:59:59Z...2026-06-11T00:00:00Z')).toEqual([next, last]);
    expect(await range('2026-06-10T01:59:59+02:00...2026-06-10T02:00:00+02:00')).toEqual([first]);
    expect(await range('2026-06-10...')).toEqual([next, last, first]);
    expect(await range('2026-06-10...2026-06-11')).toEqual([next, last, first]);
    expect((await range('...2026-06-10')).slice(0, 2)).toEqual([last, first]);
  });

  it('decisions §2.4: any other created_at is a 422 on its name', async () => {
    for (const value of [
      '',
      '...',
      'x...y',
      '2026-02-30...',
      '2026-06-11...2026-06-10',
      '2026-06-10',
      '2026-06-10..2026-06-11',
      '2026-06-10T25:00:00Z...',
    ]) {
      const answer = await t.other.get(`${list}?filters[created_at]=${value}`);
      expect([answer.status, Object.keys(answer.json.errors)], value).toEqual([
        422,
        ['filters.created_at'],
      ]);
    }
  });

  it('decisions §2.4: query finds title, description, numbers and every name, without regard to case', async () => {
    const made = await create({
      description: '<p>Der <b>Größte</b> Stein ΟΔΥΣΣΕΥΣ Ünfall</p>',
      affected_company_id: catalog.companies[1].id,
      affected_party_id: catalog.parties[1].id,
      affected_person_id: catalog.people[1].id,
      managed_equipment_id: catalog.managed_equipment[1].id,
      work_activity_id: catalog.work_activities[1].id,
      harm_source_id: catalog.harm_sources[2].id,
    });
    const { full_number, number } = (await t.other.get(`${list}/${made}`)).json;
    for (const text of [
      'ÄRGER AM',
      'grösste',
      'GRÖSSTE',
      'größte stein',
      'οδυσσευς',
      'ünfall',
      'ÜNFALL',
      String(number),
      full_number,
      catalog.companies[1].name.toUpperCase(),
      catalog.parties[1].name.toLowerCase(),
      catalog.people[1].name.slice(1, 6),
      catalog.managed_equipment[1].name,
      catalog.work_activities[1].name,
      catalog.harm_sources[2].name,
    ])
      expect(await ids(`filters[query]=${encodeURIComponent(text)}`), text).toContain(made);
    expect(await ids('filters[query]=nowhere%20to%20be%20found')).toEqual([]);
    expect(await ids('filters[query]=stein%20%20ünfall')).not.toContain(made);
  });

  it('decisions §2.4: an update moves what query finds', async () => {
    const made = await create({ description: 'before' });
    await t.other.patch(`${list}/${made}`, { near_miss: { description: 'afterwards' } });
    expect(await ids('filters[query]=AFTERWARDS')).toEqual([made]);
    expect(await ids('filters[query]=before')).toEqual([]);
  });

  it('decisions §2.4, failures S18: LIKE wildcards are letters like any other', async () => {
    const percent = await create({ description: '100% sure' });
    const under = await create({ description: 'snake_case' });
    const back = await create({ description: String.raw`back\slash` });
    const find = (text: string) => ids(`filters[query]=${encodeURIComponent(text)}`);
    expect(await find('%')).toEqual([percent]);
    expect(await find('0% s')).toEqual([percent]);
    expect(await find('_')).toEqual([under]);
    expect(await find('\\')).toEqual([back]);
    expect(await find(String.raw`k\%`)).toEqual([]);
  });

  it('decisions §2.4: an unknown filter is a 422 on its name', async () => {
    for (const [query, name] of [
      ['filters[nothing]=1', 'filters.nothing'],
      ['filters[harm_source_id]=x', 'filters.harm_source_id'],
      ['filters[harm_source_id]=1,,2', 'filters.harm_source_id'],
      ['filters[harm_source_id][a]=1', 'filters.harm_source_id'],
      ['filters[managed_equipment_id]=1,2', 'filters.managed_equipment_id'],
      ['filters[__proto__]=1', 'filters.__proto__'],
      ['filters=1', 'filters'],
      ['filters[]=1', 'filters'],
      [`filters[query]=${'x'.repeat(501)}`, 'filters.query'],
    ]) {
      const answer = await t.other.get(`${list}?${query}`);
      expect([answer.status, Object.keys(answer.json.errors)], query).toEqual([422, [name]]);
    }
  });

  it('failures S18: 100,000 ids are refused, not run', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => index + 1).join(',');
    const answer = await t.demo.get(`${list}?filters[harm_source_id]=${many}`);
    expect(answer.status).toBe(422);
    const line = await fetch(`${t.url}/rest/v1.0/me?x=${'1,'.repeat(100_000)}`);
    expect(line.status).toBe(431);
  });

  slow('failures S18: no query string makes a 5xx', async () => {
    const name = fc.constantFrom(
      'page',
      'per_page',
      'sort',
      'incident_id',
      'filters',
      'filters[query]',
      'filters[created_at]',
      'filters[harm_source_id][]',
      'filters[harm_source_id]',
      'filters[x][y]',
      '__proto__',
      'x',
    );
    const pair = fc.tuple(
      name,
      fc.oneof(fc.string({ unit: anyCharacter, maxLength: 30 }), fc.integer()),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 6 }), async (pairs) => {
        const query = pairs
          .map(([key, value]) => `${key}=${encodeURIComponent(String(value).toWellFormed())}`)
          .join('&');
        const { status } = await t.demo.get(`${list}?${query}`);
        expect([200, 422]).toContain(status);
      }),
      { numRuns: 150 },
    );
  });
});

/**
 * The list of near misses and the recycle bin accept the same filters and sorts (reference: Near misses, Near miss recycle
 * bin): every case runs on both.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';

const list = '~/incidents/near_misses';
const bin = '~/recycle_bin/incidents/near_misses';

interface Row {
  readonly id: number;
  readonly number: number;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

let t: TestService;
let incident: number;
/** The same three records twice: active and recycled. The nth references the nth value of every lookup. */
let active: number[];
let recycled: number[];
let lookups: Record<string, { id: number; name: string }[]>;

const idFields = {
  affected_company_id: 'companies',
  affected_party_id: 'parties',
  affected_person_id: 'people',
  harm_source_id: 'harm_sources',
  work_activity_id: 'work_activities',
} as const;

const idOf = (lookup: string, index: number): number => lookups[lookup]?.[index]?.id ?? 0;

const make = async (index: number): Promise<number> => {
  t.clock.set(Date.UTC(2026, 4, 10 + index, 12, 30, 15));
  const near_miss = {
    incident_id: incident,
    description: `<p>Load ${'abc'[index]} slipped</p>`,
    managed_equipment_id: idOf('managed_equipment', index),
    ...Object.fromEntries(
      Object.entries(idFields).map(([field, lookup]) => [field, idOf(lookup, index)]),
    ),
  };
  const answer = await t.demo.post(list, { near_miss });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id as number;
};

beforeAll(async () => {
  t = await startTestService();
  lookups = (await t.demo.get('~/catalog')).json;
  incident = (await t.demo.post('~/incidents', { incident: { title: 'Hoist' } })).json.id;
  // Created in pairs, because the service's clock never goes back.
  [active, recycled] = [[], []];
  for (const index of [0, 1, 2]) {
    active.push(await make(index));
    recycled.push(await make(index));
  }
  for (const id of recycled) expect((await t.demo.delete(`${list}/${id}`)).status).toBe(204);
});
afterAll(() => t.stop());

const rowsOf = async (path: string, query: string): Promise<Row[]> => {
  const answer = await t.demo.get(`${path}?incident_id=${incident}&${query}`);
  expect(answer.status, `${query}: ${answer.text}`).toBe(200);
  return answer.json as Row[];
};
/** Indexes of the matching records, oldest first, which list and bin must agree on. */
const which = async (query: string): Promise<number[]> => {
  const found: number[][] = [];
  for (const [path, ids] of [
    [list, active],
    [bin, recycled],
  ] as const)
    found.push((await rowsOf(path, query)).map(({ id }) => ids.indexOf(id)).sort());
  expect(found[1], query).toEqual(found[0]);
  return found[0] ?? [];
};

describe('reference, Near misses: filters', () => {
  const several = async (field: keyof typeof idFields): Promise<void> => {
    const [a, b, c] = [0, 1, 2].map((index) => idOf(idFields[field], index));
    expect(await which(`filters[${field}]=${b}`)).toEqual([1]);
    expect(await which(`filters[${field}][]=${a}&filters[${field}][]=${c}`)).toEqual([0, 2]);
    expect(await which(`filters[${field}]=${a},${b},${c}`)).toEqual([0, 1, 2]);
    expect(await which(`filters[${field}]=4711`)).toEqual([]);
    for (const path of [list, bin])
      for (const bad of ['x', '1.5', ''])
        expect((await t.demo.get(`${path}?filters[${field}]=${bad}`)).status).toBe(422);
  };

  it('reference: filters[affected_company_id] is a list of ids, in the list and the bin (reference R-near-misses-15, R-recycle-bin-3)', async () => {
    await several('affected_company_id');
  });

  it('reference: filters[affected_party_id] is a list of ids, in the list and the bin (reference R-near-misses-16, R-recycle-bin-3)', async () => {
    await several('affected_party_id');
  });

  it('reference: filters[affected_person_id] is a list of ids, in the list and the bin (reference R-near-misses-17, R-recycle-bin-3)', async () => {
    await several('affected_person_id');
  });

  it('reference: filters[harm_source_id] is a list of ids, in the list and the bin (reference R-near-misses-18, R-recycle-bin-3)', async () => {
    await several('harm_source_id');
  });

  it('reference: filters[work_activity_id] is a list of ids, in the list and the bin (reference R-near-misses-19, R-recycle-bin-3)', async () => {
    await several('work_activity_id');
  });

  it('reference: filters[managed_equipment_id] is one id, in the list and the bin (reference R-near-misses-20, R-recycle-bin-3)', async () => {
    const [a, b] = [idOf('managed_equipment', 0), idOf('managed_equipment', 1)];
    expect(await which(`filters[managed_equipment_id]=${b}`)).toEqual([1]);
    for (const path of [list, bin])
      expect((await t.demo.get(`${path}?filters[managed_equipment_id]=${a},${b}`)).status).toBe(
        422,
      );
  });

  it('reference: filters[created_at] takes dates, UTC times and times with an offset on either side, in the list and the bin (reference R-near-misses-14, R-recycle-bin-3)', async () => {
    // The records are of 10, 11 and 12 May, 12:30:15 UTC.
    for (const [range, expected] of [
      ['2026-05-10...2026-05-11', [0, 1]],
      ['2026-05-11T12:30:15Z...2026-05-11T12:30:15Z', [1]],
      ['2026-05-11T12:30:16Z...2026-05-12', [2]],
      ['2026-05-11T14:30:15+02:00...2026-05-11T12:30:15Z', [1]],
      ['2026-05-11T14:30:16+02:00...2026-05-12T14:30:14+02:00', []],
      ['2026-05-10...2026-05-12T12:30:14Z', [0, 1]],
    ] as const)
      // Both encoded and as the reference writes it: in a query a bare + decodes to a space.
      for (const sent of [encodeURIComponent(range), range])
        expect(await which(`filters[created_at]=${sent}`), sent).toEqual(expected);
  });

  it('reference: filters[query] finds what contains the text, in the list and the bin (reference R-near-misses-21, R-recycle-bin-3)', async () => {
    expect(await which('filters[query]=Load%20b')).toEqual([1]);
    expect(await which('filters[query]=slipped')).toEqual([0, 1, 2]);
    expect(await which('filters[query]=nothing%20of%20it')).toEqual([]);
  });
});

describe('reference, Near misses: incident, sort, pages', () => {
  it('reference: incident_id limits the list and the bin to one incident (reference R-near-misses-13, R-recycle-bin-2)', async () => {
    const other = (await t.demo.post('~/incidents', { incident: { title: 'Other' } })).json.id;
    for (const [path, ids] of [
      [list, active],
      [bin, recycled],
    ] as const) {
      const rows = await rowsOf(path, '');
      expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect((await t.demo.get(`${path}?incident_id=${other}`)).json).toEqual([]);
      const every = (await t.demo.get(`${path}?per_page=10000`)).json as Row[];
      expect(every.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    }
    // Without an incident filter the list has other records too; a recycled record is only in the bin.
    const everything = (await t.demo.get(`${list}?per_page=10000`)).json as Row[];
    expect(everything.length).toBeGreaterThan(active.length);
    expect(everything.filter(({ id }) => recycled.includes(id))).toEqual([]);
  });

  it.each([
    'affected_company',
    'affected_person',
    'created_at',
    'managed_equipment',
    'full_number',
    'harm_source',
    'number',
    'work_activity',
  ])(
    'reference: sort=%s orders the list and the bin, and a dash turns it round (reference R-near-misses-22, R-recycle-bin-4)',
    async (field) => {
      const key = (row: Row): string | number => {
        const value = row[field];
        if (field === 'full_number') return row.number;
        if (typeof value === 'object' && value !== null)
          return (value as { name: string }).name.toLowerCase();
        return value as string | number;
      };
      for (const path of [list, bin])
        for (const sign of ['', '-']) {
          const rows = await rowsOf(path, `sort=${sign}${field}`);
          const keys = rows.map(key);
          expect(new Set(keys).size).toBe(3);
          const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1));
          expect(keys).toEqual(sign === '-' ? sorted.reverse() : sorted);
        }
    },
  );

  it('reference: an unknown sort is a 422 in the list and the bin (reference R-near-misses-22, R-recycle-bin-4)', async () => {
    for (const path of [list, bin])
      expect((await t.demo.get(`${path}?sort=summary`)).json.errors).toHaveProperty('sort');
  });

  it('reference: the bin is paged by page and per_page, and says Per-Page and Total (reference R-recycle-bin-4, R-recycle-bin-5)', async () => {
    const second = await t.demo.get(`${bin}?incident_id=${incident}&sort=number&per_page=2&page=2`);
    expect(second.json.map(({ id }: Row) => id)).toEqual([recycled[2]]);
    expect([second.headers.get('per-page'), second.headers.get('total')]).toEqual(['2', '3']);
  });
});

describe('reference, Near miss recycle bin: for good', () => {
  it('reference: nothing removes a recycled record for good, neither a request nor time (reference R-recycle-bin-8)', async () => {
    const [id] = recycled;
    for (const path of [bin, `${bin}/${id}`])
      expect((await t.demo.ask('DELETE', path)).status).toBe(405);
    t.clock.advance(10 * 365 * 86_400_000);
    await t.restart();
    expect((await t.demo.get(`${bin}/${id}`)).json).toMatchObject({ id });
    expect((await t.demo.ask('PATCH', `${bin}/${id}/restore`)).status).toBe(200);
    expect((await t.demo.delete(`${list}/${id}`)).status).toBe(204);
  });
});

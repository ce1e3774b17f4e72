/**
 * Query plans of the lists. Every list of near misses, with every sort and filter, is requested over HTTP on 2,000 records, and
 * the database explains each statement it ran. Only the page itself may scan the records; above it nothing reads more rows than
 * the page holds. The responses equal those of a plain computation.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompiledQuery } from 'kysely';
import { nearMissSortFields } from '../../src/contract/rest/near-misses.ts';
import { sortKey } from '../../src/contract/text/fold.ts';
import { onPostgres } from '../support/database.ts';
import { explain, type Plan } from '../support/plans.ts';
import { seedNearMisses } from '../support/seed.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bin, list } from './near-miss-records.ts';

const COUNT = 2000;

let t: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let offered: any;

interface Shown {
  readonly id: number;
  readonly number: number;
  readonly full_number: string;
  readonly created_at: string;
  readonly harm_source: { readonly id: number; readonly name: string } | null;
}

/** Sort key: names case-insensitively, `full_number` by both numbers. */
const keyOf = (one: Shown, field: string): readonly (string | number)[] | null => {
  if (field === 'number') return [one.number];
  if (field === 'full_number') return one.full_number.split('-').map(Number);
  if (field === 'created_at') return [one.created_at];
  const named = one[field as 'harm_source'];
  return named ? [sortKey(named.name)] : null;
};

const compare = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
};

const sortByHand = (all: readonly Shown[], sort: string): readonly Shown[] => {
  const [, minus, field] = /^sort=(-?)(\w+)$/.exec(sort) ?? [];
  if (field === undefined) return all;
  return [...all].sort((a, b) => {
    const [left, right] = [keyOf(a, field), keyOf(b, field)];
    if (!left || !right) return Number(!left) - Number(!right) || a.id - b.id;
    return (minus === '-' ? -1 : 1) * compare(left, right) || a.id - b.id;
  });
};

const QUERY = 'filters[query]';

/** Each filter and the index that must serve it; SQLite goes from the trigrams to the records by primary key. */
const filters: Readonly<Record<string, readonly [value: () => unknown, index: RegExp]>> = {
  ...Object.fromEntries(
    Object.entries({
      harm_source_id: 'harm_sources',
      work_activity_id: 'work_activities',
      affected_company_id: 'companies',
      affected_party_id: 'parties',
      affected_person_id: 'people',
      managed_equipment_id: 'managed_equipment',
    }).map(([column, from]) => [
      `filters[${column}]`,
      [() => offered[from][0].id, new RegExp(`near_misses_by_${column}`)] as const,
    ]),
  ),
  incident_id: [() => offered.incidents[0].id, /near_misses_(by_incident_id|number)/],
  'filters[created_at]': [() => '2025-01-01...2025-03-31', /near_misses_active/],
  [QUERY]: [() => 'record 777.', onPostgres ? /near_misses_search/ : /\(company_id=\? AND id=\?\)/],
};

/** Orders with an index: finding a page must not sort all rows. */
const served = {
  list: /^$|created_at|number/,
  bin: /^$|created_at/,
} as const;

beforeAll(async () => {
  t = await startTestService();
  await seedNearMisses(t.service.app.store, t.demo, COUNT);
  // PostgreSQL does this itself from time to time; until then new entries of its trigram index are pending.
  await t.database.query(onPostgres ? 'vacuum analyze' : 'analyze');
  offered = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

const statementsOf = async (work: () => Promise<unknown>): Promise<readonly CompiledQuery[]> => {
  const spied = vi.spyOn(t.service.app.store.read.getExecutor(), 'executeQuery');
  try {
    await work();
    return spied.mock.calls.map(([query]) => query);
  } finally {
    spied.mockRestore();
  }
};

const SIZE = 20;

/** The plan of a list's page. Every list runs exactly one statement with a page. */
const planOf = async (path: string, by = t.demo): Promise<Plan> => {
  const statements = await statementsOf(async () => {
    const answer = await by.get(path);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.length, path).toBeGreaterThan(0);
  });
  const pages = statements.filter(
    (one) => one.sql.includes('limit') && one.sql.includes('"near_misses"'),
  );
  expect(pages, path).toHaveLength(1);
  return explain(t.service.app.store.read, pages[0] as CompiledQuery, SIZE);
};

const sorts = nearMissSortFields.flatMap((field) => [`sort=${field}`, `sort=-${field}`]);

describe('the page is found first, and nothing above it reads more records than it holds', () => {
  for (const base of [list, bin])
    for (const sort of ['', ...sorts])
      it(`${base === bin ? 'recycle bin' : 'list'}, ${sort === '' ? 'newest first' : sort}`, async () => {
        const plan = await planOf(`${base}?per_page=${SIZE}&page=2&${sort}`);
        expect(plan.above, plan.text).toEqual([]);
        if (served[base === bin ? 'bin' : 'list'].test(sort))
          expect(plan.sorts, plan.text).toEqual([]);
      });

  for (const [filter, [value, index]] of Object.entries(filters))
    it(`filtered by ${filter}: found in its index, and counted there`, async () => {
      const plan = await planOf(`${list}?per_page=${SIZE}&${filter}=${value()}`);
      expect(plan.above, plan.text).toEqual([]);
      for (const line of plan.page) expect(line, plan.text).toMatch(index);
      if (filter !== QUERY) expect(plan.sorts, plan.text).toEqual([]);
    });

  it('decisions §12.2: the list of a reporter is found and counted in the index of authors', async () => {
    const plan = await planOf(`${list}?per_page=5`, t.as('reporter'));
    expect(plan.above, plan.text).toEqual([]);
    for (const line of plan.page) expect(line, plan.text).toMatch(/near_misses_by_author/);
    expect(plan.sorts, plan.text).toEqual([]);
  });

  it('several filters: one look finds the page and how many there are', async () => {
    const source = offered.harm_sources[0].id;
    const plan = await planOf(
      `${list}?per_page=${SIZE}&filters[harm_source_id]=${source}&${QUERY}=formwork`,
    );
    expect(plan.above, plan.text).toEqual([]);
    expect(plan.page, plan.text).toHaveLength(1);
  });
});

/** Computes the reference's definition of a list by hand on all records: filter, sort, slice. */
describe('a page is what a plain look at all records gives', () => {
  it.each(['', ...sorts])('sorted by %s, with and without a filter', async (sort) => {
    const all = (await t.demo.get(`${list}?per_page=10000`)).json as Shown[];
    for (const filter of ['', `filters[harm_source_id]=${offered.harm_sources[0].id}`]) {
      const kept =
        filter === ''
          ? all
          : all.filter((one) => one.harm_source?.id === offered.harm_sources[0].id);
      const wanted = sortByHand(kept, sort).map(({ id }) => id);
      for (const page of [1, 3]) {
        const answer = await t.demo.get(`${list}?per_page=${SIZE}&page=${page}&${sort}&${filter}`);
        const got = (answer.json as Shown[]).map(({ id }) => id);
        expect(got).toEqual(wanted.slice((page - 1) * SIZE, page * SIZE));
        expect(answer.headers.get('total')).toBe(String(kept.length));
        for (const one of answer.json as Shown[])
          expect(one).toEqual(all.find(({ id }) => id === one.id));
      }
    }
  });
});

/** Lists that scan many records on SQLite: they run concurrently with everything else and give the same answers. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { seedNearMisses } from '../support/seed.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { list } from './near-miss-records.ts';

interface Listed {
  readonly id: number;
  readonly harm_source: { readonly name: string } | null;
}

let t: TestService;
let total = 0;
beforeAll(async () => {
  t = await startTestService();
  // More than the limit above which a list runs concurrently; some are in the bin.
  await seedNearMisses(t.service.app.store, t.demo, 6_000);
  total = Number((await t.demo.get(`${list}?per_page=1`)).headers.get('total'));
});
afterAll(() => t.stop());

const long = [
  'sort=harm_source&per_page=100',
  'filters[query]=scaffold&per_page=100',
  'filters[query]=scaffold&per_page=100&page=9000',
];

const page = async (query: string): Promise<readonly Listed[]> => {
  const answer = await t.demo.get(`${list}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Listed[];
};

const create = async (description: string): Promise<number> => {
  const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
  const made = await t.demo.post(list, { near_miss: { incident_id, description } });
  expect(made.status, made.text).toBe(201);
  total += 1;
  return made.json.id as number;
};

describe.skipIf(onPostgres)('a list that looks at many records, on SQLite', () => {
  it('waits behind another, while creates, records, short lists and /me are answered', async () => {
    const order: string[] = [];
    const note = <T>(what: string, work: Promise<T>): Promise<T> =>
      work.then((value) => {
        order.push(what);
        return value;
      });
    const other = sql`with recursive c(n) as (select 1 union all select n + 1 from c where n < 20000000)
      select max(n) from c`;
    const waiting = [
      note('other', other.execute(t.service.app.store.long)),
      ...long.map((query) => note('long', page(query))),
    ];
    const id = await note('create', create('Beside'));
    await note('record', t.demo.get(`${list}/${id}`));
    await note('short', page('per_page=100'));
    await note('me', t.demo.get('/rest/v1.0/me'));
    await Promise.all(waiting);
    expect(order.slice(0, 5)).toEqual(['create', 'record', 'short', 'me', 'other']);
  });

  it('has every record once, in its order, on all its pages', async () => {
    const all: Listed[] = [];
    for (let at = 1; all.length < total; at += 1)
      all.push(...(await page(`sort=harm_source&per_page=1000&page=${at}`)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(total);
    const names = all.flatMap(({ harm_source }) => harm_source?.name.toLowerCase() ?? []);
    expect(names).toEqual([...names].sort());
    // Records without a value come last.
    expect(all.slice(0, names.length).every(({ harm_source }) => harm_source !== null)).toBe(true);
    expect(await page('sort=harm_source&page=9000')).toEqual([]);
  });

  it('has what was answered before it was asked for', async () => {
    const id = await create('A girder nicknamed Quetzalcoatl swung');
    const found = await page('filters[query]=quetzalcoatl');
    expect(found.map((one) => one.id)).toEqual([id]);
    const newest = await page('sort=-number&per_page=10000');
    expect(newest).toHaveLength(total);
  });

  it('goes on after a statement that fails', async () => {
    const { long: db } = t.service.app.store;
    await expect(sql`select * from nothing_of_the_kind`.execute(db)).rejects.toThrow(
      'no such table',
    );
    await expect(sql`delete from near_misses returning id`.execute(db)).rejects.toThrow('readonly');
    expect(await page(long[0] ?? '')).toHaveLength(100);
  });
});

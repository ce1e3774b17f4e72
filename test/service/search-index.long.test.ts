/**
 * Derived data for very large projects: each project's count and the trigram index. After pseudo-random changes of every kind,
 * the counts equal real counts, and a search finds the same as scanning every text.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold } from '../../src/contract/text/fold.ts';
import { randomFrom } from '../../src/service/demo/random.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bin, list } from './near-miss-records.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const said = [
  'Straße naß, Äste über dem Weg',
  '100% of the "edge" was open \\ loose',
  'Gerüst_Ebene 3',
  '脚手架倒塌了，没有人受伤',
  'Γερανός έπεσε',
  '👷🏽 slipped 👷🏽',
  'ab',
  '',
];

/** Whole words, parts of words, special characters of LIKE or of the index, and texts too short for a trigram. */
const asked = [
  'STRASSE',
  'aste uber',
  'rüst_e',
  'rust%e',
  '100%',
  '"edge"',
  '" OR "',
  '\\ loose',
  'edge" AND',
  '脚手架',
  '手架倒塌',
  '架',
  '倒塌',
  'γερανοσ',
  '👷🏽 s',
  '👷',
  'ab',
  'b',
  '%',
  '_',
  "'",
  'NEAR(a b)',
  'zeppelin',
  'crane',
  '1-1',
  '-',
  '\u{e001}\u{e000}\u{e000}',
  `${'slipped '.repeat(30)}`,
];

interface Shown {
  readonly id: number;
  readonly version?: number;
}

const all = async (path: string) => (await t.demo.get(`${path}?per_page=10000`)).json as Shown[];

/** The texts of the database, independent of derived data. */
const texts = async (recycled: boolean) =>
  (await t.database.query(
    `select id, search from near_misses where project_id = ${t.demo.project_id}
       and deleted_at is ${recycled ? 'not null' : 'null'} order by created_at desc, id desc`,
  )) as readonly { readonly id: number; readonly search: string }[];

const compare = async (): Promise<void> => {
  const counted = await t.database.query(
    `select company_id, project_id, sum(case when deleted_at is null then 1 else 0 end) as active,
       sum(case when deleted_at is null then 0 else 1 end) as recycled
     from near_misses group by company_id, project_id order by company_id, project_id`,
  );
  const kept = await t.database.query(
    'select company_id, project_id, active, recycled from near_miss_counts order by company_id, project_id',
  );
  expect(kept.map((row) => ({ ...row }))).toEqual(
    counted.map(({ company_id, project_id, active, recycled }) => ({
      company_id,
      project_id,
      active: Number(active),
      recycled: Number(recycled),
    })),
  );
  for (const [path, recycled] of [
    [list, false],
    [bin, true],
  ] as const) {
    const rows = await texts(recycled);
    const whole = await t.demo.get(`${path}?per_page=1`);
    expect(whole.headers.get('total')).toBe(String(rows.length));
    for (const query of asked) {
      const wanted = rows.filter(({ search }) => search.includes(fold(query)));
      const answer = await t.demo.get(
        `${path}?per_page=10000&filters[query]=${encodeURIComponent(query)}`,
      );
      const told = {
        query,
        total: answer.headers.get('total'),
        ids: (answer.json as Shown[]).map(({ id }) => id),
      };
      expect(told).toEqual({
        query,
        total: String(wanted.length),
        ids: wanted.map(({ id }) => id),
      });
    }
  }
};

it('decisions §2.2, §2.4: counts and searches are those of the records, after changes of every kind', async () => {
  const random = randomFrom(17);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const { incidents, people } = (await t.demo.get('~/catalog')).json as Record<
    string,
    { id: number }[]
  >;
  const changes = [
    () =>
      Promise.all(
        [1, 2, 3].map(() =>
          t.demo.post(list, {
            near_miss: {
              incident_id: pick(incidents ?? []).id,
              description: pick(said),
              affected_person_id: pick(people ?? []).id,
            },
          }),
        ),
      ),
    async () => {
      const { id } = pick(await all(list));
      return [await t.demo.patch(`${list}/${id}`, { near_miss: { description: pick(said) } })];
    },
    async () => [await t.demo.delete(`${list}/${pick(await all(list)).id}`)],
    async () => {
      const [path, recycled] = [`${bin}/${pick(await all(bin)).id}`, await all(bin)];
      return recycled.length === 0 ? [] : [await t.demo.patch(`${path}/restore`, {})];
    },
    async () => [
      await t.demo.patch(
        `/rest/v1.0/companies/${t.demo.company_id}/people/${pick(people ?? []).id}`,
        {
          person: { name: `${pick(said)}Crane ${Math.floor(random() * 9)}` },
        },
      ),
    ],
    // Refused, together with its derived data.
    () => Promise.all([t.demo.post(list, { near_miss: { incident_id: 999_999 } })]),
  ];
  const seen = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    for (let step = 0; step < 8; step += 1)
      for (const { status } of await pick(changes)()) seen.add(status);
    await compare();
  }
  expect([...seen].sort()).toEqual([200, 201, 204, 422]);
}, 60_000);

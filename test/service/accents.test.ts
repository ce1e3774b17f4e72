/** Accents in search and order, the same on both databases (decisions §2.3, §2.4). */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { sortKey } from '../../src/contract/text/fold.ts';
import { startTestService } from '../support/service.ts';

const list = '~/incidents/near_misses';

it('decisions §2.3, §2.4: "alvaro" finds "Álvaro" and "Ñ" comes after "N"', async () => {
  const t = await startTestService();
  onTestFinished(() => t.stop());
  const { demo } = t;
  const { store } = t.service.app;
  const catalog = (await demo.get('~/catalog')).json as Record<string, { id: number }[]>;
  const incident_id = catalog['incidents']?.[0]?.id;
  const people = (catalog['people'] ?? []).slice(0, 4).map(({ id }) => id);
  const names = ['Nz', 'Ñandú', 'Oz', 'Álvaro'];
  await store.write(async (tx) => {
    for (const [at, id] of people.entries())
      await sql`update people set name = ${names[at]}, name_folded = ${sortKey(names[at] ?? '')}
        where id = ${id} and company_id = ${demo.company_id}`.execute(tx);
  });
  for (const affected_person_id of people)
    await demo.post(list, { near_miss: { incident_id, affected_person_id, description: 'Caída' } });
  const found = async (query: string) =>
    (
      (await demo.get(`${list}?per_page=1000&filters[query]=${encodeURIComponent(query)}`))
        .json as {
        id: number;
      }[]
    ).length;
  expect(await found('caida')).toBeGreaterThanOrEqual(4);
  expect(await found('CAÍDA')).toBe(await found('caida'));
  expect(await found('alvaro')).toBeGreaterThan(0);
  expect(await found('álvaro')).toBe(await found('alvaro'));
  const sorted = (
    await demo.get(
      `${list}?per_page=1000&sort=affected_person&filters[query]=caida&filters[affected_person_id]=${people.join(',')}`,
    )
  ).json as { affected_person: { name: string } }[];
  expect([...new Set(sorted.map((row) => row.affected_person.name))]).toEqual([
    'Álvaro',
    'Nz',
    'Ñandú',
    'Oz',
  ]);
});

/**
 * Concurrent creates: one transaction with a constant number of statements, and all rules of a single create: numbers without
 * gaps, an event each, responses equal to a later read, and refusals that undo only themselves.
 */
import { DefaultQueryExecutor, sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NearMissCreate } from '../../src/contract/rest/near-misses.ts';
import {
  createNearMiss,
  updateNearMiss,
  type Tagged,
} from '../../src/service/domain/near-misses/near-misses.ts';
import { Refusal } from '../../src/service/domain/problem.ts';
import { unread } from '../../src/service/store/engine/batch.ts';
import { onPostgres } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { fieldFor, list } from './near-miss-records.ts';
import { slow } from '../support/slow.ts';

let t: TestService;
let user_id = 0;
let author: Parameters<typeof createNearMiss>[2];
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let catalog: any;

beforeAll(async () => {
  t = await startTestService();
  const [row] = await t.database.query('select min(created_by) as id from incidents');
  user_id = Number(row?.['id']);
  author = (await t.demo.get('/rest/v1.0/me')).json.user;
  catalog = (await t.demo.get('~/catalog')).json;
});
afterAll(() => t.stop());

const newIncident = async (): Promise<number> =>
  (await t.demo.post('~/incidents', { incident: { title: 'Crane' } })).json.id as number;

const everything = (incident_id: number): NearMissCreate => ({
  incident_id,
  description: '<p>Sling slipped</p>',
  affected_company_id: catalog.companies[0].id,
  affected_party_id: catalog.parties[0].id,
  affected_person_id: catalog.people[0].id,
  harm_source_id: catalog.harm_sources[0].id,
  work_activity_id: catalog.work_activities[0].id,
  managed_equipment_id: catalog.managed_equipment[0].id,
});

const contextOf = (db: Parameters<typeof createNearMiss>[0]['db']) => {
  const { company_id, project_id, url } = t.demo;
  const { app } = t.service;
  return {
    db,
    long: db,
    company_id,
    project_id,
    user_id,
    user: author,
    access: { level: 'admin' as const, project_ids: null },
    now: t.clock.now(),
    mail: false,
    base_url: url,
    uploads: app.uploads,
    client: null,
  };
};

const create = (body: NearMissCreate): Promise<Tagged> =>
  t.service.app.store.write(
    (tx) => createNearMiss(contextOf(tx), body, author),
    t.demo.company_id,
    true,
  );

/** The statements that ran during `work`, including begin and commit. */
const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const spied = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery');
  try {
    await work();
    const all = spied.mock.calls.map(([query]) => query.sql);
    // Excludes the webhook dispatcher's polling and PostgreSQL's analysis of young tables.
    return all.filter((text) => !/^\s*(?:select[^]*webhook_|analyze)/.test(text));
  } finally {
    spied.mockRestore();
  }
};

const eventsOf = async (ids: readonly number[]) =>
  t.database.query(
    `select id, resource_id from events where resource_name = 'Near Misses' and resource_id in (${ids.join()}) order by id`,
  );

describe('creates that arrive together', () => {
  it('are a handful of statements, as many for forty as for one', async () => {
    const incident = await newIncident();
    await create(everything(incident));
    const one = await statementsOf(() => create(everything(incident)));
    let made: readonly Tagged[] = [];
    const forty = await statementsOf(async () => {
      made = await Promise.all(Array.from({ length: 40 }, () => create(everything(incident))));
    });
    expect(forty).toHaveLength(one.length);
    // SQLite's trigram index is written with the records.
    expect(forty.length, forty.join('\n')).toBeLessThanOrEqual(onPostgres ? 10 : 11);
    expect(made.map(({ data }) => data.number)).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 3),
    );
    const ids = made.map(({ data }) => data.id);
    expect((await eventsOf(ids)).map((row) => row['resource_id'])).toEqual(ids);
    for (const { data, etag } of made) {
      const shown = await t.demo.get(`${list}/${data.id}`);
      expect(shown.json).toEqual(data);
      expect(shown.headers.get('etag')).toBe(etag);
    }
  });

  it('are refused each by itself, and leave nothing', async () => {
    const [incident, another] = [await newIncident(), await newIncident()];
    const wrong = new Map<number, [Partial<NearMissCreate>, string]>([
      [3, [{ harm_source_id: 999_999 }, 'near_miss.harm_source_id']],
      [4, [{ incident_id: 999_999 }, 'near_miss.incident_id']],
      [17, [{ custom_field_999999: 'x' }, 'near_miss.custom_field_999999']],
    ]);
    const bodies = Array.from({ length: 24 }, (_, at) => ({
      ...everything(at % 2 === 0 ? incident : another),
      ...wrong.get(at)?.[0],
    }));
    const ends = await Promise.allSettled(bodies.map(create));
    const numbers = new Map<number, number>();
    for (const [at, end] of ends.entries()) {
      const field = wrong.get(at)?.[1];
      if (field !== undefined) {
        const reason: unknown = end.status === 'rejected' ? end.reason : undefined;
        expect(reason).toBeInstanceOf(Refusal);
        expect(Object.keys((reason as Refusal).errors)).toEqual([field]);
        continue;
      }
      if (end.status !== 'fulfilled') throw end.reason;
      const { id, incident_id, number } = end.value.data;
      const expected = (numbers.get(incident_id ?? 0) ?? 0) + 1;
      expect(number).toBe(expected);
      numbers.set(incident_id ?? 0, expected);
      expect(await eventsOf([id])).toHaveLength(1);
    }
    for (const one of [incident, another])
      expect((await t.demo.get(`${list}?incident_id=${one}`)).headers.get('total')).toBe(
        String(numbers.get(one)),
      );
  });

  it('a write that nobody waited for fails only whose it was, and leaves nothing of that one', async () => {
    const count = (name: string, last: number | null, waits: boolean) =>
      t.service.app.store.write(
        async (tx) => {
          const written = sql`insert into id_counters (name, last) values (${name}, ${last})`;
          await (waits ? written.execute(tx) : unread(tx, written.execute(tx)));
          return name;
        },
        t.demo.company_id,
        true,
      );
    const ends = await Promise.allSettled([
      count('before', 1, false),
      count('refused', null, false),
      count('after', 2, true),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [, refused] = ends;
    expect(String(refused.status === 'rejected' && refused.reason)).toMatch(/not.null/i);
    const kept = await t.database.query(
      "select name from id_counters where name in ('before', 'refused', 'after') order by name",
    );
    expect(kept.map((row) => row['name'])).toEqual(['after', 'before']);
    await expect(count('alone', null, false)).rejects.toThrow(/not.null/i);
  });

  it('keep their place among changes: each change sees those before it', async () => {
    const incident = await newIncident();
    const { data, etag } = await create(everything(incident));
    const change = (description: string) =>
      t.service.app.store.write(
        (tx) => updateNearMiss(contextOf(tx), { id: data.id }, { description }, etag),
        t.demo.company_id,
      );
    const ends = await Promise.allSettled([
      create(everything(incident)),
      change('first'),
      create(everything(incident)),
      change('second'),
      create(everything(incident)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const shown = (await t.demo.get(`${list}/${data.id}`)).json;
    expect(shown.description_plain_text).toBe('first');
  });

  it('of two companies do not see each other', async () => {
    const incident = await newIncident();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? t.demo : t.other).post(list, { near_miss: everything(incident) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 201 : 422)),
    );
    expect((await t.demo.get(`${list}?incident_id=${incident}`)).headers.get('total')).toBe('6');
  });
});

describe('the answer of a write is what a later look shows', () => {
  const some = <T>(values: () => readonly T[]) =>
    fc.option(fc.nat(1000), { nil: null, freq: 3 }).map((at) => {
      const from = values();
      return at === null ? null : (from[at % from.length] ?? null);
    });
  const idOf = (name: string) =>
    some<{ id: number }>(() => catalog[name]).map((row) => row?.id ?? null);
  const fields = () =>
    fc.record(
      {
        description: fc.option(
          fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
        ),
        affected_company_id: idOf('companies'),
        affected_party_id: idOf('parties'),
        affected_person_id: idOf('people'),
        harm_source_id: idOf('harm_sources'),
        work_activity_id: idOf('work_activities'),
        managed_equipment_id: idOf('managed_equipment'),
        custom: fc.option(fc.string({ unit: 'grapheme-ascii', maxLength: 20 })),
      },
      { requiredKeys: [] },
    );

  slow('whatever is created and changed', async () => {
    const incident = await newIncident();
    const named = fieldFor(
      catalog,
      catalog.custom_field_definitions.find(
        (one: { data_type: string; required: boolean }) =>
          one.data_type === 'string' && !one.required,
      )?.label,
    );
    const bodyOf = ({ custom, ...rest }: { custom?: string | null }) => ({
      ...rest,
      ...(custom === undefined ? {} : { [named]: custom }),
    });
    await fc.assert(
      fc.asyncProperty(fields(), fields(), async (first, second) => {
        const made = await t.demo.post(list, {
          near_miss: { incident_id: incident, ...bodyOf(first) },
        });
        expect(made.status, made.text).toBe(201);
        const at = `${list}/${made.json.id}`;
        expect((await t.demo.get(at)).text).toBe(made.text);
        const answer = await t.demo.patch(at, { near_miss: bodyOf(second) });
        const shown = await t.demo.get(at);
        expect(shown.text).toBe(answer.text);
        expect(shown.headers.get('etag')).toBe(answer.headers.get('etag'));
        for (const name of [shown.json.harm_source?.name, shown.json.affected_person?.name])
          if (name !== undefined)
            expect(
              (
                await t.demo.get(
                  `${list}?incident_id=${incident}&per_page=1000&filters[query]=${encodeURIComponent(name)}`,
                )
              ).json.map(({ id }: { id: number }) => id),
            ).toContain(made.json.id);
      }),
      { numRuns: 40 },
    );
  });
});

/**
 * Costs that PostgreSQL is spared: a round trip per concurrent request, a round trip per write of a transaction, and plans made
 * without statistics of a table.
 */
import { DefaultQueryExecutor } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hashToken } from '../../../src/service/domain/tokens.ts';
import { findTokenUser } from '../../../src/service/store/access/tokens.ts';
import { projectExists } from '../../../src/service/store/users.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

it('what requests that arrive together ask is asked once, and each gets its own answer', async () => {
  const { company_id, project_id, token } = t.demo;
  const db = t.service.app.store.read;
  const spied = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery');
  const [users, places] = await Promise.all([
    Promise.all(
      [token, t.other.token, 'nobody', token].map((of) => findTokenUser(db, hashToken(of))),
    ),
    Promise.all(
      [project_id, 999_999, project_id].map((id) =>
        projectExists(db, { company_id, project_id: id }),
      ),
    ),
  ]);
  const asked = spied.mock.calls.map(([query]) => query.sql);
  spied.mockRestore();
  expect(asked.filter((text) => text.includes('join tokens'))).toHaveLength(1);
  expect(asked.filter((text) => text.includes('join projects'))).toHaveLength(1);
  const [mine, theirs, nobody, again] = users;
  const ofCompany = { company_id, level: 'admin', project_ids: null };
  expect(mine?.memberships).toContainEqual(ofCompany);
  expect(theirs?.memberships).not.toContainEqual(ofCompany);
  expect(nobody).toBeNull();
  expect(again).toEqual(mine);
  expect(places).toEqual([true, false, true]);
});

it('tables that grow are looked at while they are young: else a plan reads all of them to find a row', async () => {
  const known = async () => {
    const [row] = await t.database.query(
      "select reltuples from pg_class where relname = 'idempotency_keys'",
    );
    return Number(row?.['reltuples']);
  };
  // Autovacuum is off in tests, so nothing else analyses the table.
  expect(await known()).toBe(-1);
  for (let n = 0; n < 10; n += 1) {
    const made = await t.demo.post(
      '~/incidents',
      { incident: { title: 'Crane' } },
      { 'idempotency-key': `young-${n}` },
    );
    expect(made.status, made.text).toBe(201);
  }
  await expect.poll(known).toBeGreaterThan(0);
});

it('the writes of a create are on their way together: six journeys, one after the other', async () => {
  const list = '~/incidents/near_misses';
  const catalog = (await t.demo.get('~/catalog')).json;
  const near_miss = { incident_id: catalog.incidents[0].id, description: 'Sling slipped' };
  const post = (key: string) => t.demo.post(list, { near_miss }, { 'idempotency-key': key });
  await post('journeys-0');
  const { query } = pg.Client.prototype;
  const waiting = new Map<unknown, number>();
  const journeys = new Map<unknown, string[]>();
  const spied = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const text = String((given[0] as { readonly text?: string }).text ?? given[0]);
    const before = waiting.get(this) ?? 0;
    waiting.set(this, before + 1);
    if (before === 0) journeys.set(this, [...(journeys.get(this) ?? []), text]);
    const answer = Reflect.apply(query, this, given) as unknown as Promise<unknown>;
    const heard = () => waiting.set(this, (waiting.get(this) ?? 1) - 1);
    answer.then(heard, heard);
    return answer as never;
  });
  const made = await post('journeys-1').finally(() => spied.mockRestore());
  expect(made.status, made.text).toBe(201);
  const writer = [...journeys.values()].find((texts) =>
    texts.some((text) => /^\s*begin/.test(text)),
  );
  expect(writer?.length, writer?.join('\n')).toBe(6);
});

/** Sync of vendor insurances: decisions §8, failures S20. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/rest/index.ts';
import { eventsSince } from '../support/events.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let list: string;
let elsewhere: string;
beforeAll(async () => {
  t = await startTestService();
  const { vendors } = (await t.demo.get('~/catalog')).json;
  list = `~/vendors/${vendors[0].id}/insurances`;
  elsewhere = `~/vendors/${vendors[1].id}/insurances`;
});
afterAll(() => t.stop());

interface Entity {
  readonly id: number;
  readonly insurance_provider: string | null;
  readonly origin_id: string | null;
  readonly notes: string | null;
}
interface Synced {
  readonly entities: Entity[];
  readonly errors: (Partial<Entity> & { errors: Record<string, string[]> })[];
}

const sync = (updates: unknown, headers?: Record<string, string>) =>
  t.demo.patch(`${list}/sync`, { updates }, headers);
const synced = async (updates: unknown): Promise<Synced> => {
  const answer = await sync(updates);
  expect(answer.status, answer.text).toBe(200);
  expect(endpoints['insurances.sync'].reply.safeParse(answer.json).error).toBeUndefined();
  return answer.json as Synced;
};
const made = async (insurance: object, path = list): Promise<number> =>
  (await t.demo.post(path, { insurance })).json.id;
const show = async (id: number) => (await t.demo.get(`${list}/${id}`)).json as Entity;
const total = async (): Promise<number> =>
  Number((await t.demo.get(`${list}?per_page=1`)).headers.get('total'));

describe('decisions §8: which record an item means', () => {
  it('decisions §8: no id and no origin_id creates, with null as with nothing (reference R-insurance-17)', async () => {
    const before = await total();
    const { entities, errors } = await synced([
      { name: 'a' },
      { id: null, origin_id: null, name: 'b' },
      {},
    ]);
    expect(errors).toEqual([]);
    expect(entities.map(({ insurance_provider }) => insurance_provider)).toEqual(['a', 'b', null]);
    expect(await total()).toBe(before + 3);
  });

  it('decisions §8: a known id updates, an unknown id is the error item {"id": ["not found"]} (reference R-insurance-15, R-insurance-16, R-insurance-17)', async () => {
    const id = await made({ name: 'a', notes: 'kept' });
    const { entities, errors } = await synced([
      { id, name: 'b' },
      { id: 4_711_000, name: 'c' },
    ]);
    expect(entities).toEqual([await show(id)]);
    expect(entities[0]).toMatchObject({ id, insurance_provider: 'b', notes: 'kept' });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      id: 4_711_000,
      insurance_provider: 'c',
      errors: { id: ['not found'] },
    });
    expect(Object.keys(errors[0]?.errors ?? {})).toEqual(['id']);
  });

  it('decisions §8: a known origin_id updates, an unknown one creates', async () => {
    const id = await made({ origin_id: 'o-1' });
    const { entities } = await synced([
      { origin_id: 'o-1', name: 'x' },
      { origin_id: 'o-2', name: 'y' },
    ]);
    expect(entities[0]?.id).toBe(id);
    expect(entities[1]).toMatchObject({ origin_id: 'o-2', insurance_provider: 'y' });
    expect((await synced([{ origin_id: 'o-2', name: 'z' }])).entities[0]?.id).toBe(entities[1]?.id);
  });

  it('decisions §8: with both the id wins and origin_id is set', async () => {
    const [a, b] = [await made({ origin_id: 'both-a' }), await made({ origin_id: 'both-b' })];
    const { entities } = await synced([{ id: a, origin_id: 'both-c' }]);
    expect(entities[0]).toMatchObject({ id: a, origin_id: 'both-c' });
    expect((await show(b)).origin_id).toBe('both-b');
    const { errors } = await synced([{ id: 4_711_000, origin_id: 'both-b', name: 'no' }]);
    expect(errors[0]?.errors).toEqual({ id: ['not found'] });
    expect((await show(b)).insurance_provider).toBeNull();
  });

  it('decisions §8: an origin_id that is set leaves every other record that had it, and is an update of it', async () => {
    const [a, b, c] = [
      await made({ origin_id: 'moves', notes: 'kept' }),
      await made({ origin_id: 'moves' }),
      await made({}),
    ];
    const theirs = await made({ origin_id: 'moves' }, elsewhere);
    const etag = (await t.demo.get(`${list}/${a}`)).headers.get('etag') ?? '';
    const events = await eventsSince(t, 'Project Insurances');
    const { entities, errors } = await synced([{ id: c, origin_id: 'moves' }]);
    expect([entities.map(({ id }) => id), errors]).toEqual([[c], []]);
    expect(await events()).toEqual([`update ${a}`, `update ${b}`, `update ${c}`]);
    expect(await show(a)).toMatchObject({ origin_id: null, notes: 'kept' });
    expect((await show(b)).origin_id).toBeNull();
    expect((await t.demo.get(`${elsewhere}/${theirs}`)).json.origin_id).toBe('moves');
    expect((await synced([{ origin_id: 'moves', notes: 'c' }])).entities[0]?.id).toBe(c);
    const stale = await t.demo.patch(`${list}/${a}`, { insurance: {} }, { 'if-match': etag });
    expect(stale.status).toBe(412);
  });

  it('decisions §8: two records may change their origin_ids with each other in one sync', async () => {
    const [a, b] = [await made({ origin_id: 'swap-a' }), await made({ origin_id: 'swap-b' })];
    const { entities, errors } = await synced([
      { id: a, origin_id: 'swap-b' },
      { id: b, origin_id: 'swap-a' },
    ]);
    expect(errors).toEqual([]);
    expect(entities).toEqual([await show(a), await show(b)]);
    expect(entities.map(({ origin_id }) => origin_id)).toEqual(['swap-b', 'swap-a']);
  });

  it('decisions §8: one origin_id for two records in one body: the later item is refused, what was answered stands', async () => {
    const [a, b, c] = [await made({}), await made({}), await made({ origin_id: 'once-c' })];
    const { entities, errors } = await synced([
      { id: a, origin_id: 'once' },
      { id: b, origin_id: 'once', notes: 'not written' },
      { origin_id: 'once', notes: 'a' },
      { id: c, notes: 'named' },
      { id: b, origin_id: 'once-c' },
      { origin_id: 'once-new' },
      { id: b, origin_id: 'once-new' },
    ]);
    expect(entities.map(({ id, origin_id }) => [id, origin_id])).toEqual([
      [a, 'once'],
      [a, 'once'],
      [c, 'once-c'],
      [expect.any(Number), 'once-new'],
    ]);
    expect(errors.map(({ id, errors: messages }) => [id, Object.keys(messages)])).toEqual(
      [b, b, b].map((id) => [id, ['origin_id']]),
    );
    expect(await show(a)).toMatchObject({ origin_id: 'once', notes: 'a' });
    expect(await show(b)).toMatchObject({ origin_id: null, notes: null });
    expect((await show(c)).origin_id).toBe('once-c');
  });

  it('decisions §8: an empty origin_id is none: each such item creates, and none is kept', async () => {
    const before = await total();
    const made_empty = await made({ origin_id: '', name: 'made' });
    const { entities, errors } = await synced([
      { origin_id: '', name: '1' },
      { origin_id: '', name: '2' },
      { id: made_empty, origin_id: '', notes: 'changed' },
    ]);
    expect(errors).toEqual([]);
    expect(new Set(entities.map(({ id }) => id)).size).toBe(3);
    expect(entities.map(({ origin_id }) => origin_id)).toEqual([null, null, null]);
    expect(await show(made_empty)).toMatchObject({ insurance_provider: 'made', origin_id: null });
    expect(await total()).toBe(before + 3);
  });

  it('decisions §8: ids and origin_ids of another vendor are not known here', async () => {
    const theirs = await made({ name: 'theirs', origin_id: 'shared' }, elsewhere);
    const { entities, errors } = await synced([
      { id: theirs, name: 'stolen' },
      { origin_id: 'shared', name: 'mine' },
    ]);
    expect(errors[0]?.errors).toEqual({ id: ['not found'] });
    expect(entities[0]?.id).not.toBe(theirs);
    expect((await t.demo.get(`${elsewhere}/${theirs}`)).json.insurance_provider).toBe('theirs');
  });

  it('decisions §8: items run in order: the same origin_id twice is one record', async () => {
    const before = await total();
    const { entities } = await synced([
      { origin_id: 'twice', name: '1', notes: 'first' },
      { origin_id: 'twice', name: '2' },
    ]);
    expect(entities.map(({ id }) => id)).toEqual([entities[0]?.id, entities[0]?.id]);
    expect(entities[1]).toMatchObject({ insurance_provider: '2', notes: 'first' });
    expect(await total()).toBe(before + 1);
  });
});

describe('decisions §8: bad items', () => {
  it('decisions §8, reference Errors 3: one bad item never stops the others; it is an insurance plus errors by field (reference R-insurance-16, R-insurance-18)', async () => {
    const id = await made({ name: 'before', notes: 'n' });
    const { entities, errors } = await synced([
      { id, name: 'refused', limit: 5, effective_date: 'tomorrow' },
      { name: 'good' },
      'no object',
      null,
      { status: 'unknown', origin_id: 'bad-1' },
    ]);
    expect(entities.map(({ insurance_provider }) => insurance_provider)).toEqual(['good']);
    expect(errors).toHaveLength(4);
    expect(errors[0]).toMatchObject({ id, insurance_provider: 'refused', notes: 'n' });
    expect(Object.keys(errors[0]?.errors ?? {}).sort()).toEqual(['effective_date', 'limit']);
    expect(errors[3]).toMatchObject({ id: null, origin_id: 'bad-1' });
    for (const { errors: messages } of errors)
      for (const list of Object.values(messages)) expect(list[0]).toEqual(expect.any(String));
    expect((await show(id)).insurance_provider).toBe('before');
  });

  it('decisions §8: 1000 items are taken, 1001 are a 422 and nothing is written', async () => {
    const before = await total();
    const { entities } = await synced(Array.from({ length: 1000 }, () => ({ name: 'many' })));
    expect(entities).toHaveLength(1000);
    expect(await total()).toBe(before + 1000);
    const refused = await sync(Array.from({ length: 1001 }, () => ({ name: 'many' })));
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['updates']]);
    expect(await total()).toBe(before + 1000);
  });

  it('decisions §8: 1000 items with long notes fit: --max-bulk-body is their limit', async () => {
    const notes = 'ñ'.repeat(7_000);
    const item = (index: number) => ({ origin_id: `long-${index}`, name: 'long', notes });
    const { entities, errors } = await synced(Array.from({ length: 1000 }, (_, at) => item(at)));
    expect([entities.length, errors]).toEqual([1000, []]);
    expect(entities.every((one) => one.notes === notes)).toBe(true);
    const other = await t.demo.post(list, { insurance: { notes: 'ñ'.repeat(1_100_000) } });
    expect(other.status).toBe(413);
  });

  it('decisions §8, §1.3: `updates` is required and an array; an empty one is fine (reference R-insurance-15)', async () => {
    for (const body of [{}, { updates: null }, { updates: {} }, { updates: 'x' }]) {
      const answer = await t.demo.patch(`${list}/sync`, body);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['updates']]);
    }
    expect(await synced([])).toEqual({ entities: [], errors: [] });
  });

  it('failures S20: entities and errors exactly partition the items, in order, whatever they are', async () => {
    const mine = [await made({ name: 'p0' }), await made({ name: 'p1', origin_id: 'p-known' })];
    const theirs = await made({}, elsewhere);
    // `notes` identifies each item; the rest decides whether it must be refused.
    const good = fc.constantFrom<object>(
      {},
      { id: mine[0] },
      { id: mine[1] },
      { id: null },
      { origin_id: 'p-known' },
      { origin_id: 'p-new' },
      { limit: '5.00', effective_date: '2026-02-01', exempt: true },
    );
    const bad = fc.constantFrom<object>(
      { id: theirs },
      { id: 0 },
      { id: -1 },
      { id: 987_654 },
      { id: 'x' },
      { id: mine[0], limit: 'x' },
      { effective_date: '2026-02-30' },
      { status: 'nothing' },
      { exempt: 'yes' },
      { origin_id: 5 },
    );
    const item = fc.oneof(
      good.map((fields) => ({ fields, refused: false })),
      bad.map((fields) => ({ fields, refused: true })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 30 }), async (items) => {
        const updates = items.map(({ fields }, index) => ({ ...fields, notes: `item ${index}` }));
        const { entities, errors } = await synced(updates);
        const names = (refused: boolean) =>
          items.flatMap((one, index) => (one.refused === refused ? [`item ${index}`] : []));
        expect(entities.map(({ notes }) => notes)).toEqual(names(false));
        expect(errors.map(({ notes }) => notes)).toEqual(names(true));
        for (const { errors: messages } of errors)
          expect(Object.keys(messages).length).toBeGreaterThan(0);
        // The response equals the stored state: the last version of each record.
        const last = new Map(entities.map((entity) => [entity.id, entity]));
        for (const entity of last.values()) expect(await show(entity.id)).toEqual(entity);
      }),
      { numRuns: 25 },
    );
  });
});

describe('decisions §8: sync as one change', () => {
  it('decisions §1.5, §9.4: the same key syncs once; one event for each changed record', async () => {
    const [touched, same] = [await made({ name: 'e' }), await made({ name: 'same' })];
    const events = await eventsSince(t, 'Project Insurances');
    const updates = [
      { id: touched, name: 'f' },
      { id: touched, name: 'g' },
      { id: same, name: 'same' },
      { name: 'new', origin_id: 'event' },
      { origin_id: 'event', notes: 'again' },
      { id: 4_711_000 },
    ];
    const key = { 'idempotency-key': 'sync' };
    const first = await sync(updates, key);
    const again = await sync(updates, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const created = (first.json as Synced).entities[3]?.id;
    expect(await events()).toEqual([`update ${touched}`, `create ${created}`]);
  });

  it('decisions §8: ten syncs at once of the same new origin_id make one record', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => synced([{ origin_id: 'race', name: `${index}` }])),
    );
    expect(new Set(answers.map(({ entities }) => entities[0]?.id)).size).toBe(1);
  });
});

/** A response that belongs to someone else's request, and a server that blocks the user for a while. */
import { expect, it } from 'vitest';
import {
  deleteNearMiss,
  editNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { contradicts } from '../../../src/renderer/outbox/handlers/believe-record.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue/queue.ts';
import type { Problem } from '../../../src/contract/problem.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

const reply = (data: object) => ({
  status: 201,
  data,
  paging: null,
  etag: null,
  replayed: false,
  server_time: null,
});

it('A48: an answer to a create that shows another record is no delivery; the report goes again under its key', async () => {
  const window = await windows.start(host);
  let answered = 0;
  host.answers.set('near_misses.create', () => {
    answered += 1;
    host.answers.delete('near_misses.create');
    return reply({ id: 1, incident_id: 9, description: '<p>another</p>' });
  });
  await capture(window, 'Board fell from level 3');
  await drained(window, host);
  expect(answered).toBe(1);
  expect([...host.near_misses.values()].map(({ description }) => description)).toEqual([
    '<p>Board fell from level 3</p>',
  ]);
  const keys = host
    .of('near_misses.create')
    .map(({ input }) => (input['input'] as { idempotency_key: string }).idempotency_key);
  expect(new Set(keys).size).toBe(1);
  const doubted = host
    .of('near_misses.create')
    .map(({ input }) => (input['input'] as { doubted_id?: number }).doubted_id);
  // The host has the first response in memory and would replay it if the request did not doubt it.
  expect(doubted).toEqual([undefined, 1]);
});

it('A48: an id is the same id or not, a moment may come back longer', () => {
  const sent = { incident_id: 1, description: '<p>Board fell</p>', event_date: '2026-11-26' };
  const record = { id: 9, ...sent, event_date: '2026-11-26T00:00:00Z' };
  expect(contradicts(sent, record)).toBe(false);
  expect(contradicts(sent, { ...record, incident_id: 12 })).toBe(true);
  expect(contradicts({ ...sent, incident_id: 12 }, { ...record, incident_id: 1 })).toBe(true);
  expect(contradicts({ custom_field_7: 5 }, { custom_field_7: { value: '5.0' } })).toBe(false);
  expect(contradicts({ custom_field_7: true }, { custom_field_7: { value: 'true, or not' } })).toBe(
    true,
  );
});

it('A48: a server that keeps a text in a form of its own is believed the second time', async () => {
  const window = await windows.start(host);
  host.answers.set('near_misses.create', () =>
    reply({ id: 7, incident_id: 1, description: 'BOARD (translated)' }),
  );
  await capture(window, 'Board fell');
  await drained(window, host);
  expect(host.of('near_misses.create')).toHaveLength(2);
});

const texts = () => [...host.near_misses.values()].map(({ description }) => description).sort();

/** Answers the first `times` requests to this endpoint, and lets the others through. */
const answerFirst = (
  endpoint: 'near_misses.create' | 'near_misses.update' | 'near_misses.delete',
  times: number,
  answer: () => ReturnType<typeof reply>,
): void => {
  let left = times;
  host.answers.set(endpoint, () => {
    left -= 1;
    if (left <= 0) host.answers.delete(endpoint);
    return answer();
  });
};

it.each([
  ['nothing but an id', { id: 7 }],
  ['the text of nobody', { id: 7, incident_id: 1, description: '<p></p>' }],
  ['the beginning of the text', { id: 7, incident_id: 1, description: '<p>Board</p>' }],
])('A48: an answer to a create with %s is no delivery', async (_what, data) => {
  const window = await windows.start(host);
  answerFirst('near_misses.create', 1, () => reply(data));
  await capture(window, 'Board fell');
  await drained(window, host);
  expect(texts()).toEqual(['<p>Board fell</p>']);
});

it('A48: a record of another job is never believed, however often a proxy shows it', async () => {
  const window = await windows.start(host);
  answerFirst('near_misses.create', 4, () =>
    reply({ id: 1, incident_id: 9, description: '<p>another</p>' }),
  );
  await capture(window, 'Board fell');
  await drained(window, host);
  expect(texts()).toEqual(['<p>Board fell</p>']);
});

it('A48: a record that another report of this laptop has is never taken for a second one; no text goes', async () => {
  const window = await windows.start(host);
  await capture(window, 'First');
  await drained(window, host);
  const [id] = [...host.near_misses.keys()];
  answerFirst('near_misses.create', 3, () =>
    reply({ id, incident_id: 1, description: '<p>Second</p>' }),
  );
  await capture(window, 'Second');
  await drained(window, host);
  expect(texts()).toEqual(['<p>First</p>', '<p>Second</p>']);
  const rows = await window.db.near_misses.toArray();
  expect(rows.map(({ fields }) => fields.description).sort()).toEqual(texts());
  expect(new Set(rows.map(({ server_id }) => server_id)).size).toBe(2);
});

it('A48: one answer for three reports at once delivers at most one of them', async () => {
  const window = await windows.start(host);
  answerFirst('near_misses.create', 3, () =>
    reply({ id: 900, incident_id: 1, description: '<p>Equal</p>' }),
  );
  const keys = await Promise.all([1, 2, 3].map(() => capture(window, 'Equal')));
  await drained(window, host);
  expect(host.near_misses.size).toBe(2);
  expect((await window.db.near_misses.bulkGet(keys)).map((row) => row?.fields.description)).toEqual(
    Array.from(keys, () => '<p>Equal</p>'),
  );
});

it('A48: an edit that is answered with the record as it was goes again, and reaches the server', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'Board fell');
  await drained(window, host);
  const before = structuredClone([...host.near_misses.values()][0] ?? {});
  answerFirst('near_misses.update', 1, () => ({ ...reply(before), status: 200 }));
  await editNearMiss(window, key, { description: '<p>Board fell and hit Joe</p>' });
  await drained(window, host);
  expect(texts()).toEqual(['<p>Board fell and hit Joe</p>']);
});

it('A46: an empty 204 of somebody else ends no deletion: the record is read, and deleted', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'Board fell');
  await drained(window, host);
  answerFirst('near_misses.delete', 1, () => ({ ...reply({}), status: 204 }));
  await deleteNearMiss(window, key);
  await drained(window, host);
  expect(host.of('near_misses.delete')).toHaveLength(2);
});

it('A47: no access at the moment holds the queue; nothing is parked, and all goes once there is access', async () => {
  const window = await windows.start(host);
  const forbidden: Problem = { kind: 'no_access', messages: ['no longer in this company'] };
  const fault = {
    at: 'before',
    on: ({ method }: { method: string }) => /^(rest|reach)/.test(method),
    problem: forbidden,
    times: 1_000,
  } as const;
  host.faults.push({ ...fault });
  for (const text of ['one', 'two', 'three']) await capture(window, text);
  await until(
    'it is held',
    async () =>
      (await queueCounts(window, ACCOUNT)).trouble !== null ||
      host.calls.some(({ method }) => method === 'rest.request'),
  );
  expect((await queueCounts(window, ACCOUNT)).parked).toBe(0);
  host.faults = [];
  window.engine.wake();
  await drained(window, host);
  expect(host.near_misses.size).toBe(3);
});

it('what an answer leaves out or spells differently contradicts nothing', () => {
  const sent = {
    incident_id: 1,
    description: '<p>a  b</p>',
    harm_source_id: 3,
    custom_fields: { custom_field_1: 'x' },
  };
  expect(contradicts(sent, { id: 1 })).toBe(false);
  expect(
    contradicts(sent, {
      description: 'a b',
      harm_source: { id: 3 },
      custom_fields: { custom_field_1: { data_type: 'string', value: 'x' } },
    }),
  ).toBe(false);
  expect(contradicts(sent, { incident_id: 2 })).toBe(true);
  expect(contradicts(sent, { harm_source: { id: 4 } })).toBe(true);
  expect(
    contradicts(sent, { custom_fields: { custom_field_1: { data_type: 'string', value: 'y' } } }),
  ).toBe(true);
});

/** A response that belongs to someone else's request, and a server that blocks the user for a while. */
import { expect, it } from 'vitest';
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

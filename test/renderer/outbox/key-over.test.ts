/**
 * A lost answer followed by a month offline: the server has forgotten the key (decisions §1.5), so the record of the earlier
 * attempt is searched for before anything is resent. Against the scripted service, in a real window.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import {
  isKeyOver,
  withoutTry,
  withTry,
} from '../../../src/renderer/outbox/queue/operation-life.ts';
import { findMade } from '../../../src/renderer/outbox/handlers/find-made.ts';
import {
  candidatesOf,
  sendAsNew,
} from '../../../src/renderer/outbox/queue/pick-existing-record.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, type Call, type Fault, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

const DAY_MS = 86_400_000;
const CREATE = 'near_misses.create';
const reset: Problem = { kind: 'offline', reason: 'reset', detail: '' };
const away: Problem = { kind: 'offline', reason: 'refused', detail: '' };
windowPerTest();
beforeEach(() => {
  host.service.server_time = Date.now();
});

const open = async (): Promise<StartedWindow> => {
  const window = await windows.start(host);
  await window.db.catalogs.put({
    account: ACCOUNT,
    project_id: 10,
    etag: null,
    source: 'server',
    fetched_at: 0,
    catalog: emptyCatalog,
  });
  return window;
};

/** Offline for a month; then requests succeed, with the keys forgotten. */
const monthAway = async (window: StartedWindow, lost: Fault): Promise<void> => {
  const asked = ({ method }: Call) => /^(rest|reach)/.test(method);
  host.faults.push(lost);
  host.faults.push({
    at: 'before',
    on: (call) => asked(call) && host.of(CREATE).length > 0 && !to(CREATE)(call),
    problem: away,
    times: 10_000,
  });
  await capture(window, 'Only once');
  await until('held', async () => {
    const [operation] = await window.db.operations.toArray();
    return operation?.state === 'waiting' && operation.attempts === 1;
  });
  host.service.forgetKeys();
  host.service.server_time = Date.now() + 31 * DAY_MS;
  host.faults = [];
  window.engine.wake();
};
const words = () => [...host.near_misses.values()].map(({ description }) => description);

it('A70: a lost answer and a month away: the record is found, nothing is filed twice', async () => {
  const window = await open();
  await monthAway(window, { at: 'after', on: to(CREATE), problem: reset });
  await drained(window, host);
  expect(words()).toEqual(['<p>Only once</p>']);
  expect(host.of(CREATE)).toHaveLength(1);
});

it('A70: a request that never came and a month away: looked for, not there, sent once', async () => {
  const window = await open();
  await monthAway(window, { at: 'before', on: to(CREATE), problem: reset });
  await drained(window, host);
  expect(words()).toEqual(['<p>Only once</p>']);
  expect(host.of(CREATE)).toHaveLength(2);
});

it('A70: two that may be it: a person is asked, and their answer is what happens', async () => {
  const window = await open();
  const created_at = new Date().toISOString();
  host.add({ description: '<p>Only once</p>', created_at });
  await monthAway(window, { at: 'after', on: to(CREATE), problem: reset });
  const parked = () => window.db.operations.filter(({ state }) => state === 'parked').first();
  await until('asked', async () => (await parked()) !== undefined);
  const operation = await parked();
  expect(operation?.last_problem).toEqual({ kind: 'outcome_unknown', records: 2 });
  expect(await candidatesOf(window, operation?.id ?? '')).toHaveLength(2);
  await sendAsNew(window, operation?.id ?? '');
  await drained(window, host);
  expect(words()).toHaveLength(3);
});

it('A70: within the window the key protects, and nothing is looked for', async () => {
  const window = await open();
  host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
  await capture(window, 'Only once');
  await drained(window, host);
  expect(words()).toEqual(['<p>Only once</p>']);
  expect(host.of('near_misses.list')).toHaveLength(0);
  expect(host.of(CREATE)).toHaveLength(2);
});

it('A70: tries are counted from the first whose outcome nobody knows', () => {
  const fresh = { tries: null, created_at: 0, checkpoint: {} };
  const first = withTry(fresh, 100 * DAY_MS);
  // Saved long ago, never sent: this attempt is the first.
  expect(isKeyOver({ ...fresh, tries: first }, 100 * DAY_MS)).toBe(false);
  const second = withTry({ tries: first }, 140 * DAY_MS);
  expect(isKeyOver({ ...fresh, tries: second }, 140 * DAY_MS)).toBe(true);
  // A server that was not reached has executed nothing.
  const refused = withoutTry({ tries: first });
  const next = withTry({ tries: refused }, 140 * DAY_MS);
  expect(isKeyOver({ ...fresh, tries: next }, 140 * DAY_MS)).toBe(false);
  // Another laptop or a lost database may have sent it at any time since its creation.
  for (const mark of ['restored', 'exported'])
    expect(isKeyOver({ ...fresh, checkpoint: { [mark]: true } }, 40 * DAY_MS)).toBe(true);
});

it('A70: of a company’s records the one that was made since, with every field as sent, is it', () => {
  const operation = { created_at: 50 * DAY_MS, checkpoint: { restored: true } } as never;
  const at = (day: number) => new Date(day * DAY_MS).toISOString();
  const sent = { name: 'Crane', origin_id: 'K-1' };
  const find = (records: readonly { id: number; created_at: string; name: string }[]) =>
    findMade(records, { sent, name: 'name', others: new Set([9]) }, { operation })?.id ?? null;
  const made = { id: 3, created_at: at(51), name: 'Crane', origin_id: 'K-1' };
  expect(find([made])).toBe(3);
  expect(find([{ ...made, created_at: at(40) }])).toBeNull();
  expect(find([{ ...made, name: 'Crane 2' }])).toBeNull();
  expect(find([{ ...made, origin_id: 'other' } as never])).toBeNull();
  expect(find([{ ...made, id: 9 }])).toBeNull();
});

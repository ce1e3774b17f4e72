/**
 * A bulk action on thousands of near misses: each is a separate operation in queue and journal, and the window stays responsive.
 * Wherever it ends (Stop, a dead host, a restarted window), rows, queue and journal agree.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { changeMany } from '../../../src/renderer/data/near-misses/bulk.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import type { SpotterDb } from '../../../src/renderer/data/db/db.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { cacheMany } from '../../support/renderer-cache.ts';
import { to } from '../../support/renderer-host.ts';
import { host, owner, until, windowPerTest, windows } from '../../support/renderer-window.ts';

const COUNT = 2_000;
const GONE: Problem = { kind: 'bug', detail: 'the host is gone' };

windowPerTest();

let window: StartedWindow;
let keys: string[];
beforeEach(async () => {
  host.up = false;
  window = await windows.start(host);
  await cacheMany(window.db, owner, emptyCatalog, COUNT, Date.now());
  keys = await window.db.near_misses.toCollection().primaryKeys();
});

/** Keys sent to the bin according to rows, queue and journal. */
const told = async (db: SpotterDb) => {
  const operations = await db.operations.toArray();
  const rows = await db.near_misses.filter((row) => row.bin === 1).primaryKeys();
  return {
    rows: rows.sort(),
    operations: operations.map((operation) => operation.lane).sort(),
    journal: [...host.journal.values()].map((operation) => operation.lane).sort(),
    kinds: [...new Set(operations.map((operation) => operation.kind))],
    unjournaled: operations.filter((operation) => operation.journaled === 0).length,
  };
};

it('outbox promise 1: thousands are queued and journalled one by one, the window has its turns; undo takes all back', async () => {
  const seen: number[] = [];
  let turns = 0;
  let over = false;
  const tick = () => {
    turns += 1;
    if (!over) setTimeout(tick, 0);
  };
  tick();
  const answer = await changeMany(window, 'recycle', keys, {
    progress: (done) => seen.push(done),
    allowed: () => true,
    signal: new AbortController().signal,
  });
  over = true;
  expect(answer).toMatchObject({ never_sent: 0, left: 0, problem: null });
  expect(answer.done).toEqual(keys);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(COUNT);
  // Progress is reported every few dozen, each time with turns for the person's input.
  expect(seen.length).toBeGreaterThanOrEqual(COUNT / 50);
  expect(turns).toBeGreaterThan(seen.length);
  const sorted = [...keys].sort();
  expect(await told(window.db)).toMatchObject({
    rows: sorted,
    operations: sorted,
    journal: sorted,
    kinds: ['near_miss.delete'],
  });
  const back = await changeMany(window, 'restore', answer.done, {
    progress: () => {},
    allowed: () => true,
    signal: new AbortController().signal,
  });
  expect(back.done).toHaveLength(COUNT);
  // Nothing is pending except the few operations whose sending had begun: the server may know of them.
  const left = await told(window.db);
  expect(left.rows).toEqual([]);
  expect(left.journal).toEqual(left.operations);
  const tried = (await window.db.operations.toArray()).filter(
    (operation) => operation.attempts > 0,
  );
  expect(left.operations).toEqual(tried.flatMap(({ lane }) => [lane, lane]).sort());
  expect(tried.length).toBeLessThan(100);
}, 300_000);

it('outbox promise 1: Stop ends it after the group under way: what is done is saved, what is left is as it was', async () => {
  const stop = new AbortController();
  const answer = await changeMany(window, 'recycle', keys, {
    progress: (done) => done >= COUNT / 3 && stop.abort(),
    allowed: () => true,
    signal: stop.signal,
  });
  expect(answer.problem).toBeNull();
  expect(answer.done.length + answer.left).toBe(COUNT);
  expect(answer.done.length).toBeGreaterThanOrEqual(COUNT / 3);
  expect(answer.done.length).toBeLessThan(COUNT / 2);
  const sorted = [...answer.done].sort();
  expect(await told(window.db)).toMatchObject({
    rows: sorted,
    operations: sorted,
    journal: sorted,
  });
}, 300_000);

it('outbox promise 1: a crash in the middle leaves each record as it was or queued; the next start journals the rest', async () => {
  let appended = 0;
  host.faults = [
    {
      at: 'before',
      on: (call) => to('journal.append')(call) && (appended += 1) > 10,
      problem: GONE,
      times: Infinity,
    },
  ];
  const answer = await changeMany(window, 'recycle', keys, {
    progress: () => {},
    allowed: () => true,
    signal: new AbortController().signal,
  });
  expect(answer.problem).toEqual(GONE);
  const before = await told(window.db);
  // Rows and queue are one transaction, so they never differ. The journal lacks the last group.
  expect(before.rows).toEqual(before.operations);
  expect(before.journal).toEqual([...answer.done].sort());
  expect(before.unjournaled).toBeGreaterThan(0);
  await window.stop();
  host.faults = [];
  const next = await windows.start(host);
  await until('all is journalled', async () => (await told(next.db)).unjournaled === 0);
  const after = await told(next.db);
  expect(after).toMatchObject({ rows: before.rows, operations: before.rows, journal: before.rows });
}, 300_000);

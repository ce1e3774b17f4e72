/**
 * Something done to thousands of near misses at once: each is its own entry on the queue and in the journal, the window has its
 * turns meanwhile, and wherever it ends (Stop, a host that is gone, a window that is started again) rows, queue and journal
 * say the same.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { changeMany } from '../../../src/renderer/data/bulk.ts';
import { emptyCatalog } from '../../../src/renderer/data/catalog.ts';
import type { SpotterDb } from '../../../src/renderer/data/db.ts';
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

/** Keys by what each of the three says was sent to the bin. */
const told = async (db: SpotterDb) => {
  const entries = await db.entries.toArray();
  const rows = await db.near_misses.filter((row) => row.bin === 1).primaryKeys();
  return {
    rows: rows.sort(),
    entries: entries.map((entry) => entry.lane).sort(),
    journal: [...host.journal.values()].map((entry) => entry.lane).sort(),
    kinds: [...new Set(entries.map((entry) => entry.kind))],
    unjournaled: entries.filter((entry) => entry.journaled === 0).length,
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
    signal: new AbortController().signal,
  });
  over = true;
  expect(answer).toMatchObject({ never_sent: 0, left: 0, problem: null });
  expect(answer.done).toEqual(keys);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(COUNT);
  // Told every few dozen, each time with turns for whatever the person does.
  expect(seen.length).toBeGreaterThanOrEqual(COUNT / 50);
  expect(turns).toBeGreaterThan(seen.length);
  const sorted = [...keys].sort();
  expect(await told(window.db)).toMatchObject({
    rows: sorted,
    entries: sorted,
    journal: sorted,
    kinds: ['near_miss.delete'],
  });
  const back = await changeMany(window, 'restore', answer.done, {
    progress: () => {},
    signal: new AbortController().signal,
  });
  expect(back.done).toHaveLength(COUNT);
  // Nothing waits any more, but for the few whose sending had begun: the server may know of those.
  const left = await told(window.db);
  expect(left.rows).toEqual([]);
  expect(left.journal).toEqual(left.entries);
  const tried = (await window.db.entries.toArray()).filter((entry) => entry.attempts > 0);
  expect(left.entries).toEqual(tried.flatMap(({ lane }) => [lane, lane]).sort());
  expect(tried.length).toBeLessThan(100);
}, 300_000);

it('outbox promise 1: Stop ends it after the group under way: what is done is saved, what is left is as it was', async () => {
  const stop = new AbortController();
  const answer = await changeMany(window, 'recycle', keys, {
    progress: (done) => done >= COUNT / 3 && stop.abort(),
    signal: stop.signal,
  });
  expect(answer.problem).toBeNull();
  expect(answer.done.length + answer.left).toBe(COUNT);
  expect(answer.done.length).toBeGreaterThanOrEqual(COUNT / 3);
  expect(answer.done.length).toBeLessThan(COUNT / 2);
  const sorted = [...answer.done].sort();
  expect(await told(window.db)).toMatchObject({ rows: sorted, entries: sorted, journal: sorted });
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
    signal: new AbortController().signal,
  });
  expect(answer.problem).toEqual(GONE);
  const before = await told(window.db);
  // The rows and the queue are one transaction: they never differ. The journal lacks the last group.
  expect(before.rows).toEqual(before.entries);
  expect(before.journal).toEqual([...answer.done].sort());
  expect(before.unjournaled).toBeGreaterThan(0);
  await window.stop();
  host.faults = [];
  const next = await windows.start(host);
  await until('all is journalled', async () => (await told(next.db)).unjournaled === 0);
  const after = await told(next.db);
  expect(after).toMatchObject({ rows: before.rows, entries: before.rows, journal: before.rows });
}, 300_000);

/** Insights, counted from this laptop's rows in the worker that the screen uses. */
import { ulid } from 'ulid';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDb, type NearMissRow, type SpotterDb } from '../../../src/renderer/data/db/db.ts';
import { askInsights, watchNearMisses } from '../../../src/renderer/data/index/insights-ask.ts';
import {
  type InsightQuestion,
  weeksLater,
  weekStart,
} from '../../../src/renderer/data/index/insights.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { slow } from '../../support/slow.ts';

const ACCOUNT = 'https://a.example#1#ann';
/** A Wednesday, noon local time. */
const NOW = new Date(2026, 10, 18, 12).getTime();
const MINUTE = 60_000;
const question: InsightQuestion = {
  account: ACCOUNT,
  project_id: 10,
  from: null,
  now: NOW,
  severity: { key: 'custom_field_1', options: ['Minor', 'Serious', 'Could have killed'] },
  kind: { key: 'custom_field_3', options: ['Near miss', 'Good catch'] },
  when: { key: 'custom_field_2' },
  answer: null,
  pin: null,
};

let db: SpotterDb;
beforeEach(async () => {
  db = createDb(`insights-${ulid()}`);
  await db.open();
});
afterEach(async () => {
  db.close();
  await Dexie.delete(db.name);
});

interface Told {
  readonly at: number;
  readonly harm?: number;
  readonly activity?: number;
  readonly severity?: string;
  readonly kind?: string;
  readonly happened?: number | string;
  readonly project_id?: number;
  readonly bin?: boolean;
}

const rowFor = (told: Told, key = ulid()): NearMissRow => {
  const { at, harm = null, activity = null, severity, kind, happened } = told;
  const row = rowOf(
    {
      key,
      account: ACCOUNT,
      company_id: 1,
      project_id: told.project_id ?? 10,
      server_id: null,
      server: null,
      created_at: at,
      updated_at: at,
      seen_at: at,
      removed_at: told.bin === true ? at : null,
      fields: {
        ...emptyFields,
        incident_id: 1,
        harm_source_id: harm,
        work_activity_id: activity,
        custom_fields: {
          ...(severity === undefined ? {} : { custom_field_1: severity }),
          ...(kind === undefined ? {} : { custom_field_3: kind }),
          ...(happened === undefined
            ? {}
            : {
                custom_field_2:
                  typeof happened === 'number' ? new Date(happened).toISOString() : happened,
              }),
        },
      },
    },
    null,
  );
  const name = (id: number | null, what: string) => (id === null ? '' : `${what} ${id}`);
  return {
    ...row,
    names: {
      ...row.names,
      harm_source: name(harm, 'Harm'),
      work_activity: name(activity, 'Activity'),
    },
  };
};

const put = (told: readonly Told[]) => db.near_misses.bulkAdd(told.map((one) => rowFor(one)));

it('per week, by source and severity, the heat map and the delay; other projects and the recycle bin are not counted', async () => {
  const monday = weekStart(NOW);
  await put([
    {
      at: NOW,
      harm: 1,
      activity: 5,
      severity: 'Minor',
      kind: 'Good catch',
      happened: NOW - 5 * MINUTE,
    },
    { at: monday, harm: 1, activity: 5, severity: 'Could have killed', happened: monday - 1 },
    { at: monday - 1, harm: 2, activity: 5, happened: monday - 2 * 60 * MINUTE },
    { at: weeksLater(monday, -3), harm: 1, severity: 'Odd', happened: 'noon' },
    { at: NOW - 1, happened: NOW + 60 * MINUTE },
    { at: NOW, harm: 1, project_id: 11 },
    { at: NOW, harm: 1, bin: true },
  ]);
  const found = await askInsights({ db }, question);
  expect(found.total).toBe(5);
  expect(found.weeks).toEqual([
    { start: weeksLater(monday, -3), count: 1, worst: 0 },
    { start: weeksLater(monday, -2), count: 0, worst: 0 },
    { start: weeksLater(monday, -1), count: 1, worst: 0 },
    { start: monday, count: 3, worst: 1 },
  ]);
  expect(found.by.harm_source).toEqual([
    { id: 1, name: 'Harm 1', count: 3, worst: 1 },
    { id: 2, name: 'Harm 2', count: 1, worst: 0 },
    { id: null, name: '', count: 1, worst: 0 },
  ]);
  expect(found.by.work_activity.map(({ id, count }) => [id, count])).toEqual([
    [5, 3],
    [null, 2],
  ]);
  expect(found.heat).toEqual([
    [2, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(found.severity).toEqual([
    { value: 'Minor', count: 1 },
    { value: 'Serious', count: 0 },
    { value: 'Could have killed', count: 1 },
    { value: 'Odd', count: 1 },
    { value: null, count: 2 },
  ]);
  expect(found.kind).toEqual([
    { value: 'Near miss', count: 0 },
    { value: 'Good catch', count: 1 },
    { value: null, count: 4 },
  ]);
  expect(found.delay).toEqual({
    median: 5 * MINUTE,
    counts: [2, 0, 1, 0],
    recorded: 3,
    not_recorded: 1,
    after_report: 1,
  });
});

it('a range counts whole weeks and shows those without any; a server without custom fields says what it can', async () => {
  const monday = weekStart(NOW);
  await put([
    { at: weeksLater(monday, -1) - 1, harm: 1 },
    { at: NOW, harm: 1, severity: 'Minor', happened: NOW },
  ]);
  const from = weeksLater(monday, -1);
  const found = await askInsights(
    { db },
    { ...question, from, severity: null, kind: null, when: null },
  );
  expect(found.total).toBe(1);
  expect(found.weeks.map(({ count }) => count)).toEqual([0, 1]);
  expect(found.severity).toEqual([]);
  expect(found.delay).toMatchObject({ median: null, recorded: 0, not_recorded: 1 });
});

it('weeks go by the calendar where clocks are changed', () => {
  const spring = weekStart(new Date(2026, 2, 23, 12).getTime());
  for (let week = 0; week < 60; week += 1) {
    const start = weeksLater(spring, week);
    expect(weekStart(start)).toBe(start);
    expect(new Date(start).getDay()).toBe(1);
    expect(new Date(start).getHours()).toBe(0);
  }
});

slow('thousands that share one moment are each counted once, and it can be cancelled', async () => {
  await put(Array.from({ length: 4_500 }, (_, n) => ({ at: n < 4_300 ? NOW : NOW + n, harm: 1 })));
  const seen: number[] = [];
  const found = await askInsights({ db }, question, {
    onProgress: ({ done, total }) => {
      seen.push(done);
      expect(total).toBe(4_500);
    },
  });
  expect(found.total).toBe(4_500);
  expect(seen.at(-1)).toBe(4_500);
  const stop = new AbortController();
  const cancelled = askInsights({ db }, question, { signal: stop.signal });
  stop.abort();
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
});

it('a change of a near miss is in the figures by the time it is told, a change of something else is not told', async () => {
  expect((await askInsights({ db }, question)).total).toBe(0);
  const totals: number[] = [];
  const stop = watchNearMisses({ db }, question, () => {
    void askInsights({ db }, question).then(({ total }) => totals.push(total));
  });
  await db.meta.put({ name: 'x', value: 1 });
  await put([{ at: NOW, harm: 1 }]);
  await expect.poll(() => totals).toEqual([1]);
  stop();
});

slow('a count that is left goes on being read: the next one is there at once', async () => {
  await put(Array.from({ length: 6_000 }, (_, n) => ({ at: NOW - n, harm: 1 + (n % 3) })));
  const stop = new AbortController();
  const left = askInsights({ db }, question, {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  const found = await askInsights({ db }, question);
  expect(found.total).toBe(6_000);
  const seen: number[] = [];
  expect(
    await askInsights({ db }, question, { onProgress: ({ done }) => seen.push(done) }),
  ).toEqual(found);
  expect(seen).toEqual([]);
});

it('what no database answers is an error, not a wait without end', async () => {
  db.close();
  await Dexie.delete(db.name);
  const other = indexedDB.open(db.name, 400_000);
  await new Promise((resolve, reject) => {
    other.onsuccess = resolve;
    other.onerror = reject;
  });
  other.result.close();
  await expect(askInsights({ db }, question)).rejects.toThrow(/Error/);
});

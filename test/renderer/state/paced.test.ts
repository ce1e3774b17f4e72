/**
 * Throttled reads while the database changes (state/throttle.ts), and what a screen may say of an empty list
 * (state/refreshing). Real Dexie.
 */
import { Dexie, type Table } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../../../src/contract/problem.ts';
import { throttled, type Throttled } from '../../../src/renderer/state/throttle.ts';
import { Refreshing } from '../../../src/renderer/state/refreshing.svelte.ts';
import { until } from '../../support/renderer-window.ts';

/** Long enough that the throttle pauses for many times the duration of a read, milliseconds. */
const COSTLY = 200;

let db: Dexie & { readonly rows: Table<{ readonly id: number }, number> };
let shown: number | null;
let reading: Throttled;
beforeEach(() => {
  db = new Dexie(`test-${ulid()}`) as typeof db;
  db.version(1).stores({ rows: 'id' });
  shown = null;
  const costly = async (): Promise<number> => {
    const end = performance.now() + COSTLY;
    while (performance.now() < end);
    return db.rows.count();
  };
  reading = throttled(costly, { next: (count) => (shown = count) });
});
afterEach(async () => {
  reading.stop();
  await db.delete();
});

it('a costly query rests, and yet tells at once what the database has when it is asked to', async () => {
  await until('the first answer', () => shown === 0);
  await db.rows.add({ id: 1 });
  await reading.now();
  expect(shown).toBe(1);
});

it('who waits for a reading that ends meanwhile waits no longer', async () => {
  const asked = reading.now();
  reading.stop();
  await asked;
  await reading.now();
});

it('what was brought is shown before the asking is over: a list is not called empty while its rows are drawn', async () => {
  await until('the first answer', () => shown === 0);
  const refreshing = new Refreshing();
  refreshing.shownBy(reading.now);
  await refreshing.run('rows', async () => {
    await db.rows.add({ id: 1 });
    return ok(null);
  });
  expect(refreshing.busy).toBe(false);
  expect(shown).toBe(1);
});

/** The queue's summary equals the store's content after any change: one row, hundreds at once, a range, another window. */
import { Dexie, liveQuery } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createDb,
  type OutboxOperation,
  type SpotterDb,
} from '../../../src/renderer/data/db/db.ts';
import {
  operationSummaries,
  type OperationSummary,
} from '../../../src/renderer/data/near-misses/queue-summary.ts';
import { makeOperation } from '../../../src/renderer/outbox/queue/operation-life.ts';
import { until } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

const A = 'account-a';
let db: SpotterDb;
let shown: readonly OperationSummary[] = [];
let answers = 0;
const closings: (() => void)[] = [];
beforeEach(async () => {
  db = createDb(`digest-${ulid()}`);
  const subscription = liveQuery(() => operationSummaries(db, A)).subscribe((value) => {
    shown = value;
    answers += 1;
  });
  closings.push(() => subscription.unsubscribe());
});
afterEach(async () => {
  for (const close of closings.splice(0)) close();
  db.close();
  await Dexie.delete(db.name);
});

let seq = 0;
const operation = (change: Partial<OutboxOperation> = {}): OutboxOperation => ({
  ...makeOperation(
    { kind: 'near_miss.create', version: 1, lane: ulid(), payload: {} },
    A,
    seq++,
    1,
  ),
  ...change,
});
/** The summary computed directly from the store. */
const inStore = async () =>
  (await db.operations.toArray())
    .filter(({ account }) => account === A)
    .map(({ id, state, lane }) => ({ id, state, lane }));
const sorted = <T extends { id: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
const agrees = async (what: string) => {
  await until(what, async () => {
    const told = sorted(shown).map(({ id, state, lane }) => ({ id, state, lane }));
    return JSON.stringify(told) === JSON.stringify(sorted(await inStore()));
  });
};

slow(
  'follows every way in which operations change: counts are derived from the store',
  async () => {
    const many = Array.from({ length: 2_500 }, () => operation());
    await db.operations.bulkPut(many);
    await agrees('hundreds at once');
    expect(shown).toHaveLength(2_500);
    await db.operations.update(many[3]?.id ?? '', { state: 'sending' });
    await agrees('one changed');
    await db.operations.bulkDelete(many.slice(0, 100).map(({ id }) => id));
    await agrees('a hundred gone');
    await db.operations
      .where('lane')
      .equals(many[200]?.lane ?? '')
      .modify({ state: 'parked' });
    await agrees('modified');
    await db.operations.put(operation({ account: 'account-b' }));
    await db.operations.put(operation());
    await agrees('another account is not told');
    const kept = many.slice(150, 300).map((one) => ({ ...one, state: 'parked' as const }));
    await db.transaction('rw', db.operations, async () => {
      await db.operations.bulkPut(kept);
      await db.operations.delete(many[1_000]?.id ?? '');
    });
    await agrees('more than fifty put at once, in a transaction');
    await db.operations
      .where('id')
      .above(many[1_500]?.id ?? '')
      .delete();
    await agrees('a range gone');
    await db.operations.clear();
    await agrees('all gone');
    expect(shown).toEqual([]);
  },
);

it('follows what another window does, and a photo tells its bytes', async () => {
  await until('asked once', () => answers > 0);
  const other = createDb(db.name);
  closings.push(() => other.close());
  const photo = {
    photo_id: ulid(),
    filename: 'a.jpg',
    size: 1_234,
    sha256: 'a'.repeat(64),
    content_type: 'image/jpeg',
    taken_at: null,
    gps: null,
    orientation: null,
  };
  const sent = { company_id: 1, project_id: 10, associate_key: ulid(), photo };
  const sending = operation({ kind: 'photo.send' });
  await other.operations.put({ ...sending, payload: { ...sent, key: sending.lane } });
  await agrees('written elsewhere');
  const { photo_id, size } = photo;
  expect(shown[0]).toMatchObject({ photo: { photo_id, size }, uploaded: false });
  await other.operations.update(shown[0]?.id ?? '', { checkpoint: { uploaded: true } });
  await until('told', () => shown[0]?.uploaded === true);
});

it('reads no row again that did not change', async () => {
  await db.operations.bulkPut(Array.from({ length: 1_000 }, () => operation()));
  await agrees('all there');
  let read = 0;
  const reading = (row: OutboxOperation): OutboxOperation => {
    read += 1;
    return row;
  };
  db.operations.hook('reading', reading);
  const one = shown[500]?.id ?? '';
  await db.operations.update(one, { state: 'parked' });
  await until('told', () => shown.some(({ id, state }) => id === one && state === 'parked'));
  expect(read).toBeLessThan(20);
});

/** The local history of a near miss: recorded with its details or not at all, bounded, honest after a rebuild. */
import { Dexie } from 'dexie';
import { expect, it } from 'vitest';
import { UNNAMED } from '../../../src/contract/text/who-saw.ts';
import type { OutboxOperation, QueueHistory, SpotterDb } from '../../../src/renderer/data/db/db.ts';
import { history, historyOf, HISTORY_MAX } from '../../../src/renderer/data/near-misses/history.ts';
import {
  deleteNearMiss,
  editNearMiss,
  restoreNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { photosOf } from '../../../src/renderer/data/photos/photos.ts';
import { removePhoto } from '../../../src/renderer/data/near-misses/photo-removal.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const told = async (window: StartedWindow, key: string) =>
  (await historyOf(window, owner.account, key)).map(({ event, kind }) => `${event} ${kind}`);
const done = (answer: { readonly ok: boolean }) => expect(answer.ok).toBe(true);

it('entered, changed before and after sending, recycled, restored, photos, delivered, in order with what changed', async () => {
  host.up = false;
  const window = await windows.start(host);
  const key = await capture(window, 'Board slid', [photoBytes(50, 1)]);
  done(await editNearMiss(window, key, { description: '<p>Board slid off</p>' }));
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  done(await editNearMiss(window, key, { harm_source_id: 3 }));
  await drained(window, host);
  done(await deleteNearMiss(window, key));
  await drained(window, host);
  done(await restoreNearMiss(window, key));
  await drained(window, host);
  const rows = await historyOf(window, owner.account, key);
  expect(rows.map(({ event, kind }) => `${event} ${kind}`).reverse()).toEqual([
    'queued near_miss.create',
    'queued photo.send',
    'changed near_miss.create',
    'delivered near_miss.create',
    'delivered photo.send',
    'queued near_miss.update',
    'delivered near_miss.update',
    'queued near_miss.delete',
    'delivered near_miss.delete',
    'queued near_miss.restore',
    'delivered near_miss.restore',
  ]);
  const of = (event: string, kind: string) =>
    rows.find((row) => row.event === event && row.kind === kind);
  expect(of('changed', 'near_miss.create')?.changes).toEqual([
    { name: 'description', before: 'Board slid', after: 'Board slid off' },
  ]);
  expect(of('queued', 'near_miss.update')?.changes).toEqual([
    { name: 'harm_source_id', before: null, after: 3 },
  ]);
  expect(of('delivered', 'photo.send')?.filename).toBe('photo-0.jpg');
});

it('A26: what is taken back is told; of a near miss that was never sent and deleted nothing is left', async () => {
  host.up = false;
  const window = await windows.start(host);
  // An attempt that began may have reached the server: then the record is recycled, not gone.
  await window.engine.stop();
  const key = await capture(window, 'Never sent', [photoBytes(50, 1), photoBytes(60, 2)]);
  const row = await window.db.near_misses.get(key);
  const [photo] = await photosOf(window, row ?? { key, server: null });
  if (photo === undefined) throw new Error('no photo');
  done(await removePhoto(window, key, photo));
  expect((await told(window, key))[0]).toBe('dropped photo.send');
  done(await deleteNearMiss(window, key));
  expect(await told(window, key)).toEqual([]);
});

it('a refresh and other people’s changes are not told as done here', async () => {
  const id = host.add({ description: '<p>Theirs</p>' });
  const window = await windows.start(host);
  await refreshNearMisses(window, owner);
  expect(id).toBeTruthy();
  expect(await window.db.history.count()).toBe(0);
});

it('A18: after the store is lost it tells what came back from the journal, and that the rest is gone', async () => {
  host.up = false;
  const first = await windows.start(host);
  const key = await capture(first, 'Kept by the journal');
  await first.stop();
  await Dexie.delete(windows.db_name);
  const window = await windows.start(host);
  const rows = await historyOf(window, owner.account, key);
  expect(rows.map(({ event, kind }) => `${event} ${kind}`)).toEqual([
    'rebuilt near_miss.create',
    'queued near_miss.create',
  ]);
});

slow('is bounded: the oldest notes go first', async () => {
  host.up = false;
  const window = await windows.start(host);
  // The engine's own notes would interfere.
  await window.engine.stop();
  const { db } = window;
  await capture(window, 'One');
  const [sample] = await db.history.toArray();
  const operation = await db.operations.toCollection().first();
  if (sample === undefined || operation === undefined) throw new Error('nothing was queued');
  const { id: _id, ...note } = sample;
  await db.history.bulkAdd(
    Array.from({ length: HISTORY_MAX + 700 }, (_, n) => ({ ...note, key: `other-${n}` })),
  );
  const many = Array.from({ length: 500 }, () => operation);
  await db.transaction('rw', db.history, () => history.delivered(db, many, 1));
  expect(await db.history.count()).toBe(HISTORY_MAX);
  expect((await db.history.orderBy('id').first())?.key).toMatch(/^other-/);
});

it('the queue notes with the history it is handed and no other, in the transaction of what it does', async () => {
  host.up = false;
  const heard: string[] = [];
  const hear =
    (event: string) => (db: SpotterDb, given: OutboxOperation | readonly OutboxOperation[]) => {
      expect(Dexie.currentTransaction.db).toBe(db);
      const operations = Array.isArray(given) ? (given as readonly OutboxOperation[]) : [given];
      heard.push(
        ...(operations as readonly OutboxOperation[]).map(({ kind }) => `${event} ${kind}`),
      );
      return Dexie.Promise.resolve();
    };
  const own: QueueHistory = {
    tables: () => [],
    queued: hear('queued'),
    changed: (db, _old, operation) => hear('changed')(db, operation),
    dropped: hear('dropped'),
    delivered: hear('delivered'),
    rebuilt: hear('rebuilt'),
    undone: hear('undone'),
    forget: () => Dexie.Promise.resolve(),
  };
  const { db_name } = windows;
  const first = await windows.start(host, db_name, { history: own });
  // An attempt that began may have reached the server, which changes how later operations are described.
  await first.engine.stop();
  const key = await capture(first, 'Heard', [photoBytes(50, 1), photoBytes(60, 2)]);
  done(await editNearMiss(first, key, { description: '<p>Heard again</p>' }));
  const [, photo] = await photosOf(first, { key, server: null });
  if (photo === undefined) throw new Error('no photo');
  done(await removePhoto(first, key, photo));
  await first.stop();
  await Dexie.delete(db_name);
  const window = await windows.start(host, db_name, { history: own });
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect(heard).toEqual([
    'queued near_miss.create',
    'queued photo.send',
    'queued photo.send',
    'changed near_miss.create',
    'dropped photo.send',
    'rebuilt near_miss.create',
    'rebuilt photo.send',
    'delivered near_miss.create',
    'delivered photo.send',
  ]);
  expect(await window.db.history.count()).toBe(0);
});

it('decisions §4.12: the notes of a near miss forget the name of somebody who now stays unnamed', async () => {
  host.up = false;
  const window = await windows.start(host);
  const key = await capture(window, 'Board slid');
  // What is on its way is not edited in its place.
  await expect
    .poll(async () => (await window.db.operations.toArray()).map(({ state }) => state))
    .toEqual(['waiting']);
  const saw = (text: string, more: object = {}) =>
    editNearMiss(window, key, { custom_fields: { custom_field_9: text }, ...more });
  done(await saw('Ulrike Sterz', { description: '<p>Board slid off</p>' }));
  expect(JSON.stringify(await historyOf(window, owner.account, key))).toContain('Sterz');
  done(await saw(UNNAMED));
  const kept = JSON.stringify(await historyOf(window, owner.account, key));
  expect(kept).not.toContain('Sterz');
  expect(kept).toContain(UNNAMED);
  expect(kept).toContain('Board slid off');
  expect(JSON.stringify(await window.db.operations.toArray())).not.toContain('Sterz');
});

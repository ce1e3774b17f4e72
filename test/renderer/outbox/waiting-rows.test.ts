/** Optimistic rows: each kind declares its rows, for rebuild, import and cancel alike. */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import type { OutboxOperation } from '../../../src/renderer/data/db/db.ts';
import { makeOperation } from '../../../src/renderer/outbox/queue/operation-life.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import { rowsOf } from '../../../src/renderer/outbox/handlers/index.ts';
import { cancelOperation } from '../../../src/renderer/outbox/queue/queue.ts';
import { dropRows, putRows } from '../../../src/renderer/outbox/handlers/optimistic-rows.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
import { newLanes, samplesOf } from '../../support/renderer-queue-samples.ts';
import {
  capture,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const photoNamed = (filename: string) => ({
  photo_id: ulid(),
  filename,
  size: 5,
  sha256: '0'.repeat(64),
  content_type: 'image/jpeg',
  taken_at: null,
  gps: null,
  orientation: null,
});

/** One operation of every kind. */
const queueOf = (): readonly OutboxOperation[] => {
  const said = { text: 'Board slid', id: 7, flag: false };
  const samples = samplesOf(newLanes(), said, [photoNamed('a.jpg')], photoNamed('b.jpg'));
  return samples.map((sample, at) => makeOperation(sample as never, ACCOUNT, at + 1, 1_000 + at));
};

const stopped = async () => {
  host.up = false;
  const window = await windows.start(host);
  await window.engine.stop();
  return window;
};

describe('rows that are here because an operation waits', () => {
  it('are a near miss, a photo or a file, and none of all other kinds', () => {
    const brought = queueOf().flatMap((operation) =>
      rowsOf(operation).map(({ table, key, row }) => ({ kind: operation.kind, table, key, row })),
    );
    const record = { created_at: expect.any(Number) as number, account: ACCOUNT };
    const made = {
      kind: 'near_miss.create',
      table: 'near_misses',
      row: { ...record, server_id: null, title: 'Board slid' },
    };
    expect(brought).toHaveLength(4);
    expect(brought.filter(({ table }) => table === 'near_misses')).toMatchObject([made, made]);
    expect(brought.filter(({ table }) => table === 'photos')).toMatchObject([
      { kind: 'photo.send', row: { ...record, filename: 'a.jpg', state: 'waiting' } },
    ]);
    expect(brought.filter(({ table }) => table === 'tm_attachments')).toMatchObject([
      { kind: 'tm_attachment.create', row: { ...record, filename: 'b.jpg', state: 'waiting' } },
    ]);
  });

  it('are put where they are missing, and go; a near miss that the server has, or that something waits for, stays', async () => {
    const { db } = await stopped();
    const rows = queueOf().flatMap(rowsOf);
    const tables = [db.operations, db.near_misses, db.photos, db.tm_attachments];
    const counts = () => Promise.all(tables.map((table) => table.count()));
    const within = (work: () => Promise<void>) =>
      db.transaction('rw', tables, async () => await work());
    await within(() => putRows(db, rows));
    expect(await counts()).toEqual([0, 2, 1, 1]);
    await db.photos.toCollection().modify({ filename: 'as it is here' });
    await within(() => putRows(db, rows));
    expect((await db.photos.toCollection().first())?.filename).toBe('as it is here');
    const [one] = await db.near_misses.toCollection().primaryKeys();
    await db.near_misses.update(one ?? '', { server_id: 3 });
    await within(() => dropRows(db, rows));
    expect(await counts()).toEqual([0, 1, 0, 0]);
    await db.near_misses.update(one ?? '', { server_id: null });
    const waits = queueOf().map((operation) => ({ ...operation, lane: one ?? '' }));
    await db.operations.bulkAdd(waits);
    await within(() => dropRows(db, rows));
    expect(await db.near_misses.toCollection().primaryKeys()).toEqual([one]);
    await db.operations.clear();
    await within(() => dropRows(db, rows));
    expect(await counts()).toEqual([0, 0, 0, 0]);
  });

  it('A18: a near miss of which the journal has no more than its operations comes back as these tell it', async () => {
    const first = await stopped();
    const key = await capture(first, 'Told by its operation', [photoBytes(60, 1)]);
    await first.stop();
    for (const line of host.journal.values()) Object.assign(line, { record: undefined });
    await Dexie.delete(windows.db_name);
    const { db } = await windows.start(host);
    expect(await db.near_misses.get(key)).toMatchObject({
      ...owner,
      title: 'Told by its operation',
      server_id: null,
    });
    expect(await db.photos.where('near_miss_key').equals(key).count()).toBe(1);
  });
});

describe('a photo that waits and whose row is lost', () => {
  slow('leaves with the export all the same, and comes in on another laptop', async () => {
    const first = await stopped();
    const key = await capture(first, 'Its row is lost', [photoBytes(60, 1)]);
    await first.db.photos.clear();
    const { response } = await exportItems(first, ACCOUNT, files);
    const offer = await offerImport(await response.blob(), owner);
    if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
    const other = new ScriptedHost(host);
    const second = await windows.start(other, `${windows.db_name}-other`);
    expect(await importItems(second, offer.value, ACCOUNT)).toMatchObject({
      ok: true,
      value: { records: 1, photos: 1 },
    });
    expect(await second.db.photos.where('near_miss_key').equals(key).count()).toBe(1);
  });

  it('leaves no bytes behind when it is taken back', async () => {
    const window = await stopped();
    await capture(window, 'Its row is lost', [photoBytes(60, 1)]);
    await window.db.photos.clear();
    const operations = await window.db.operations.orderBy('id').toArray();
    expect(await cancelOperation(window, operations.at(-1)?.id ?? '')).toMatchObject({ ok: true });
    expect(await window.db.operations.count()).toBe(1);
    expect([...host.spool.keys()]).toEqual([]);
  });
});

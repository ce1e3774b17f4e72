/**
 * Stores of every released version with a full queue, opened by the code of today (failures A28). A fixture is what that
 * version wrote: its schema, every row of every store, the journal beside it and the server's side. A released fixture is
 * never edited; a new DB_VERSION brings a new one, and this file fails until it does.
 */
import { Dexie } from 'dexie';
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/contract/host.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { DB_VERSION } from '../../../src/renderer/data/db.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import { host, photoBytes, until, windowPerTest, windows } from '../../support/renderer-window.ts';
import store1 from '../fixtures/store-1.json' with { type: 'json' };
import store2 from '../fixtures/store-2.json' with { type: 'json' };
import store3 from '../fixtures/store-3.json' with { type: 'json' };
import store4 from '../fixtures/store-4.json' with { type: 'json' };

windowPerTest();

interface Fixture {
  readonly version: number;
  readonly stores: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  readonly journal: readonly JournalEntry[];
  readonly links: readonly (readonly [string, number])[];
  readonly server: {
    readonly near_misses: readonly NearMiss[];
    readonly etags: readonly (readonly [number, number])[];
  };
}

const fixtures = [store1, store2, store3, store4] as unknown as readonly Fixture[];

const hex = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** Host and service as they were when the fixture was written. Photos are told by their size. */
const setScene = async (fixture: Fixture): Promise<void> => {
  for (let id = 0; id < 20; id += 1) host.add(); // ids the server has given away already
  host.near_misses.clear();
  for (const record of fixture.server.near_misses)
    host.near_misses.set(record.id, { ...record, account: ACCOUNT });
  for (const [id, tag] of fixture.server.etags) host.service.etags.set(id, tag);
  for (const entry of fixture.journal) host.journal.set(entry.id, entry);
  for (const [local, server] of fixture.links) host.links.set(local, server);
  const seeds: Record<number, number> = { 300: 1, 400: 2, 200: 3, 250: 4 };
  const files = fixture.rows['tm_attachments'] ?? [];
  for (const row of [...(fixture.rows['photos'] ?? []), ...files]) {
    const size = Number(row['size']);
    const bytes = photoBytes(size, seeds[size] ?? 0);
    const filename = String(row['filename']);
    host.spool.set(String(row['photo_id'] ?? row['key']), {
      bytes,
      filename,
      sha256: await hex(bytes),
    });
  }
};

/** The store as the older version left it on disk. */
const writeStore = async (fixture: Fixture): Promise<void> => {
  const old = new Dexie(windows.db_name);
  old.version(fixture.version).stores(fixture.stores);
  await old.open();
  for (const [name, rows] of Object.entries(fixture.rows)) await old.table(name).bulkPut([...rows]);
  old.close();
};

/** What the fixture's queue comes to: every write once, the refused one still parked. */
const delivered = async (fixture: Fixture, left: () => Promise<number>): Promise<void> => {
  const fresh = (words: string) =>
    [...host.near_misses.values()].filter((one) => one.description === `<p>${words}</p>`);
  await until('all but the refused one are delivered', async () => (await left()) === 1);
  await until('the photos too', () => fresh('New, with two photos')[0]?.attachments?.length === 2);
  expect(fresh('New, with two photos')).toHaveLength(1);
  expect(fresh('New, and being sent')).toHaveLength(1);
  expect([...host.near_misses.values()].map((one) => one.description)).toContain(
    '<p>Edited words</p>',
  );
  const of = (words: string) =>
    host.near_misses.get(fresh(words)[0]?.id ?? 0) ?? { deleted_at: undefined };
  expect(of('On the server, deleted here').deleted_at).toBeTruthy();
  expect(of('On the server, deleted and restored').deleted_at).toBeFalsy();
  expect(host.near_misses.size).toBe(5);
  const files = fixture.rows['tm_attachments'] ?? [];
  expect([...host.entry_files.values()].map((one) => one.filename)).toEqual(
    files.map((row) => row['filename']),
  );
};

it('A28: every released version of the store has a fixture', () => {
  expect(fixtures.map(({ version }) => version)).toEqual(
    Array.from({ length: DB_VERSION }, (_, at) => at + 1),
  );
});

for (const fixture of fixtures) {
  it(`A28: a full queue of store version ${fixture.version} is opened, shown and delivered once; what it cannot read is kept`, async () => {
    await setScene(fixture);
    await writeStore(fixture);
    host.up = false;
    const window = await windows.start(host);
    expect(window.db.verno).toBe(DB_VERSION);
    expect(window.repaired).toMatchObject({ rebuilt: 0, quarantined: 0 });
    expect(await window.db.entries.count()).toBe(fixture.rows['entries']?.length);
    expect(await window.db.near_misses.count()).toBe(fixture.rows['near_misses']?.length);
    expect(await window.db.photos.count()).toBe(fixture.rows['photos']?.length);
    expect(await window.db.drafts.toArray()).toEqual(fixture.rows['drafts']);
    expect(await window.db.tm_attachments.toArray()).toEqual(fixture.rows['tm_attachments'] ?? []);
    host.up = true;
    window.engine.wake();
    await delivered(fixture, () => window.db.entries.count());
    expect((await window.db.entries.toArray())[0]).toMatchObject({ state: 'parked' });
    expect((await window.db.quarantine.toArray())[0]?.raw).toMatchObject({
      payload: { of: 'a later version' },
    });
    expect(await window.db.drafts.count()).toBe(fixture.rows['drafts']?.length);
  });

  it(`A28: a journal written beside store version ${fixture.version} brings the same queue back without the store`, async () => {
    await setScene(fixture);
    const window = await windows.start(host);
    expect(window.repaired.rebuilt).toBe(fixture.journal.length);
    await delivered(fixture, () => window.db.entries.count());
  });
}

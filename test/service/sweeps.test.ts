/** Automatic deletions besides expired uploads: files without a row, and expired idempotency responses. */
import { randomUUID } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { databaseOf, onPostgres } from '../support/database.ts';
import { DAY, HOUR, post, random, startFixture, type Fixture } from './uploads/support.ts';
import { slow } from '../support/slow.ts';

const KEY_WINDOW = 30 * DAY;

const pathOf = (fixture: Fixture, uuid: string): string =>
  join(fixture.folder, 'files/parts', uuid.slice(0, 2), `${uuid}.form-x`);

/**
 * Waits for the start's sweep, which marks the files as this service's. In an unmarked folder where it found only unknown
 * files, a sweep would never delete anything.
 */
const claimed = async (fixture: Fixture): Promise<Fixture> => {
  await expect.poll(() => existsSync(join(fixture.folder, 'files.owner'))).toBe(true);
  return fixture;
};

/** Bytes without a row, `age` ms old by the test's clock. */
const orphan = async (fixture: Fixture, age: number): Promise<string> => {
  const uuid = randomUUID();
  const part = await fixture.service.app.uploads.files.begin(uuid, 'form-x');
  await part.write(random(100));
  await part.commit();
  const at = (fixture.now() - age) / 1000;
  utimesSync(pathOf(fixture, uuid), at, at);
  return uuid;
};

const remaining = (fixture: Fixture, uuids: readonly string[]): boolean[] =>
  uuids.map((uuid) => existsSync(pathOf(fixture, uuid)));

it('decisions §5.6: files without a row are deleted once they are a day old, whatever else is there stays', async () => {
  const fixture = await claimed(await startFixture());
  const upload = await fixture.create({ response_filename: 'a.jpg' });
  expect((await post(upload, random(500))).status).toBe(204);
  const [kept] = Object.keys(fixture.files());
  const path = join(fixture.folder, 'files', kept ?? '');
  utimesSync(path, 0, 0); // very old, but it has a row
  const old = await orphan(fixture, DAY + HOUR);
  const young = await orphan(fixture, DAY - HOUR);

  // Not counted: the start's sweep may have been first.
  await fixture.service.app.uploads.sweepOrphans();
  expect(remaining(fixture, [old, young])).toEqual([false, true]);
  expect(existsSync(path)).toBe(true);
  expect(await fixture.service.app.uploads.sweepOrphans()).toBe(0);
  fixture.advance(2 * HOUR);
  expect(await fixture.service.app.uploads.sweepOrphans()).toBe(1);
  expect(remaining(fixture, [young])).toEqual([false]);
});

slow(
  'decisions §5.6: more orphans than one batch are all found, by the sweeper itself after a restart',
  async () => {
    const fixture = await claimed(await startFixture());
    const uuids = await Promise.all(Array.from({ length: 450 }, () => orphan(fixture, 2 * DAY)));
    const again = await fixture.restart();
    await expect.poll(() => remaining(again, uuids).filter(Boolean).length).toBe(0);
  },
);

it('decisions §5.6: files that came with another database are never touched', async () => {
  const fixture = await claimed(await startFixture());
  // Stopped first, so that its start's sweep, which still owned the files, does not find them.
  await fixture.service.stop();
  writeFileSync(join(fixture.folder, 'files.owner'), randomUUID());
  const old = await orphan(fixture, 9 * DAY);
  const again = await fixture.restart();
  expect(await again.service.app.uploads.sweepOrphans()).toBe(0);
  expect(remaining(again, [old])).toEqual([true]);
});

it('decisions §1.5: answers kept for more than 30 days are deleted at the next start, in batches; others stay', async () => {
  const fixture = await startFixture();
  const { store } = fixture.service.app;
  const row = (key: string, created_at: number) => ({
    company_id: fixture.owner.company_id,
    user_id: fixture.owner.user_id,
    method: 'POST',
    path: '/x',
    key,
    fingerprint: 'f',
    status: 201,
    body: '{}',
    headers: '{}',
    created_at,
    size: 2,
  });
  const keys = [
    ...Array.from({ length: 450 }, (_, n) => row(`old-${n}`, fixture.now() - KEY_WINDOW - 1 - n)),
    row('young', fixture.now() - KEY_WINDOW + HOUR),
  ];
  await store.write((tx) => tx.insertInto('idempotency_keys').values(keys).execute());
  const again = await fixture.restart();
  const left = () => again.service.app.store.read.selectFrom('idempotency_keys').select('key');
  await expect.poll(() => left().execute()).toEqual([{ key: 'young' }]);
});

/** The plan of a query; on PostgreSQL with full scans made unattractive. */
const planOf = async (fixture: Fixture, text: string): Promise<string> => {
  const { options, query } = await databaseOf(fixture.folder);
  if (!onPostgres) return JSON.stringify(await query(`explain query plan ${text}`));
  const client = new pg.Client({
    connectionString: options['database-url'] ?? '',
    options: '-c enable_seqscan=off',
  });
  await client.connect();
  const { rows } = await client.query(`explain ${text}`);
  await client.end();
  return JSON.stringify(rows);
};

it('decisions §5.6: whose files these are is looked up by an index, however many there are', async () => {
  const fixture = await startFixture();
  const plan = await planOf(
    fixture,
    `select substr(storage_key, 1, 36) from stored_files
     where company_id in (select id from companies) and substr(storage_key, 1, 36) in ('a', 'b')`,
  );
  expect(plan).toContain('stored_files_by_upload');
  expect(plan).not.toMatch(/SCAN stored_files|Seq Scan on stored_files/);
});

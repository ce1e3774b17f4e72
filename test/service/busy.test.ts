/** Another process holds the SQLite database, or its pages are damaged. postgres/outage.test.ts covers PostgreSQL's outages. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/service/options.ts';
import { SqliteState } from '../../src/service/store/engine/sqlite/sqlite-waiting.ts';
import { DatabaseUnavailable } from '../../src/service/store/engine/db.ts';
import { onPostgres } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';

const list = '~/incidents/near_misses';
const near_miss = { near_miss: { incident_id: 1, description: 'while it is held' } };

const start = async (options: Partial<Options> = {}) => {
  const t = await startTestService(options);
  onTestFinished(() => t.stop());
  return t;
};

/** Holds the database as a backup tool or scanner does. */
const hold = (folder: string): (() => void) => {
  const db = new SQLite(join(folder, 'spotter.db'));
  db.exec('begin immediate');
  return () => {
    db.exec('rollback');
    db.close();
  };
};

describe.skipIf(onPostgres)('failures S29: another process holds SQLite', () => {
  it('failures S29: a write waits beside reads that are answered, and goes through when the other lets go', async () => {
    const t = await start({ 'database-busy-timeout': 60_000 });
    const release = hold(t.data_dir);
    let done = false;
    const write = t.demo.post(list, near_miss).then((answer) => {
      done = true;
      return answer;
    });
    for (let n = 0; n < 5; n += 1) expect((await t.demo.get('/rest/v1.0/me')).status).toBe(200);
    expect(done).toBe(false);
    release();
    expect((await write).status).toBe(201);
  });

  slow(
    'failures S29: held for longer it is a 503 with Retry-After, whoever else waits is told soon, and nothing was written',
    async () => {
      const t = await start({ 'database-busy-timeout': 300 });
      const before = (await t.demo.get(`${list}?per_page=1`)).headers.get('total');
      const release = hold(t.data_dir);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          t.demo.post(list, near_miss, { 'idempotency-key': `held-${n}` }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
      const [one] = answers;
      expect(one?.json.errors[0]).toContain('Try again');
      release();
      expect((await t.demo.get(`${list}?per_page=1`)).headers.get('total')).toBe(before);
      const again = await t.demo.post(list, near_miss, { 'idempotency-key': 'held-0' });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    },
  );

  slow('failures S29: a statement that reads waits and gives up alike', async () => {
    const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    const state = new SqliteState(1_000);
    let tries = 0;
    const reading = state.run(() => {
      tries += 1;
      return tries < 3 ? Promise.reject(busy) : Promise.resolve('read');
    });
    expect(await reading).toBe('read');
    await expect(state.run(() => Promise.reject(busy))).rejects.toBeInstanceOf(DatabaseUnavailable);
    tries = 0;
    const next = state.run(() => {
      tries += 1;
      return Promise.reject(busy);
    });
    await expect(next).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(tries).toBe(1); // later requests do not wait again
  });

  slow('decisions §10: /healthz notices damaged pages once a request has met one', async () => {
    const t = await start();
    for (let n = 0; n < 40; n += 1) await t.demo.post(list, near_miss);
    await t.service.app.store.write(() => Promise.resolve());
    const db = new SQLite(join(t.data_dir, 'spotter.db'));
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    expect((await fetch(`${t.url}/healthz`)).status).toBe(200);
    const path = join(t.data_dir, 'spotter.db');
    const file = openSync(path, 'r+');
    for (let at = 4096; at < statSync(path).size; at += 4096)
      writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, at);
    closeSync(file);
    let status = 200;
    for (let page = 1; page < 200 && status === 200; page += 1)
      status = (await t.demo.get(`${list}?per_page=1&page=${page}&filters[query]=x${page}`)).status;
    expect((await fetch(`${t.url}/healthz`)).status).toBe(503);
  });

  slow(
    'decisions §10: /healthz notices a damaged page that no request reads, soon after the start',
    { timeout: 300_000 },
    async () => {
      const t = await start();
      const path = join(t.data_dir, 'spotter.db');
      expect(await t.service.app.store.checkPages(new AbortController().signal)).toBeNull();
      await t.service.stop();
      const db = new SQLite(path);
      // A table the service never reads, so only the check of every page can find the damage.
      db.exec('create table never_read (text)');
      db.prepare('insert into never_read values (?)').run('x'.repeat(3_000));
      db.prepare('insert into never_read values (?)').run('y'.repeat(3_000));
      const page = db
        .prepare<[], number>("select max(pageno) from dbstat where name = 'never_read'")
        .pluck()
        .get();
      const size = Number(db.pragma('page_size', { simple: true }));
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(size, 0xff), 0, size, (Number(page) - 1) * size);
      closeSync(file);
      await t.restart();
      const health = async () => (await t.demo.get('/healthz')).json;
      await expect
        .poll(health)
        .toMatchObject({ status: 'failing', detail: expect.stringContaining('daily copy') });
      expect((await t.demo.get('/healthz')).status).toBe(503);
      expect((await t.demo.get(list)).status).toBe(200);
    },
  );
});

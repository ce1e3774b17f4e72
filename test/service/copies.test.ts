/** The daily copy of a laptop's only database, and its restore; decisions §10. */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  listCopies,
  makeCopy,
  NoCopy,
  restoreCopy,
} from '../../src/service/store/backup/copies.ts';
import { DataDirBusy } from '../../src/service/store/engine/lock.ts';
import { onPostgres } from '../support/database.ts';
import { runCli, startTestService, type TestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';

const DAY = 86_400_000;
const namesOf = async (folder: string) => (await listCopies(folder)).map(({ name }) => name);

const start = async (copies = 0): Promise<TestService> => {
  const t = await startTestService({ 'daily-copies': copies });
  onTestFinished(() => t.stop());
  return t;
};

describe.skipIf(onPostgres)('daily copies', () => {
  it('decisions §10: one a day, made while the service runs, private; the newest are kept', async () => {
    const t = await start(2);
    const first = 'spotter-2026-01-15.db';
    await expect.poll(() => namesOf(t.data_dir)).toEqual([first]);
    const path = join(t.data_dir, 'copies', first);
    // Windows lacks these modes; there the folder's access list decides (src/disk).
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(t.data_dir, 'copies')).mode & 0o777).toBe(0o700);
    }
    expect(await makeCopy(t.data_dir, t.clock.now(), 2)).toBe(false);
    for (const days of [1, 2]) await makeCopy(t.data_dir, t.clock.now() + days * DAY, 2);
    expect(await namesOf(t.data_dir)).toEqual(['spotter-2026-01-17.db', 'spotter-2026-01-16.db']);
    expect(existsSync(join(t.data_dir, 'copies', 'making.partial'))).toBe(false);
  });

  slow(
    'decisions §10: a copy is restored in the place of the database; what was there is moved aside, nothing is deleted',
    async () => {
      const t = await start();
      const create = (title: string) => t.demo.post('~/incidents', { incident: { title } });
      const idOf = ({ json }: { readonly json: unknown }): number => (json as { id: number }).id;
      await create('before the copy');
      await makeCopy(t.data_dir, t.clock.now(), 7);
      const later = idOf(await create('after the copy'));
      const [name = ''] = await namesOf(t.data_dir);
      await expect(restoreCopy(t.data_dir, name, t.clock.now())).rejects.toBeInstanceOf(
        DataDirBusy,
      );
      await t.service.stop();
      await expect(restoreCopy(t.data_dir, '../spotter.db', 0)).rejects.toBeInstanceOf(NoCopy);
      const { code, stdout } = await runCli(['copies', 'restore', name, '--data-dir', t.data_dir]);
      expect(code).toBe(0);
      const { replaced } = JSON.parse(stdout) as { replaced: string };
      expect(readdirSync(join(t.data_dir, replaced))).toContain('spotter.db');
      await t.restart();
      const titles = ((await t.demo.get('~/incidents')).json as { title: string }[]).map(
        ({ title }) => title,
      );
      expect(titles).toContain('before the copy');
      expect(titles).not.toContain('after the copy');
      // Photos newer than the copy have no row in it, and are kept in case the other database is brought back.
      expect(await t.service.app.uploads.sweepOrphans()).toBe(0);
      const old = new SQLite(join(t.data_dir, replaced, 'spotter.db'), { readonly: true });
      expect(
        old.prepare("select count(*) as n from incidents where title like 'after%'").get(),
      ).toEqual({ n: 1 });
      old.close();
      // A late change to the lost record does not reach another record.
      expect(idOf(await create('after the restore'))).toBeGreaterThan(later);
    },
  );

  slow(
    'decisions §10: a database gone or unreadable: ids jump instead, and a folder without a database takes the copy',
    async () => {
      const t = await start();
      const create = async (title: string): Promise<number> =>
        ((await t.demo.post('~/incidents', { incident: { title } })).json as { id: number }).id;
      await makeCopy(t.data_dir, t.clock.now(), 7);
      const later = await create('after the copy');
      await t.service.stop();
      const [name = ''] = await namesOf(t.data_dir);
      for (const one of ['spotter.db', 'spotter.db-wal', 'spotter.db-shm'])
        rmSync(join(t.data_dir, one), { force: true });
      await restoreCopy(t.data_dir, name, t.clock.now());
      await t.restart();
      expect(await create('after the restore')).toBeGreaterThan(later);
    },
  );

  slow('decisions §10: a damaged database makes no copy, and pushes no sound one out', async () => {
    const t = await start();
    await makeCopy(t.data_dir, t.clock.now(), 1);
    await t.service.stop();
    const path = join(t.data_dir, 'spotter.db');
    const file = openSync(path, 'r+');
    for (let at = 8192; at < statSync(path).size; at += 4096)
      writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, at);
    closeSync(file);
    await expect(makeCopy(t.data_dir, t.clock.now() + DAY, 1)).rejects.toThrow();
    expect(await namesOf(t.data_dir)).toEqual(['spotter-2026-01-15.db']);
    await restoreCopy(t.data_dir, 'spotter-2026-01-15.db', t.clock.now());
    await t.restart();
    expect((await t.demo.get('~/incidents')).status).toBe(200);
  });
});

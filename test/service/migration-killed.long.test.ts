/** A process that dies, or runs out of space, during a migration: the next start migrates as if it had not begun. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { databaseOf, onPostgres } from '../support/database.ts';
import { asSecondVersion, FIRST, RELEASED, SECOND } from '../support/second-version.ts';
import { bareDemo, runCli, spawnService, tempDir } from '../support/service.ts';
import { makeSmallDisk, smallDiskMissing } from '../support/small-disk.ts';

const scene = async () => {
  const dir = tempDir('migration-killed');
  const database = await databaseOf(dir.path);
  onTestFinished(async () => {
    await database.drop();
    dir.remove();
  });
  return { path: dir.path, database, list: ['token', 'list', '--data-dir', dir.path] };
};

/** Windows has no SIGKILL: a killed process ends with a code of its own. */
const windows = process.platform === 'win32';

it.skipIf(windows)(
  'failures S4: killed before any statement of a migration, nothing is changed, and the next start finishes it',
  async () => {
    const { path, database, list } = await scene();
    const service = await spawnService(bareDemo(path));
    await service.end();
    const content = async () => [
      await database.query('select * from near_misses order by id'),
      await database.query('select name from kysely_migration'),
    ];
    const before = await content();
    const kill = (statement: number) =>
      runCli(list, asSecondVersion({ diesBefore: { migration: SECOND, statement } }));
    let killed = 0;
    while ((await kill(killed)).code === null) {
      expect(await content(), `statement ${killed}`).toEqual(before);
      killed += 1;
    }
    // Before each of its six statements, and before the commit.
    expect(killed).toBe(7);
    expect(await runCli(list, asSecondVersion())).toMatchObject({ code: 0, stderr: '' });
    const [all, made] = await Promise.all(
      ['near_misses', 'inspections'].map((table) =>
        database.query(`select count(*) as n from ${table}`),
      ),
    );
    expect(made).toEqual(all);
  },
);

it.skipIf(windows)(
  'failures S4: killed while the first tables are made, the next start makes them',
  async () => {
    const { database, list } = await scene();
    await database.empty();
    for (const statement of [0, 1, 20, 40, 60, 80]) {
      const version = asSecondVersion({ diesBefore: { migration: FIRST, statement } });
      expect((await runCli(list, version)).code, `statement ${statement}`).toBe(null);
    }
    expect(await runCli(list)).toMatchObject({ code: 0, stderr: '' });
    expect(await database.query('select name from kysely_migration')).toEqual(
      RELEASED.map((name) => ({ name })),
    );
    expect(await database.query('select name from companies')).toEqual([]);
  },
);

it.skipIf(onPostgres || smallDiskMissing() !== null)(
  'failures S5: a disk that is full amid a migration is a sentence that says so, and the next start finishes it',
  async () => {
    const disk = makeSmallDisk(12 * 1024 * 1024);
    onTestFinished(() => disk.remove());
    const list = ['token', 'list', '--data-dir', join(disk.path, 'data')];
    disk.fill(100 * 1024);
    const full = await runCli(list);
    expect([full.code, full.stdout]).toEqual([1, '']);
    expect(full.stderr).toBe('token failed: database or disk is full.\n');
    disk.empty();
    expect(await runCli(list)).toMatchObject({ code: 0, stderr: '' });
  },
);

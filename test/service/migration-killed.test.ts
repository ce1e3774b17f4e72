/** A process that dies, or finds no room, while it brings a database to the newest schema: the next start goes on as if it had not begun. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { makeOldDatabase } from '../support/old-database.ts';
import { makeSmallDisk, smallDiskMissing } from '../support/small-disk.ts';
import { runCli, tempDir } from '../support/service.ts';

const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

/** What a process loads before the service: it dies before the statement that changes something for so many times. */
const dyingAfter = (changes: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { createRequire } from 'node:module';
    const SQLite = createRequire(${JSON.stringify(PACKAGE)})('better-sqlite3');
    const { prepare } = SQLite.prototype;
    let left = ${changes};
    SQLite.prototype.prepare = function (text) {
      if (/^\\s*(create|alter|drop|insert|update)/i.test(text) && !/if not exists/i.test(text)) {
        if (left === 0) process.kill(process.pid, 'SIGKILL');
        left -= 1;
      }
      return prepare.call(this, text);
    };
  `)}`;

/** In the middle of a table and its rows, of indexes, of the trigrams, between migrations, and of what alters a table. */
const MOMENTS = [1, 2, 4, 9, 16, 22, 28, 34];

it.skipIf(onPostgres || process.platform === 'win32')(
  'failures S4: killed anywhere in a migration, the next start finishes it',
  async () => {
    const dir = tempDir('migration-killed');
    onTestFinished(dir.remove);
    const database = await makeOldDatabase(dir.path, '0013-private-incidents', {
      companies: [{ id: 1, name: 'Firm', created_at: 0 }],
    });
    const list = ['token', 'list', '--data-dir', dir.path];
    let killed = 0;
    for (const moment of MOMENTS) {
      const { code } = await runCli(list, { NODE_OPTIONS: `--import=${dyingAfter(moment)}` });
      if (code === null) killed += 1;
      else break;
    }
    expect(killed).toBeGreaterThan(4);
    const said = await runCli(list);
    expect([said.code, said.stderr]).toEqual([0, '']);
    expect(await database.query('select name from companies')).toEqual([{ name: 'Firm' }]);
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

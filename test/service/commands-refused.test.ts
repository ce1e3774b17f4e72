/** What the command line says where it must not go on: a folder of other people's, a database of a newer version. */
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf, onPostgres } from '../support/database.ts';
import { runCli, tempDir } from '../support/service.ts';

const folder = (): string => {
  const dir = tempDir('refused');
  onTestFinished(dir.remove);
  return dir.path;
};

describe.skipIf(onPostgres || process.platform === 'win32')('a folder of other people', () => {
  it('decisions §10: token and import refuse a folder in which others may write, and leave it as it is', async () => {
    const path = folder();
    writeFileSync(join(path, 'theirs.txt'), '');
    const rows = join(folder(), 'vendors.csv');
    writeFileSync(rows, 'name\nCrane Hire\n');
    chmodSync(path, 0o777);
    for (const argv of [
      ['token', 'list'],
      ['import', rows, '--kind', 'vendors', '--company', '1'],
    ]) {
      const said = await runCli([...argv, '--data-dir', path]);
      expect([said.code, said.stdout], argv[0]).toEqual([1, '']);
      expect(said.stderr).toMatch(/Other users of this computer may write in the data folder/);
      expect(statSync(path).mode & 0o777, argv[0]).toBe(0o777);
      expect(existsSync(join(path, 'spotter.db')), argv[0]).toBe(false);
    }
  });
});

it('decisions §10: a database that a newer version wrote is a sentence and exit 1, for the service and its commands', async () => {
  const path = folder();
  const made = await runCli(['token', 'list', '--data-dir', path]);
  expect([made.code, made.stderr]).toEqual([0, '']);
  const database = await databaseOf(path);
  onTestFinished(() => database.drop());
  await database.query(
    `insert into kysely_migration (name, timestamp) values ('9999-later', '2040-01-01')`,
  );
  for (const argv of [['--port=0'], ['token', 'list']]) {
    const said = await runCli([...argv, '--data-dir', path]);
    expect([said.code, said.stdout]).toEqual([1, '']);
    expect(said.stderr).toMatch(/written by a newer version of Spotter \(9999-later\)/);
    expect(said.stderr.trim().split('\n')).toHaveLength(1);
  }
});

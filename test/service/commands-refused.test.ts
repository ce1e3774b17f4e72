/** What the command line says when it must stop: a foreign folder. */
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { runCli, tempDir } from '../support/service.ts';
import { slow } from '../support/slow.ts';

const folder = (): string => {
  const dir = tempDir('refused');
  onTestFinished(dir.remove);
  return dir.path;
};

describe.skipIf(onPostgres || process.platform === 'win32')('a folder of other people', () => {
  slow(
    'decisions §10: token and import refuse a folder in which others may write, and leave it as it is',
    async () => {
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
    },
  );
});

/**
 * `npm install` must need no compiler and no Python. better-sqlite3 carries its built files and says `gypfile: false`,
 * but npm reads a dependency from the lockfile, where it does not write that field, and would compile it. So the
 * lockfile carries the field by hand (every npm), and package.json denies the script (npm >= 11.16).
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** As committed: `npm install` drops the field from the working copy, where it is not needed any more. */
const committed = (path: string): unknown =>
  JSON.parse(
    execFileSync('git', ['show', `HEAD:${path}`], { cwd: root, maxBuffer: 2 ** 26 }).toString(),
  );

it.runIf(existsSync(`${root}/.git`))(
  'better-sqlite3 is not compiled: put `"gypfile": false` back into its entry of package-lock.json',
  () => {
    const lock = committed('package-lock.json') as {
      packages: Record<string, { gypfile?: boolean }>;
    };
    expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
    const manifest = committed('package.json') as { allowScripts: Record<string, boolean> };
    expect(manifest.allowScripts['better-sqlite3']).toBe(false);
  },
);

it('its built file for this system loads', () => {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (name: string) => {
    pragma(name: string): unknown;
    close(): void;
  };
  const database = new Database(':memory:');
  expect(database.pragma('user_version')).toEqual([{ user_version: 0 }]);
  database.close();
});

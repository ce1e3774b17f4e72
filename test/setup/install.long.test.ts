/**
 * `npm install` must need no compiler and no Python, and must not change the working copy. better-sqlite3 contains its built
 * files and says `gypfile: false`, but npm reads dependencies from the lockfile, omits that field there, and would compile it.
 * So the field is added to the lockfile by hand (npm 10), package.json denies the script (npm >= 11.16), and .npmrc says
 * `save=false`, so that an install never writes the lockfile.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Locked {
  readonly gypfile?: boolean;
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packagesOf = async (): Promise<Readonly<Record<string, Locked>>> =>
  (
    JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Locked>;
    }
  ).packages;

/** Where Node finds a package that the package at `from` imports. */
const lockedFor = (packages: Readonly<Record<string, Locked>>, from: string, name: string) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found !== undefined || at === '') return found;
  }
};

/** npm by its script path if npm started us: on Windows a plain `npm` cannot be executed. */
const npm = (args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const script = process.env['npm_execpath'];
    const [file, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
    execFile(file, [...before, ...args], { cwd }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(err)),
    );
  });

describe('the lockfile', () => {
  it('better-sqlite3 is not compiled: put `"gypfile": false` back into its entry of package-lock.json', async () => {
    expect((await packagesOf())['node_modules/better-sqlite3']?.gypfile).toBe(false);
    const { allowScripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      allowScripts: Record<string, boolean>;
    };
    expect(allowScripts['better-sqlite3']).toBe(false);
  });

  it('names the package of every system: npm 11 refuses a lockfile that lacks one', async () => {
    const packages = await packagesOf();
    const missing = Object.entries(packages).flatMap(([from, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {})
        .filter((name) => lockedFor(packages, from, name) === undefined)
        .map((name) => `${from} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  describe('in a fresh folder', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spotter-lock-'));
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        await cp(join(root, name), join(folder, name));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("is taken by `npm ci` of this machine's npm", async () => {
      expect(await npm(['ci', '--dry-run', '--offline'], folder)).toMatch(/added \d+ packages/);
    });

    it('is left as it is by `npm install`', async () => {
      await npm(['install', '--package-lock-only', '--offline'], folder);
      expect(await readFile(join(folder, 'package-lock.json'), 'utf8')).toBe(
        await readFile(join(root, 'package-lock.json'), 'utf8'),
      );
    });
  });
});

it('the built file of better-sqlite3 for this system loads', () => {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (name: string) => {
    pragma(name: string): unknown;
    close(): void;
  };
  const database = new Database(':memory:');
  expect(database.pragma('user_version')).toEqual([{ user_version: 0 }]);
  database.close();
});

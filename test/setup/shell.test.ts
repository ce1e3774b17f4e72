/**
 * The Electron shell as `npm run build` leaves it: every referenced file exists, every package that the main process imports is
 * found and is a dependency (devDependencies are not packaged), and the preload needs only electron. Stale parts are built; in
 * `npm test` none are stale.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { staleParts } from '../../src/setup/fresh.ts';
import { bringShell } from '../../src/setup/shell.ts';
import { slow } from '../support/slow.ts';

const root = join(import.meta.dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Everything a built script references: both kinds of imports, `require`, `new URL('x', import.meta.url)`. */
const namedBy = (file: string): string[] => {
  const text = readFileSync(file, 'utf8');
  return [
    ...ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
    ...[...text.matchAll(/new URL\(\s*["'`]([^"'`$]+)["'`],\s*import\.meta\.url/g)].map(
      ([, name = '']) => name,
    ),
  ];
};

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

/** The names that Node cannot resolve from this folder. */
const unresolved = (names: readonly string[], from: string): string[] => {
  const code = `const [from, ...names] = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(names.filter((name) => {
      try { return !require('node:fs').existsSync(new URL(import.meta.resolve(name, from))); } catch { return true; }
    })));`;
  const out = execFileSync(process.execPath, [
    '--experimental-import-meta-resolve',
    '--input-type=module',
    '-e',
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${code}`,
    JSON.stringify([pathToFileURL(from).href, ...names]),
  ]);
  return JSON.parse(out.toString()) as string[];
};

const mustBeThere = [
  'main/index.js',
  'main/service.js',
  'main/keytar-child.js',
  'main/reply-worker.js',
  'main/page-check-worker.js',
  'main/sqlite-reader-worker.js',
  'preload/index.cjs',
  'renderer/index.html',
  'renderer/icon.svg',
  'renderer/icon.png',
];

/** Faults of a built shell, one line each. */
const faultsOf = (out: string, manifest: Manifest): string[] => {
  const faults = mustBeThere
    .filter((name) => !existsSync(join(out, name)))
    .map((name) => `${name} is missing`);
  const missing = (file: string, name: string, folder = dirname(file)) => {
    if (!existsSync(join(folder, name)))
      faults.push(`${relative(out, file)} names ${name}, which is not there`);
  };

  const packages = new Set<string>();
  for (const file of globSync('main/**/*.js', { cwd: out }).map((name) => join(out, name)))
    for (const name of namedBy(file)) {
      if (name.startsWith('.')) missing(file, name);
      else if (!isBuiltin(name) && name !== 'electron') packages.add(name);
    }
  const ours = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const name of packages)
    if (!Object.hasOwn(ours, packageOf(name))) faults.push(`main names ${name}, no dependency`);
  for (const name of unresolved([...packages], join(root, 'out/main/index.js')))
    faults.push(`main names ${name}, which is not installed`);

  for (const file of globSync('preload/*', { cwd: out }).map((name) => join(out, name)))
    for (const name of namedBy(file))
      if (name !== 'electron') faults.push(`the sandboxed preload requires ${name}`);

  const page = join(out, 'renderer/index.html');
  if (existsSync(page))
    for (const [, name = ''] of readFileSync(page, 'utf8').matchAll(/(?:src|href)="([^"]+)"/g))
      missing(page, name);
  // libheif.js is unchanged from its package, and names Node's modules that it uses under Node.
  for (const file of globSync('renderer/assets/*.js', { cwd: out }).map((name) => join(out, name)))
    for (const name of namedBy(file)) {
      if (name.startsWith('.')) missing(file, name);
      else if (name.startsWith('/')) missing(file, name, join(out, 'renderer'));
      else if (/^[\w-]+\.\w+$/.test(name)) missing(file, name);
      else faults.push(`${relative(out, file)} names ${name}, which no window can load`);
    }
  for (const file of globSync('renderer/**/*.css', { cwd: out }).map((name) => join(out, name)))
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /url\(["']?(?!data:)([^"')]+)["']?\)/g,
    ))
      missing(file, name);
  return faults;
};

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spotter-shell-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the Electron shell as it ships', () => {
  beforeAll(async () => {
    expect(await bringShell(root, () => undefined)).toBe(true);
  }, 300_000);

  slow('is whole: all that its files name is there, and no devDependency is named', () => {
    expect(faultsOf(join(root, 'out'), manifest)).toEqual([]);
  });

  slow('the check finds what is taken away', async () => {
    const out = join(folder, 'out');
    const faultsWithout = async (take: () => Promise<void>, given = manifest) => {
      await rm(out, { recursive: true, force: true });
      await cp(join(root, 'out'), out, { recursive: true });
      await take();
      return faultsOf(out, given);
    };
    const [chunk = ''] = globSync('main/chunks/service-*.js', { cwd: out.replace(folder, root) });
    expect(chunk).not.toBe('');
    expect(await faultsWithout(() => rm(join(out, 'preload/index.cjs')))).toEqual([
      'preload/index.cjs is missing',
    ]);
    expect((await faultsWithout(() => rm(join(out, chunk)))).join()).toContain('is not there');
    const [style = ''] = globSync('renderer/assets/*.woff2', { cwd: join(root, 'out') });
    expect((await faultsWithout(() => rm(join(out, style)))).join()).toContain('is not there');
    const { pg: _, ...dependencies } = manifest.dependencies;
    expect(await faultsWithout(async () => undefined, { ...manifest, dependencies })).toEqual([
      'main names pg, no dependency',
    ]);
    expect(
      await faultsWithout(() => writeFile(join(out, 'main/x.js'), `import 'left-pad-of-nobody';`), {
        ...manifest,
        dependencies: { ...manifest.dependencies, 'left-pad-of-nobody': '1.0.0' },
      }),
    ).toEqual(['main names left-pad-of-nobody, which is not installed']);
  });

  it('a second build finds nothing to do, and touches no file', async () => {
    const times = () =>
      globSync('out/**/*', { cwd: root }).map(
        (name) => `${name} ${statSync(join(root, name)).mtimeMs}`,
      );
    const before = times();
    const said: string[] = [];
    expect(await bringShell(root, (text) => said.push(text))).toBe(true);
    expect(said).toEqual([]);
    expect(times()).toEqual(before);
  });

  it("holds none of the README's pictures", () => {
    expect(globSync('renderer/**/*readme*', { cwd: join(root, 'out') })).toEqual([]);
  });
});

describe('what is stale', () => {
  const put = async (name: string, minute: number) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
    const at = new Date(Date.UTC(2020, 0, 1, 0, minute));
    await utimes(path, at, at);
    // A folder's time is that of its newest entry, so reset all of them.
    for (let up = dirname(path); up.startsWith(folder); up = dirname(up))
      await utimes(up, new Date(0), new Date(0));
  };
  beforeEach(async () => {
    for (const name of [
      ...['main', 'host', 'service', 'disk', 'contract', 'preload', 'renderer', 'phone'].map(
        (room) => `src/${room}/a.ts`,
      ),
      'src/setup/window/window-build.ts',
      'src/setup/window/window-chunks.ts',
      'src/setup/window/window-files.ts',
      'src/setup/window/phone-page.ts',
      'src/setup/package/packages-beside.ts',
      'resources/window/icon.svg',
      'electron.vite.config.ts',
      'package.json',
      'package-lock.json',
    ])
      await put(name, 1);
    for (const name of ['main/index.js', 'preload/index.cjs', 'renderer/index.html'])
      await put(`out/${name}`, 2);
  });

  it('is nothing, where all is built after its sources', () => {
    expect(staleParts(folder)).toEqual([]);
  });

  it.each([
    ['src/host/a.ts', ['main']],
    ['src/disk/a.ts', ['main']],
    ['src/preload/a.ts', ['preload']],
    ['src/renderer/a.ts', ['renderer']],
    ['src/phone/a.ts', ['renderer']],
    ['src/setup/package/packages-beside.ts', ['main']],
    ['src/contract/a.ts', ['main', 'preload', 'renderer']],
    ['package-lock.json', ['main', 'preload', 'renderer']],
  ])('after a change of %s it is %j', async (name, parts) => {
    await put(name, 3);
    expect(staleParts(folder)).toEqual(parts);
  });

  it.each([
    ['src/setup/window/window-files.ts', ['renderer']],
    ['out/preload/index.cjs', ['preload']],
    ['src/service/a.ts', ['main']],
  ])('when %s is deleted it is %j', async (name, parts) => {
    await rm(join(folder, name));
    expect(staleParts(folder)).toEqual(parts);
  });
});

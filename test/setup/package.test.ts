/**
 * The check of a finished package (src/setup/package/package-check.ts): a good one passes, and everything forbidden in one is found.
 * The check itself runs at the end of `npm run package`, here and in the workflow.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { afterAll, expect, it } from 'vitest';
import {
  checkPackages,
  faultsOf,
  MOST,
  systemsOf,
  type Packed,
} from '../../src/setup/package/package-check.ts';
import { runFaults } from '../../src/setup/package/package-run.ts';

const root = join(import.meta.dirname, '../..');
const prebuilt = (name: string): Buffer =>
  readFileSync(join(root, 'node_modules/better-sqlite3/prebuilds', `${name}.node`));

const file = (path: string, more: Partial<Packed> = {}): Packed => ({
  path,
  size: 1000,
  unpacked: false,
  ...more,
});
const native = (path: string, name = 'linux-x64'): Packed =>
  file(path, { unpacked: true, head: prebuilt(name).subarray(0, 4096) });

const SQLITE = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const good: readonly Packed[] = [
  file('package.json'),
  file('out/main/index.js'),
  file('out/preload/index.cjs'),
  file('out/renderer/index.html'),
  file('node_modules/pino/lib/tools.js'),
  native(SQLITE),
  native('node_modules/keytar/prebuilds/linux-x64/keytar.node'),
];

it('a good package has no fault', () => {
  expect(faultsOf(good, ['linux-x64'])).toEqual([]);
});

it.each([
  ['linux-x64', ['linux-x64']],
  ['linux-arm64', ['linux-arm64']],
  ['darwin-x64', ['darwin-x64']],
  ['darwin-arm64', ['darwin-arm64']],
  ['win32-x64', ['win32-x64']],
  ['win32-arm64', ['win32-arm64']],
])('%s is what the header of that file says', (name, systems) => {
  expect(systemsOf(prebuilt(name))).toEqual(systems);
});

it.each([
  ['a source', file('out/main/index.ts')],
  ['types', file('node_modules/pino/pino.d.ts')],
  ['a map', file('out/renderer/a.js.map')],
  ['C++', file('node_modules/better-sqlite3/src/x.cpp')],
  ['a README', file('node_modules/pino/README')],
  ['a test', file('node_modules/pino/test/basic.js')],
  ['a folder of ours', file('src/main/index.js')],
  ['another processor', native('node_modules/x/linux.node', 'linux-arm64')],
  ['another system', native('node_modules/x/x.node', 'win32-x64')],
  ['another C library', native('node_modules/x/linuxmusl-x64.node', 'linuxmusl-x64')],
  ['a native file inside', { ...native('node_modules/x/x.node'), unpacked: false }],
  ['libvips inside', file('node_modules/wasm-vips/lib/vips.wasm')],
])('%s is found', (_what, planted) => {
  expect(faultsOf([...good, planted], ['linux-x64'])).toEqual([
    expect.stringContaining(planted.path),
  ]);
});

it('too much, and what is missing, is found', () => {
  expect(faultsOf([...good, file('out/a.bin', { size: MOST })], ['linux-x64'])).toHaveLength(1);
  for (const { path } of good.filter(({ path }) => /index|\.node/.test(path)))
    expect(
      faultsOf(
        good.filter((one) => one.path !== path),
        ['linux-x64'],
      ),
    ).toHaveLength(1);
});

const folder = mkdtempSync(join(tmpdir(), 'spotter-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sentinel, version and number of Electron's fuses, and their states. */
const program = (fuses: string): string =>
  `made up${'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'}\u0001${String.fromCharCode(fuses.length)}${fuses}${'\0'.repeat(99)}`;

/** A system other than this machine's, so that the package is only inspected and not run. */
const [OTHER, FOLDER] =
  process.arch === 'arm64'
    ? ['linux-x64', 'linux-unpacked']
    : ['linux-arm64', 'linux-arm64-unpacked'];

it('a folder as it is made is read: archive, files beside it, fuses', async () => {
  expect(await checkPackages(folder)).toEqual(['no package was made']);
  const source = join(folder, 'source');
  for (const { path, head } of good) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), head ? prebuilt(OTHER) : 'x');
  }
  const made = join(folder, FOLDER);
  mkdirSync(join(made, 'resources'), { recursive: true });
  const archive = join(made, 'resources/app.asar');
  await createPackageWithOptions(source, archive, { unpack: '**/*.node' });
  // In Electron's order: 2 is the fuse for Node's options, which a package must not read.
  writeFileSync(join(made, 'spotter'), program('00001100'));
  expect(await checkPackages(folder)).toEqual([]);
  writeFileSync(join(made, 'spotter'), program('00101100'));
  expect(await checkPackages(folder)).toEqual([
    `${FOLDER}: the fuse EnableNodeOptionsEnvironmentVariable is not off`,
  ]);
  await createPackageWithOptions(source, archive, {});
  expect((await checkPackages(folder)).filter((fault) => fault.includes(SQLITE))).toHaveLength(1);
});

it('a package whose service lacks a module is found by running it', async () => {
  const source = join(folder, 'lacking');
  mkdirSync(join(source, 'out/main'), { recursive: true });
  writeFileSync(join(source, 'out/main/service.js'), "require('@fastify/accept-negotiator');");
  const archive = join(folder, 'lacking.asar');
  await createPackageWithOptions(source, archive, {});
  expect(await runFaults(archive)).toEqual([
    expect.stringMatching(/does not start: .*accept-negotiator/s),
  ]);
});

/**
 * `--self-test FILE` on the built Electron shell, in the stand-in: intact with a real keyring and service, and with something
 * broken.
 */
import { cpSync, globSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { selfTestReport, type SelfTestReport } from '../../src/contract/self-test.ts';
import type { App, OpenOptions } from './app.ts';
import { expect, test } from './fixtures.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');
test.setTimeout(600_000);

/** Runs the self-test to its end. */
const run = async (
  app: App,
  file: string,
  options: OpenOptions,
): Promise<{ status: number | null; report: SelfTestReport }> => {
  await app.open({ ...options, args: ['--self-test', file], windowless: true });
  const status = await app.electron.exited();
  return { status, report: selfTestReport.parse(JSON.parse(readFileSync(file, 'utf8'))) };
};

const without = (report: SelfTestReport, result: string) =>
  report.checks.filter((one) => one.result !== result);

test(
  'it does every check for real, on a data folder of its own, and ends with status 0',
  { tag: '@main' },
  async ({ app, keyring, folder }) => {
    const file = join(folder, 'report.json');
    const { status, report } = await run(app, file, { env: keyring.env, cameras: 1 });
    expect(without(report, 'pass')).toEqual([]);
    expect(status).toBe(0);
    const numbers = (name: string) => report.checks.find((one) => one.name === name)?.numbers;
    expect(numbers('ipc_bytes')?.['bytes_per_second']).toBeGreaterThan(0);
    expect(numbers('stop')?.['ms']).toBeGreaterThan(0);
    expect(app.output).toMatch(/^pass {6}delivery +A near miss with a photo .*its small picture/m);
    // The given folder, which may be a person's, stays empty.
    expect(globSync('**/*', { cwd: app.data_dir })).toEqual([]);
  },
);

/** A copy of the built app, next to its packages, that a test may break. */
const copyOfApp = (folder: string): string => {
  const root = join(import.meta.dirname, '../..');
  const copy = join(folder, 'damaged');
  for (const name of ['out', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

test('what is broken fails by its name, the other checks are done all the same, and the status is 1', async ({
  app,
  folder,
}) => {
  const damaged = copyOfApp(folder);
  const letters = globSync('out/renderer/assets/*.woff2', { cwd: damaged });
  expect(letters).not.toEqual([]);
  for (const name of letters) rmSync(join(damaged, name));

  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
  const file = join(folder, 'report.json');
  const { status, report } = await run(app, file, { root: damaged, env });
  expect(without(report, 'pass').map(({ name, result }) => `${name}: ${result}`)).toEqual([
    'keychain: not here',
    'fonts: fail',
    'camera: not here',
  ]);
  expect(status).toBe(1);
  expect(app.output).toMatch(/fail {6}fonts +[^\n]+\n$/);
});

test('it does not start: the report says why instead of a dialog, with status 1', async ({
  app,
  folder,
}) => {
  const damaged = copyOfApp(folder);
  rmSync(join(damaged, 'out/preload/index.cjs'));
  const { status, report } = await run(app, join(folder, 'report.json'), { root: damaged });
  expect(status).toBe(1);
  expect(report.checks.find(({ name }) => name === 'start')?.sentence).toContain('index.cjs');
  expect(without(report, 'fail')).toEqual([]);
});

/** A killed backup or restore: the next one, or the next start, removes exactly its leftovers. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { bareDemo, runCli, spawnCli, spawnService, tempDir } from '../support/service.ts';
import { until } from './webhooks/support.ts';

/** A data folder that also holds foreign files with similar names. */
const scene = async () => {
  const dir = tempDir('backup-killed');
  onTestFinished(dir.remove);
  const folder = join(dir.path, 'data');
  const made = await spawnService(bareDemo(folder));
  expect((await made.end()).code).toBe(0);
  const theirs = ['backup-of-mine', 'restore-0', 'backup-00000000-0000-0000-0000-000000000000.old'];
  for (const name of theirs) mkdirSync(join(folder, name));
  const left = (at = folder): string[] =>
    readdirSync(at).filter((name) => /^(backup|restore)-/.test(name) && !theirs.includes(name));
  const whole = (): boolean => theirs.every((name) => existsSync(join(folder, name)));
  return { dir: dir.path, folder, left, whole };
};

/** Runs a command until it has made its folder, then kills it: the file it opens is a pipe, so it blocks there. */
const killAmid = async (argv: readonly string[], left: () => readonly string[]): Promise<void> => {
  const running = await spawnCli(argv);
  await until(() => left().length > 0, 'its folder');
  await running.end('SIGKILL');
};

const pipe = (path: string): void => void execFileSync('mkfifo', [path]);

describe.skipIf(onPostgres || process.platform === 'win32')('a kill', () => {
  it('decisions §10: what a killed backup left goes with the next backup, its half archive too', async () => {
    const { dir, folder, left, whole } = await scene();
    const [first, second] = [join(dir, 'first.tar'), join(dir, 'second.tar')];
    pipe(`${first}.partial`);
    const copied = (): readonly string[] =>
      left().filter((name) => existsSync(join(folder, name, 'spotter.db')));
    await killAmid(['backup', first, '--data-dir', folder], copied);
    expect(left()).toHaveLength(1);
    rmSync(`${first}.partial`);
    writeFileSync(`${first}.partial`, 'half an archive');
    const next = await runCli(['backup', second, '--data-dir', folder]);
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect(left()).toEqual([]);
    expect(existsSync(`${first}.partial`)).toBe(false);
    expect(whole()).toBe(true);
  });

  it('decisions §10: what a killed backup left goes with the next start; one that runs is left alone', async () => {
    const { dir, folder, left, whole } = await scene();
    const file = join(dir, 'first.tar');
    pipe(`${file}.partial`);
    const running = await spawnCli(['backup', file, '--data-dir', folder]);
    await until(() => left().length > 0, 'its folder');
    const beside = await spawnService(bareDemo(folder));
    expect((await beside.end()).code).toBe(0);
    expect(left()).toHaveLength(1);
    const second = await runCli(['backup', join(dir, 'second.tar'), '--data-dir', folder]);
    expect([second.code, second.stderr]).toEqual([2, expect.stringMatching(/Another backup/)]);
    await running.end('SIGKILL');
    expect(left()).toHaveLength(1);
    const again = await spawnService(bareDemo(folder));
    expect((await again.end()).code).toBe(0);
    expect(left()).toEqual([]);
    expect(whole()).toBe(true);
  });

  it('decisions §10: what a killed restore left goes with the next restore, and with a start', async () => {
    const { dir, folder } = await scene();
    const good = join(dir, 'good.tar');
    expect((await runCli(['backup', good, '--data-dir', folder])).code).toBe(0);
    const stuck = join(dir, 'stuck.tar');
    pipe(stuck);
    const target = join(dir, 'target');
    const left = (): string[] =>
      existsSync(target) ? readdirSync(target).filter((name) => name.startsWith('restore-')) : [];
    await killAmid(['restore', stuck, '--data-dir', target], left);
    expect(left()).toHaveLength(1);
    const next = await runCli(['restore', good, '--data-dir', target]);
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect(left()).toEqual([]);
    rmSync(target, { recursive: true });
    await killAmid(['restore', stuck, '--data-dir', target], left);
    expect(left()).toHaveLength(1);
    const started = await spawnService(bareDemo(target));
    expect((await started.end()).code).toBe(0);
    expect(left()).toEqual([]);
  });

  it('decisions §10: a restore does not put its webhook key in the place of one that is there', async () => {
    const { dir, folder } = await scene();
    const file = join(dir, 'good.tar');
    expect((await runCli(['backup', file, '--data-dir', folder])).code).toBe(0);
    const target = join(dir, 'target');
    mkdirSync(target, { mode: 0o700 });
    writeFileSync(join(target, 'webhook.key'), 'of another database');
    const refused = await runCli(['restore', file, '--data-dir', target]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/holds a service/)]);
  });
});

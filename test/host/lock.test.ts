/** The lock of a data folder, in one process: takeover, pid reuse, damage, and many takers at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../src/host/lock.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { filesBelow } from '../support/files.ts';

it('failures A21: of many takers at once exactly one holds it; released, the next takes it', async () => {
  const folder = await temporaryFolder();
  const taken = await Promise.all(Array.from({ length: 12 }, () => takeLock(folder)));
  const held = taken.filter((one) => one.held);
  expect(held).toHaveLength(1);
  for (const one of held) await one.release();
  expect(await filesBelow(folder)).toEqual([]);
  const next = await takeLock(folder);
  expect(next.held).toBe(true);
  if (next.held) await next.release();
});

it('failures A22: the lock of a dead process is taken over, by one of many', async () => {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  await writeFile(
    join(folder, 'host.lock'),
    JSON.stringify({ pid: child.pid, started: 'x', token: 't' }),
  );
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeLock(folder)));
  expect(taken.filter((one) => one.held)).toHaveLength(1);
});

it('failures A22: a taker that died while it took the lock over keeps nobody out', async () => {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const dead = (token: string) => JSON.stringify({ pid: child.pid, started: 'x', token });
  await writeFile(join(folder, 'host.lock'), dead('holder'));
  await writeFile(join(folder, 'host.lock.taking'), dead('taker'));
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeLock(folder)));
  const held = taken.filter((one) => one.held);
  expect(held).toHaveLength(1);
  for (const one of held) await one.release();
  expect(await filesBelow(folder)).toEqual([]);
});

it.runIf(process.platform === 'linux' || process.platform === 'darwin')(
  'failures A22: a living process with the pid of a dead holder does not keep the lock',
  async () => {
    const folder = await temporaryFolder();
    const reused = { pid: process.ppid, started: 'another boot/1', token: 't' };
    await writeFile(join(folder, 'host.lock'), JSON.stringify(reused));
    expect(await takeLock(folder)).toMatchObject({ held: true });
  },
);

it('failures A22: a damaged lock file, or one without a start time, is stale once its heartbeat is', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'host.lock');
  for (const text of ['{"pi', JSON.stringify({ pid: process.ppid, started: null, token: 't' })]) {
    await writeFile(path, text);
    expect(await takeLock(folder)).toMatchObject({ held: false });
    const old = new Date(Date.now() - 9_000);
    await utimes(path, old, old);
    expect(await takeLock(folder)).toMatchObject({ held: true });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
  }
});

/** The lock of a data folder: one holder among many, takeover after a kill, other pid namespaces, and a lost lock. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../src/host/lib/lock.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

const module = new URL('../../src/disk/lock.ts', import.meta.url).href;
const lockFile = (folder: string): string => join(folder, 'host.lock.db');

const untilInputEnds = `process.stdin.resume().on('end', () => process.exit(0));`;
const standsStill = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;

/**
 * A program that takes the lock in its own process, prints `held` or `refused`, and holds it until stdin ends, or while
 * suspended.
 */
const program = (path: string, how: string): string =>
  `import { takeLock } from ${JSON.stringify(module)};
   import { writeSync } from 'node:fs';
   const lock = takeLock(${JSON.stringify(path)});
   writeSync(1, lock === null ? 'refused\\n' : 'held\\n');
   ${how}`;

const holder = async (
  path: string,
  before: readonly string[] = [],
  how = untilInputEnds,
  env: NodeJS.ProcessEnv = process.env,
) => {
  const [command = '', ...rest] = [
    ...before,
    process.execPath,
    '--input-type=module',
    '-e',
    program(path, how),
  ];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const [said] = (await once(lines, 'line')) as [string];
  return { said, child };
};

it('failures A21: of many takers at once exactly one holds it; released, the next takes it', async () => {
  const folder = await temporaryFolder();
  const taken = Array.from({ length: 12 }, () => lockFolder(folder));
  const held = taken.filter((one) => one !== null);
  expect(held).toHaveLength(1);
  expect(held[0]?.held()).toBe(true);
  held[0]?.release();
  const next = lockFolder(folder);
  expect(next).not.toBeNull();
  next?.release();
});

it('failures A22: a killed holder keeps nobody out, and of many processes one takes it over', async () => {
  const path = lockFile(await temporaryFolder());
  const first = await holder(path);
  expect(first.said).toBe('held');
  expect((await holder(path)).said).toBe('refused');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const takers = await Promise.all(Array.from({ length: 4 }, () => holder(path)));
  expect(takers.map(({ said }) => said).sort()).toEqual(['held', 'refused', 'refused', 'refused']);
});

slow(
  'failures A21: a holder that stands still keeps it, suspended or not; so does one in another time zone',
  async () => {
    const path = lockFile(await temporaryFolder());
    const there = { ...process.env, TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8', LC_ALL: '' };
    expect((await holder(path, [], standsStill, there)).said).toBe('held');
    for (const TZ of ['UTC', 'America/New_York'])
      expect((await holder(path, [], untilInputEnds, { ...process.env, TZ })).said).toBe('refused');
  },
);

const ownPids = ['unshare', '--pid', '--fork', '--kill-child'];
const canUnshare =
  process.platform === 'linux' && spawnSync('unshare', [...ownPids.slice(1), 'true']).status === 0;

it.skipIf(!canUnshare)(
  canUnshare
    ? 'failures A21: it holds for processes that cannot see each other (pid namespaces of containers)'
    : 'failures A21: pid namespaces [skipped: needs Linux and the right to unshare]',
  async () => {
    const path = lockFile(await temporaryFolder());
    expect((await holder(path, ownPids)).said).toBe('held');
    expect((await holder(path, ownPids)).said).toBe('refused');
    expect((await holder(path)).said).toBe('refused');
  },
);

// Windows does not remove or replace a file that a program has open, so this cannot happen there.
it.skipIf(process.platform === 'win32').each(['removed', 'replaced'] as const)(
  'failures A21: a host whose lock was %s writes nothing any more, stops, and says so',
  async (how) => {
    const told = Promise.withResolvers<string>();
    const world = await startWorld({ lost: told.resolve });
    const path = lockFile(world.folder);
    if (how === 'removed') await rm(path);
    else {
      await writeFile(`${path}.other`, '');
      await rename(`${path}.other`, path);
    }
    const operation = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      seq: 1,
      account: 'here/1/2',
      kind: 'near_miss.create',
      version: 1,
      lane: 'lane',
      created_at: 1,
      payload: {},
    };
    await world.problem('journal.append', { operations: [operation] });
    expect(await told.promise).toMatch(/start it again/);
    const next = await startWorld({ data_dir: world.folder });
    expect(await next.call('journal.list', {})).toMatchObject({ operations: [] });
  },
);

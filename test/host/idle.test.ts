/** An idle host: its timers fire at most every thirty seconds, and a lost lock is noticed without them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startHost } from '../../src/host/index.ts';
import { lockFolder } from '../../src/host/lib/lock.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { watchTimers } from '../support/timers.ts';
import { temporaryFolder } from './fixtures/folder.ts';

afterEach(() => vi.restoreAllMocks());

it('when nothing waits, no timer of the host comes oftener than every thirty seconds', async () => {
  const live = watchTimers('host');
  const started = await startHost({
    reply_worker: REPLY_WORKER,
    data_dir: await temporaryFolder(),
    vault: memoryVault(),
    start_service: null,
    shell: 'test',
    version: '0.0.0',
    log: () => undefined,
  });
  if (!started.ok) throw new Error(started.problem.detail);
  const again = [...live.values()].filter((timer) => timer.again).map(({ ms }) => ms);
  expect(again.length).toBeGreaterThan(1);
  expect(Math.min(...again)).toBeGreaterThanOrEqual(30_000);
  await started.value.stop();
});

// Windows does not remove an open file.
it.skipIf(process.platform === 'win32')(
  'failures A21: a lock that is removed is heard of at once',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const folder = await temporaryFolder();
    const lock = lockFolder(folder);
    await rm(join(folder, 'host.lock.db'));
    await lock?.lost;
    expect(lock?.held()).toBe(false);
    lock?.release();
    vi.useRealTimers();
  },
);

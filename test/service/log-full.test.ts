/** The log's disk is full: the service answers and stops as usual (failures S5). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { tempDir } from '../support/service.ts';
import { SLOW } from '../support/slow.ts';

const CLI = fileURLToPath(new URL('../../src/service/cli.ts', import.meta.url));

it.skipIf(onPostgres || process.platform !== 'linux')(
  'failures S5: a log on a full disk stops neither answers nor SIGTERM',
  SLOW,
  async () => {
    const dir = tempDir('log-full');
    onTestFinished(dir.remove);
    const child = spawn(process.execPath, [CLI, '--port=0', `--data-dir=${dir.path}`], {
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    const [line] = (await once(createInterface(child.stdout as Readable), 'line')) as [string];
    const { url } = JSON.parse(line) as { readonly url: string };
    for (let turn = 0; turn < 3; turn += 1) {
      const signal = AbortSignal.timeout(20_000);
      expect((await fetch(`${url}/rest/v1.0/me`, { signal })).status).toBe(401);
    }
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  },
);

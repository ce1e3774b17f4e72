/** A second start on a data folder that is open: it shows the first one's window and ends well, and nobody else can ask for that. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerRaises, raiseOther } from '../../src/browser/raise.ts';
import { lockFolder, type HostLock } from '../../src/host/lib/lock.ts';
import { slow } from '../support/slow.ts';

const ENTRY = join(import.meta.dirname, '../../src/browser/index.ts');
let folder: string;
let lock: HostLock | null;
let raised: number;
let there: boolean;
let answering: Awaited<ReturnType<typeof answerRaises>>;
const file = (): string => join(folder, 'raise.json');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spotter-raise-'));
  lock = lockFolder(folder);
  raised = 0;
  there = true;
  answering = await answerRaises(folder, async () => {
    raised += 1;
    return there;
  });
});
afterEach(async () => {
  await answering.end();
  lock?.release();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const startAgain = () =>
  new Promise<{ status: number; said: string }>((resolve) => {
    execFile(process.execPath, [ENTRY, `--data-dir=${folder}`], (error, _out, said) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, said }),
    );
  });

slow(
  'a second start brings the window to the front and ends with 0; without a window it says what is open',
  async () => {
    expect(await startAgain()).toEqual({
      status: 0,
      said: expect.stringContaining('its window is in front now'),
    });
    expect(raised).toBe(1);
    there = false;
    expect(await startAgain()).toEqual({
      status: 1,
      said: expect.stringContaining('already open on this data folder'),
    });
  },
);

it('Loopback server: only who can read the secret is heard, and no page is', async () => {
  if (process.platform !== 'win32') expect((await stat(file())).mode & 0o777).toBe(0o600);
  const { port, secret } = JSON.parse(await readFile(file(), 'utf8')) as {
    port: number;
    secret: string;
  };
  const ask = async (headers: Record<string, string>, method = 'POST') =>
    (await fetch(`http://127.0.0.1:${port}`, { method, headers })).status;
  const authorization = `Bearer ${secret}`;
  expect(await ask({})).toBe(403);
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(403);
  expect(await ask({ authorization }, 'GET')).toBe(403);
  expect(await ask({ authorization, origin: `http://127.0.0.1:${port}` })).toBe(403);
  expect(raised).toBe(0);
  expect(await ask({ authorization })).toBe(204);
});

it('a file that a killed start left behind, or a damaged one, raises nothing', async () => {
  await answering.end();
  expect(existsSync(file())).toBe(false);
  expect(await raiseOther(folder)).toBe(false);
  await writeFile(file(), '{"port":1,"secret":"0123456789012345678901234567890123456789"}');
  expect(await raiseOther(folder)).toBe(false);
  await writeFile(file(), '{');
  expect(await raiseOther(folder)).toBe(false);
});

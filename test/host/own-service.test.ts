/** The embedded service as a shell starts and stops it: its environment, and its end. */
import { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startServiceChild } from '../../src/browser/service-child.ts';
import { serviceEnvironment, stopService } from '../../src/host/session/embedded-service.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { slow } from '../support/slow.ts';

const shellSays = {
  SPOTTER_HOST: '0.0.0.0',
  SPOTTER_PORT: '1',
  SPOTTER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SPOTTER_DATA_DIR: '/nowhere',
  Spotter_Host: '0.0.0.0',
  PGHOST: '127.0.0.1',
  AWS_PROFILE: 'other',
  NODE_OPTIONS: '--no-such-flag',
};

slow(
  "nothing of the shell's environment turns the app's own service into another one",
  async () => {
    const before = { ...process.env };
    Object.assign(process.env, shellSays);
    onTestFinished(() => {
      for (const name of Object.keys(shellSays))
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    });
    const folder = await temporaryFolder();
    const service = await startServiceChild(folder, 'sample', () => undefined)();
    onTestFinished(() => service.stop());
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await readdir(folder)).toContain('spotter.db');
    const answer = await fetch(`${service.url}/rest/v1.0/me`, {
      headers: {
        authorization: `Bearer ${service.token}`,
        'service-company-id': String(service.company_id),
      },
    });
    expect(answer.status).toBe(200);
  },
);

it('the service is given what finds its way on each system, in the spelling it has there, and no more', () => {
  const windows = { Path: 'C:\\', SystemRoot: 'C:\\Windows', TEMP: 'C:\\t', lc_all: 'de' };
  expect(serviceEnvironment({ ...windows, ...shellSays, HOME: undefined })).toEqual(windows);
});

slow(
  'the app’s own service ends by itself and writes its log back, where every signal would kill it',
  async () => {
    const { kill } = ChildProcess.prototype;
    const asOnWindows = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (
      this: ChildProcess,
    ) {
      return kill.call(this, 'SIGKILL');
    });
    onTestFinished(() => asOnWindows.mockRestore());
    const folder = await temporaryFolder();
    const service = await startServiceChild(folder, 'sample', () => undefined)();
    await service.stop();
    expect(await service.exited).toEqual([0, null]);
    expect(await readdir(folder)).not.toContain('spotter.db-wal');
  },
);

it('a service that does not hear is ended from outside: by SIGTERM first, but never so on Windows', async () => {
  const stopped = async (platform: NodeJS.Platform, deaf: readonly string[]) => {
    const said: string[] = [];
    const exited = Promise.withResolvers<void>();
    const hear = (word: string) => {
      said.push(word);
      if (!deaf.includes(word)) exited.resolve();
    };
    const child = { ask: () => hear('stop'), kill: hear, exited: exited.promise };
    await stopService(child, platform, [1, 1]);
    return said;
  };
  expect(await stopped('linux', [])).toEqual(['stop']);
  expect(await stopped('linux', ['stop'])).toEqual(['stop', 'SIGTERM']);
  expect(await stopped('linux', ['stop', 'SIGTERM'])).toEqual(['stop', 'SIGTERM', 'SIGKILL']);
  expect(await stopped('win32', ['stop'])).toEqual(['stop', 'SIGKILL']);
});

/**
 * The parallel suites of `npm test`: each line names its suite, the exit status is the suites', and a leftover process does not
 * block it.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tooFew } from '../../src/setup/suite.ts';
import { slow } from '../support/slow.ts';

const SYSTEM = pathToFileURL(join(import.meta.dirname, '../../src/setup/system.ts')).href;

slow(
  'names each line of what runs beside others, answers its status, and waits for nothing it left running',
  async () => {
    // It leaves a process that holds its output open, and prints its pid.
    const suite = `
    const left = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit', detached: true });
    left.unref();
    console.log('one\\n' + left.pid);
    console.error('two');
    process.exitCode = 3;`;
    const program = `
    import { runNamed } from ${JSON.stringify(SYSTEM)};
    console.log('status', await runNamed('unit', process.execPath, ['-e', ${JSON.stringify(suite)}]));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      program,
    ]);
    const pid = Number(/^unit \| (\d+)$/m.exec(stdout)?.[1]);
    process.kill(pid, 'SIGKILL');
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['unit | one', 'unit | two', 'status 3']),
    );
  },
);

it('a suite in which fewer tests passed than its floor has failed, and says so', () => {
  expect(tooFew('unit', 600, 600)).toBeNull();
  expect(tooFew('unit', 0, 600)).toBe('unit: only 0 tests passed, of at least 600');
});

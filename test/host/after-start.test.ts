/** Memory that only the start needed is returned to the system, once, and keeps no process alive. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { slow } from '../support/slow.ts';

const file = join(import.meta.dirname, '../../src/disk/after-start.ts');

const program = `
  const { giveBackStart } = await import(${JSON.stringify(file)});
  let read = Array.from({ length: 1_000_000 }, (_, n) => ({ n, words: ['what a start reads'] }));
  const before = process.memoryUsage().heapTotal;
  read = null;
  giveBackStart(1);
  giveBackStart(60_000);
  while (process.memoryUsage().heapTotal > before / 3) await new Promise((done) => setTimeout(done, 5));
  console.log(typeof gc);
`;

slow(
  'gives back what a start left behind; a process that has ended its work does not wait for it',
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { timeout: 50_000 },
    );
    expect(stdout.trim()).toBe('undefined');
  },
);

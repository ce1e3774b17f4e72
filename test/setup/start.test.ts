/** The output of `npm start`: the options, one sentence for each mistake, one for a half-installed machine. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HELP, parseStartOptions } from '../../src/setup/options.ts';
import { slow } from '../support/slow.ts';

const root = join(import.meta.dirname, '../..');

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}
const run = (script: string, args: readonly string[], cwd = root): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spotter-setup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('npm start', () => {
  slow('--help lists every option it takes', async () => {
    const { status, out } = await run('src/setup/run.js', ['start', '--help']);
    expect(status).toBe(0);
    expect(out).toContain(HELP.trim());
    for (const option of [
      '--browser',
      '--electron',
      '--no-open',
      '--port',
      '--data-dir',
      '--server',
      '--dev',
    ])
      expect(HELP).toContain(option);
  });

  it.each([
    [['--bogus'], /'--bogus'.*--help/],
    [['--port', 'x'], /--port takes a number.*"x"/],
    [['--port', '65536'], /--port takes a number/],
    [['--port'], /'--port <value>'.*--help/],
    [['--server', 'spotter'], /--server takes an address/],
    [['--server', 'file:///etc'], /--server takes an address/],
    [['--data-dir', ''], /--data-dir takes a folder/],
    [['there'], /'there'.*--help/],
  ])('%j is answered with one sentence', (args, sentence) => {
    const parsed = parseStartOptions(args);
    if (parsed.ok) throw new Error('it was taken');
    expect(parsed.sentence).toMatch(sentence);
    expect(parsed.sentence).not.toContain('\n');
  });

  it('prints that sentence and ends with status 2', async () => {
    const { status, err } = await run('src/setup/run.js', ['start', '--bogus']);
    expect(status).toBe(2);
    expect(err.trim()).toMatch(/'--bogus'.*--help/);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('never throws on what was typed', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (args) => {
        const parsed = parseStartOptions(args);
        if (!parsed.ok) expect(parsed.sentence).not.toBe('');
      }),
    );
  });

  slow('on a machine where npm install did not finish it says so in one sentence', async () => {
    await cp(join(root, 'src/setup'), join(folder, 'src/setup'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const { status, err } = await run('src/setup/run.js', ['start', '--no-open'], folder);
    expect(status).toBe(1);
    expect(err.trim()).toMatch(/^Spotter is not installed completely\. Run npm install/);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('run.js is plain JavaScript that an old Node can read', async () => {
    const text = await readFile(join(root, 'src/setup/run.js'), 'utf8');
    expect(text.indexOf('process.exit(1)')).toBeLessThan(text.indexOf('await import('));
    expect(text).not.toMatch(/^import /m);
  });
});

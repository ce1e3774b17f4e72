/**
 * `npm run dev` in Electron, with a fake program in Electron's place that behaves like src/main/developing.ts: it reloads when
 * the window was built, ends on request and is restarted with the new build, and ends for good when a person quits it.
 */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { develop } from '../../src/setup/develop.ts';
import { runElectron, UP } from '../../src/setup/electron/electron-start.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { SLOW } from '../support/slow.ts';

const patience = { timeout: PATIENCE_MS, interval: 50 };

const program = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const said = (text) => appendFileSync(process.argv[2], text + '\\n');
console.log('${UP}');
said('started');
let last = '';
setInterval(() => {
  let asked = '';
  try { asked = readFileSync(process.env.SPOTTER_DEVELOPING, 'utf8'); } catch {}
  if (asked === last) return;
  last = asked;
  said(asked.split(' ')[0]);
  if (asked.startsWith('quit') || asked.startsWith('over')) process.exit(0);
}, 20);
`;

it.skipIf(process.platform === 'win32')(
  'a changed window is loaded again; a changed main is built and the app started again, until a person ends it',
  SLOW,
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'spotter-develop-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await mkdir(join(root, 'src/main'), { recursive: true });
    const electron = join(root, 'electron');
    const log = join(root, 'log');
    await writeFile(electron, program);
    await chmod(electron, 0o755);
    const said = async () => (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
    let builtWindow = () => {};
    let builds = 0;
    let works = true;
    const running = develop({
      root,
      say: () => undefined,
      watchWindow: async (built) => void (builtWindow = built),
      buildShell: async () => {
        builds += 1;
        return works;
      },
      start: () => runElectron(electron, [log]),
    });
    await expect.poll(said, patience).toEqual(['started']);
    builtWindow();
    await expect.poll(said, patience).toEqual(['started', 'reload']);
    // A failed build ends nothing.
    works = false;
    await writeFile(join(root, 'src/main/index.ts'), 'broken');
    await expect.poll(() => builds, patience).toBeGreaterThan(0);
    expect(await said()).toEqual(['started', 'reload']);
    works = true;
    await writeFile(join(root, 'src/main/index.ts'), 'mended');
    await expect
      .poll(said, patience)
      .toEqual(expect.arrayContaining(['started', 'reload', 'quit', 'started']));
    await expect.poll(async () => (await said()).at(-1), patience).toBe('started');
    const file = process.env['SPOTTER_DEVELOPING'] ?? '';
    await writeFile(file, 'over 99');
    expect(await running).toEqual({ kind: 'ran', status: 0 });
    expect(process.env['SPOTTER_DEVELOPING']).toBeUndefined();
  },
);

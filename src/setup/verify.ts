/**
 * `npm run verify:electron [FILE]`: a check that people run on their laptop and send to us. It starts the app from its sources
 * in Electron with `--self-test` (src/main/self-test/self-test.ts), which prints a table, and says where the report is.
 */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lackOf } from './electron/electron-start.ts';
import { bringElectron } from './electron/electron.ts';
import { bringShell } from './shell.ts';
import { runHere } from './system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (text: string): void => console.log(text);

const cannot = (sentence: string): number => {
  console.error(sentence);
  return 1;
};

export const run = async ([
  name = 'spotter-self-test.json',
]: readonly string[]): Promise<number> => {
  if (process.getuid?.() === 0)
    return cannot('Electron keeps no sandbox as root: run this as another user.');
  const electron = await bringElectron(root, say, { asked: true });
  if (electron === undefined) return cannot('There is no Electron here: nothing was verified.');
  const lack = await lackOf(electron);
  if (lack !== undefined) return cannot(`Electron cannot start: ${lack}.`);
  if (!(await bringShell(root, say))) return 1;
  const file = resolve(name);
  // A report of an earlier run must not be taken for this one's.
  rmSync(file, { force: true });
  const status = await runHere(electron, [root, '--self-test', file]);
  if (!existsSync(file))
    return cannot(
      `Electron ended with status ${status} and wrote no report: its last words are above.`,
    );
  say(`\nThe report is ${file}: please send it to whoever asked for it.`);
  return status;
};

/**
 * `npm start`: provides what the app needs, reports each step, and starts the best shell for this machine: Electron if its
 * binary is present or can be downloaded, otherwise Chromium's app mode, otherwise (no display) a printed address. This room
 * imports nothing of the app; it starts it as a separate program.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringChromium } from './browser.ts';
import { bringElectron } from './electron/electron.ts';
import { dataFolder, hasDisplay } from './machine.ts';
import { develop } from './develop.ts';
import { runElectron } from './electron/electron-start.ts';
import { nodeMemory } from './node-memory.ts';
import { HELP, parseStartOptions, type StartOptions } from './options.ts';
import { bringShell } from './shell.ts';
import { runHere } from './system.ts';
import { bringWindow, watchWindow } from './window/window.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (text: string): void => console.log(text);

/** Electron has no sandbox as root, and Spotter opens no window without one. */
const electronFor = async (options: StartOptions): Promise<string | undefined> => {
  if (options.browser) return undefined;
  if (process.getuid?.() !== 0) return bringElectron(root, say, { asked: options.electron });
  if (options.electron) say('Electron keeps no sandbox as root: Spotter runs in Chromium.');
  return undefined;
};

/** @returns the exit status; undefined when Electron never came up, which was reported */
const startElectron = async (
  electron: string,
  options: StartOptions,
  folder: string,
): Promise<number | undefined> => {
  const args = [`--data-dir=${folder}`, ...(options.server ? [`--server=${options.server}`] : [])];
  if (!(await bringShell(root, say))) return 1;
  const start = () => runElectron(electron, [root, ...args]);
  const ended = options.dev
    ? await develop({
        root,
        say,
        watchWindow: (built) => watchWindow(root, say, built),
        buildShell: () => bringShell(root, say, ['main', 'preload']),
        start,
      })
    : await start();
  if (ended.kind === 'ran') return ended.status;
  say(ended.sentence);
  return undefined;
};

const startBrowserShell = async (
  options: StartOptions,
  folder: string,
  chromium: string | undefined,
): Promise<number> => {
  if (options.dev) await watchWindow(root, say);
  else await bringWindow(root, say);
  return runHere(process.execPath, [
    ...nodeMemory,
    join(root, 'src/browser/index.ts'),
    `--data-dir=${folder}`,
    `--port=${options.port}`,
    ...(chromium === undefined ? [] : [`--chromium=${chromium}`]),
    ...(options.server === undefined ? [] : [`--server=${options.server}`]),
  ]);
};

export const run = async (args: readonly string[]): Promise<number> => {
  const parsed = parseStartOptions(args);
  if (!parsed.ok) {
    console.error(parsed.sentence);
    return 2;
  }
  const { options } = parsed;
  if (options.help) {
    say(HELP);
    return 0;
  }
  const folder = await dataFolder(options.data_dir);
  if (options.no_open) return startBrowserShell(options, folder, undefined);
  if (!hasDisplay()) {
    say('There is no display here: Spotter prints its address instead of opening a window.');
    return startBrowserShell(options, folder, undefined);
  }
  const electron = await electronFor(options);
  if (electron !== undefined) {
    const status = await startElectron(electron, options, folder);
    if (status !== undefined) return status;
  }
  const chromium = await bringChromium(say);
  if (!chromium.ok) say(`${chromium.sentence} Until then, open the address below in a browser.`);
  return startBrowserShell(options, folder, chromium.ok ? chromium.path : undefined);
};

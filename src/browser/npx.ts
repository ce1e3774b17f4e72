/**
 * `npx spotter`: starts the browser shell from an npm package (`npm pack`), on a machine that has only Node. It uses an
 * installed browser and downloads none. It is built into out/node (src/setup/node-build.ts), because Node strips no types under
 * node_modules.
 */
import { fileURLToPath } from 'node:url';
import { findChromium } from '../setup/chromium.ts';
import { dataFolder, hasDisplay } from '../setup/machine.ts';
import { nodeMemory } from '../setup/node-memory.ts';
import { parseStartOptions } from '../setup/options.ts';
import { runHere } from '../setup/system.ts';

const HELP = `Spotter: near misses, captured where there is no network.

  spotter                 opens the app in Chrome, Chromium or Edge
  spotter --no-open       opens nothing: prints the address to open, and serves until Ctrl+C
  spotter --port N        the window's port on 127.0.0.1 (default: drawn once, then kept)
  spotter --data-dir DIR  where queue, photos and settings are kept
  spotter --server URL    offers this server on the connect screen
  spotter service ...     the REST service alone; spotter service --help
  spotter verify FILE     checks an evidence pack; spotter verify --help
  spotter --help          this page
`;

/** Finds the browser that shows the window. Returns undefined, and says why, when the address is printed instead. */
const browserFor = (no_open: boolean): string | undefined => {
  if (no_open) return undefined;
  if (!hasDisplay()) {
    console.log('There is no display here: Spotter prints its address.');
    return undefined;
  }
  const found = findChromium();
  if (found === undefined)
    console.log('No Chrome, Chromium or Edge was found: open the address below in a browser.');
  return found;
};

const run = async (args: readonly string[]): Promise<number> => {
  if (args[0] === 'verify') return (await import('./verify/command.ts')).runVerify(args.slice(1));
  const parsed = parseStartOptions(args);
  if (!parsed.ok) {
    console.error(parsed.sentence.replace('npm start --', 'spotter'));
    return 2;
  }
  const { help, electron, dev, no_open, port, data_dir, server } = parsed.options;
  if (help) {
    console.log(HELP);
    return 0;
  }
  if (electron || dev) {
    console.error('--electron and --dev are for npm start, in the folder of the sources.');
    return 2;
  }
  const chromium = browserFor(no_open);
  return runHere(process.execPath, [
    ...nodeMemory,
    fileURLToPath(new URL('./browser.js', import.meta.url)),
    `--data-dir=${await dataFolder(data_dir)}`,
    `--port=${port}`,
    ...(chromium === undefined ? [] : [`--chromium=${chromium}`]),
    ...(server === undefined ? [] : [`--server=${server}`]),
  ]);
};

process.exitCode = await run(process.argv.slice(2));

/**
 * The app out of its package: electron-builder packs it as it ships for Linux, into a folder that has Electron's shape and is made up
 * (no binary of Electron is needed to look at what goes into the archive), and the archive is taken apart far from any other node_modules.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';

const root = join(import.meta.dirname, '../..');

/** The sentinel, the version and the number of Electron's fuses, as its program holds them; all of them are off. */
const FUSES = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009${'0'.repeat(9)}`;

/** What electron-builder looks for in a distribution of Electron. */
const makeElectron = (folder: string): void => {
  const files = {
    electron: `made up${FUSES}${'\0'.repeat(99)}`,
    version: '44.11.4',
    LICENSE: '',
    'LICENSES.chromium.html': '',
    'locales/en-US.pak': '',
    'resources/.keep': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
};

/** Does Node find packages from this folder that are not its own? */
const othersInReach = (folder: string): boolean =>
  dirname(folder) !== folder &&
  (existsSync(join(dirname(folder), 'node_modules')) || othersInReach(dirname(folder)));

/** @param folder an empty one. @returns the app's folder: package.json, out/, and its own node_modules */
export const unpackApp = async (folder: string): Promise<string> => {
  const electron = join(folder, 'electron');
  makeElectron(electron);
  // What goes beside the program (licences, the list of parts) is written by `npm run package` itself.
  const config = `const { default: config } = await import(${JSON.stringify(join(root, '.config/electron-builder.js'))});
    const { build } = await import('electron-builder');
    await build({ projectDir: ${JSON.stringify(root)}, publish: 'never', linux: ['dir'], config: { ...config, extraFiles: [],
      electronDist: ${JSON.stringify(electron)}, directories: { ...config.directories, output: ${JSON.stringify(join(folder, 'dist'))} } } });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', config], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const app = join(folder, 'app');
  const name = process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`;
  extractAll(join(folder, 'dist', name, 'resources/app.asar'), app);
  if (othersInReach(app)) throw new Error(`there are packages in reach of ${app}`);
  return app;
};

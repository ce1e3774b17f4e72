/**
 * Unpacks the app from its package. `npm run package` packs it as it ships for Linux, with a fake Electron folder, because
 * looking at the archive needs no Electron binary. The archive is unpacked outside the reach of any other node_modules.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';

const root = join(import.meta.dirname, '../..');

/** Sentinel, version and number of Electron's fuses, as they appear in its binary; all are off. */
const FUSES = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009${'0'.repeat(9)}`;

/** The files that electron-builder looks for in a distribution of Electron. */
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

/** True if Node would resolve packages of a parent folder from here. */
const othersInReach = (folder: string): boolean =>
  dirname(folder) !== folder &&
  (existsSync(join(dirname(folder), 'node_modules')) || othersInReach(dirname(folder)));

/** Runs `npm run package -- --dir`, which also checks its output. @param folder must be empty @returns its output */
const pack = async (folder: string): Promise<string> => {
  const electron = join(folder, 'electron');
  makeElectron(electron);
  const output = join(folder, 'dist');
  const { stdout } = await promisify(execFile)(
    'npm',
    ['run', 'package', '--', '--dir', `-c.directories.output=${output}`],
    {
      cwd: root,
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: electron },
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  if (!stdout.includes('The packages hold what they should.')) throw new Error(stdout);
  const name = process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`;
  return join(output, name);
};

/** @param folder must be empty @returns the app's folder: package.json, out/, and its own node_modules */
export const unpackApp = async (folder: string): Promise<string> => {
  const made = await pack(folder);
  for (const name of ['LICENSES.txt', 'sbom.cdx.json'])
    if (!existsSync(join(made, 'resources', name))) throw new Error(`${name} is not in ${made}`);
  const app = join(folder, 'app');
  extractAll(join(made, 'resources/app.asar'), app);
  if (othersInReach(app)) throw new Error(`there are packages in reach of ${app}`);
  return app;
};

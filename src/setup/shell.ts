/**
 * Builds what Electron runs: main (with the embedded service and the keychain's child), preload and window. Only missing or
 * stale parts are built, with the builder and configuration of `npm run build`.
 */
import { join } from 'node:path';
import { type Part, staleParts } from './fresh.ts';
import { runHere } from './system.ts';

/**
 * @param wanted the parts to build; all by default
 * @returns true when the parts are up to date; otherwise the builder has said why
 */
export const bringShell = async (
  root: string,
  say: (text: string) => void,
  wanted: readonly Part[] = ['main', 'preload', 'renderer'],
): Promise<boolean> => {
  const parts = staleParts(root).filter((part) => wanted.includes(part));
  if (parts.length === 0) return true;
  say(`Building the app (${parts.join(', ')}) …`);
  const cli = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const status = await runHere(
    process.execPath,
    [cli, 'build', root, '--logLevel', 'warn', '--ignoreConfigWarning'],
    {
      ...process.env,
      SPOTTER_BUILD: parts.join(),
    },
  );
  return status === 0;
};

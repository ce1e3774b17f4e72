/**
 * Builds what Electron runs from (main with the embedded service and the keychain's child, preload, window): only the
 * parts that are missing or older than their sources. The builder is the one of `npm run build`, with the same file.
 */
import { join } from 'node:path';
import { type Part, staleParts } from './fresh.ts';
import { runHere } from './system.ts';

/** @param wanted which parts, where not all. @returns whether out/ is whole; where it is not, the builder has said why */
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

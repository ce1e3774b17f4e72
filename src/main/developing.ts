/**
 * `npm run dev`: what the start asks of the running app when something was built again (src/setup/develop.ts writes it into a file):
 * load the window again, or end in order to be started again. An installed program follows nobody.
 */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';

export interface DevelopingDeeds {
  reload(): void;
  quit(): void;
}

const LOOK_MS = 200;

/** The file that asks, or null where nobody develops. */
export const developingFile = (packaged: boolean, env: NodeJS.ProcessEnv): string | null =>
  packaged ? null : (env['SPOTTER_DEVELOPING'] ?? null);

const askedIn = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').split(' ')[0] ?? '';
  } catch {
    return '';
  }
};

/** @returns follows no longer */
export const followDeveloping = (
  path: string | null,
  { reload, quit }: DevelopingDeeds,
): (() => void) => {
  if (path === null) return () => undefined;
  const look = (): void => {
    const asked = askedIn(path);
    if (asked === 'reload') reload();
    if (asked === 'quit') quit();
  };
  watchFile(path, { interval: LOOK_MS, persistent: false }, look);
  // The file is empty at each start: what stands there came meanwhile.
  look();
  return () => unwatchFile(path);
};

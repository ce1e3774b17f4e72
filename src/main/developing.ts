/**
 * Follows the requests of `npm run dev`. src/setup/develop.ts writes them into a file after a build: reload the window, or quit
 * in order to be restarted. An installed program ignores them.
 */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';

export interface DevelopingDeeds {
  reload(): void;
  quit(): void;
}

const LOOK_MS = 200;

/** Path of the request file; null outside development. */
export const developingFile = (packaged: boolean, env: NodeJS.ProcessEnv): string | null =>
  packaged ? null : (env['SPOTTER_DEVELOPING'] ?? null);

const askedIn = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').split(' ')[0] ?? '';
  } catch {
    return '';
  }
};

/** @returns a function that stops following */
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
  // The file is empty at each start, so any content arrived since then.
  look();
  return () => unwatchFile(path);
};

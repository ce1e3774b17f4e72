/**
 * Is Electron's binary here, or can it be had? electron >= 42 downloads nothing at install; its own install script
 * does, once. Where that fails (no network, a closed one) the browser shell takes over, with one sentence.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './system.ts';

const DOWNLOAD_MS = 180_000;
/** After a failed download the next try waits, so that an offline laptop starts at once. */
const TRY_AGAIN_MS = 24 * 3_600_000;

const binary = (root: string): string | undefined => {
  const folder = join(root, 'node_modules/electron');
  try {
    const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

const failedLately = (note: string): boolean => {
  try {
    return Date.now() - Number(readFileSync(note, 'utf8')) < TRY_AGAIN_MS;
  } catch {
    return false;
  }
};

/** The path of Electron's binary, downloaded first where that works; undefined otherwise. */
export const bringElectron = async (
  root: string,
  say: (text: string) => void,
): Promise<string | undefined> => {
  const there = binary(root);
  if (there !== undefined) return there;
  const install = join(root, 'node_modules/electron/install.js');
  const note = join(root, 'node_modules/electron/.spotter-no-binary');
  if (!existsSync(install) || failedLately(note)) return undefined;
  say('Fetching Electron (once, about 120 MB) …');
  await runQuietly(process.execPath, [install], { timeout_ms: DOWNLOAD_MS });
  const fetched = binary(root);
  if (fetched === undefined) {
    writeFileSync(note, String(Date.now()));
    say(
      'Electron cannot be fetched here: Spotter runs in Chromium instead, with everything it has.',
    );
  }
  return fetched;
};

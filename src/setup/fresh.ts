/**
 * Which of the three parts of out/ are older than what they are made from, so that a start builds those and nothing else.
 * A source that is gone makes its part stale: the build then says what it misses.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Part = 'main' | 'preload' | 'renderer';

interface Made {
  /** Of the files that a build writes, one that it always writes. */
  readonly built: string;
  readonly sources: readonly string[];
}

const shell = ['src/contract', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

const made: Readonly<Record<Part, Made>> = {
  main: {
    built: 'out/main/index.js',
    sources: [
      'src/main',
      'src/host',
      'src/service',
      'src/disk',
      'src/setup/packages-beside.ts',
      ...shell,
    ],
  },
  preload: { built: 'out/preload/index.cjs', sources: ['src/preload', ...shell] },
  renderer: {
    built: 'out/renderer/index.html',
    sources: [
      'src/renderer',
      'src/phone',
      'src/contract',
      'src/setup/window-build.ts',
      'src/setup/window-chunks.ts',
      'src/setup/window-files.ts',
      'src/setup/phone-page.ts',
      'resources/window',
      'package-lock.json',
    ],
  },
};

/** When the newest file or folder below a path was changed; a folder changes when a file in it comes or goes. */
const newest = (path: string): number => {
  const state = statSync(path);
  if (!state.isDirectory()) return state.mtimeMs;
  return Math.max(state.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

const isFresh = (root: string, { built, sources }: Made): boolean => {
  try {
    const at = statSync(join(root, built)).mtimeMs;
    return sources.every((path) => newest(join(root, path)) <= at);
  } catch {
    return false;
  }
};

/** @param root the project's folder */
export const staleParts = (root: string): readonly Part[] =>
  (['main', 'preload', 'renderer'] as const).filter((part) => !isFresh(root, made[part]));

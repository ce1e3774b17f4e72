/**
 * Finds the parts of out/ that are older than their sources, so that a start builds only those. A missing source makes its part
 * stale, and the build then reports it.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Part = 'main' | 'preload' | 'renderer';

interface Made {
  /** A file that every build of the part writes. */
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
      'src/setup/package/packages-beside.ts',
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
      'src/setup/window/window-build.ts',
      'src/setup/window/window-chunks.ts',
      'src/setup/window/window-files.ts',
      'src/setup/window/phone-page.ts',
      'resources/window',
      'package-lock.json',
    ],
  },
};

/** Time of the newest change below a path. A folder's time changes when a file is added or removed. */
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

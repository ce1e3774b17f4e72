/** Describes why Spotter cannot run. Checks the data folder and the program's own parts before the host opens any file. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StartProblem } from '../host/index.ts';

export interface CannotRun {
  readonly kind: StartProblem['kind'] | 'damaged' | 'lost_folder' | 'no_sandbox';
  /** The facts: the folder and the system's reason. */
  readonly detail: string;
}

export const profileOf = (folder: string): string => join(folder, 'electron');

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const isFull = (error: unknown): boolean => (error as { code?: string }).code === 'ENOSPC';

/** Creates the data folder and the window's profile in it. Returns the problem when it cannot. */
export const prepareFolder = (folder: string): CannotRun | null => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    mkdirSync(profileOf(folder), { recursive: true, mode: 0o700 });
    accessSync(profileOf(folder), constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return { kind: isFull(error) ? 'no_space' : 'unusable_folder', detail: reason(error) };
  }
};

/** @param out the built program's folder */
export const missingPart = (out: string): CannotRun | null => {
  const parts = [
    'preload/index.cjs',
    'renderer/index.html',
    'main/service.js',
    'main/keytar-child.js',
    'main/reply-worker.js',
  ];
  const missing = parts.find((part) => !existsSync(join(out, part)));
  return missing === undefined ? null : { kind: 'damaged', detail: join(out, missing) };
};

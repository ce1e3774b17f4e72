/**
 * Beside the log: what ended that should not have (a page's process, a child, an error that nobody caught), with version and system and
 * without a word of a person, a path or a token. It stays on this laptop; Electron's own crash reporter is not started.
 */
import { join } from 'node:path';
import { linesFile } from '../host/log-file.ts';

const MOST_BYTES = 200_000;

export interface CrashNote {
  /** @param what this program's own words for the part that ended */
  ended(what: string, reason: string): void;
  threw(error: unknown): void;
}

/** Name, the system's code, and where in the built program: no message, which may hold what a person wrote. */
export const placeOfError = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const frame = (error.stack ?? '').split('\n').find((line) => line.trim().startsWith('at '));
  const at = frame
    ?.split(/[/\\( ]/)
    .at(-1)
    ?.replace(')', '');
  return [error.name, ...code, ...(at === undefined ? [] : [`at ${at}`])].join(' ');
};

export const keepCrashNote = (data_dir: string, version: string): CrashNote => {
  const file = linesFile(join(data_dir, 'logs/crashes.log'), MOST_BYTES);
  const note = (what: string, reason: string): void =>
    file.write(
      `${new Date().toISOString()} Spotter ${version} ${process.platform} ${process.arch}: ${what}: ${reason}`,
    );
  return { ended: note, threw: (error) => note('an error nobody caught', placeOfError(error)) };
};

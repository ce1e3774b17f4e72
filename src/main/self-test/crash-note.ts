/**
 * Keeps a file of crashes beside the log: page processes, child processes and uncaught errors, with version and system. It
 * holds no user text, path or token. It stays on this laptop, as native crash dumps do (Crashpad in the profile).
 */
import { join } from 'node:path';
import { linesFile } from '../../host/lib/log-file.ts';

const MOST_BYTES = 200_000;

export interface CrashNote {
  /** @param what the program's own name for the part that ended */
  ended(what: string, reason: string): void;
  threw(error: unknown): void;
}

/**
 * Describes an error by name, system code and place in the built program. The message is left out, as it may hold user text.
 */
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

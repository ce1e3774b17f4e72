/**
 * Writes the host's warnings and errors to disk: the program's sentences and the system's codes (recent-log.ts), in two files
 * of at most 2 MB each. Nothing is sent anywhere. Nothing waits for it, and write errors are ignored.
 */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Said } from './recent-log.ts';

const MOST_BYTES = 2_000_000;

export interface LinesFile {
  write(line: string): void;
  /** Resolves once everything written so far is on disk. */
  settled(): Promise<void>;
}

/** A log file with rotation. When full it is renamed to `.1`, replacing the previous one. */
export const linesFile = (path: string, most = MOST_BYTES): LinesFile => {
  let last: Promise<unknown> = Promise.resolve();
  let size: number | null = null;
  const put = async (line: string): Promise<void> => {
    const bytes = Buffer.from(`${line.replaceAll(/[\r\n]+/g, ' ')}\n`);
    if (size === null) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      size = await stat(path).then(
        (state) => state.size,
        () => 0,
      );
    }
    if (size > 0 && size + bytes.length > most) {
      await rename(path, `${path}.1`);
      size = 0;
    }
    await appendFile(path, bytes, { mode: 0o600 });
    size += bytes.length;
  };
  return {
    write: (line) => void (last = last.then(() => put(line)).catch(() => (size = null))),
    settled: async () => void (await last),
  };
};

export const lineOf = ({ at, level, message, code }: Said): string =>
  [new Date(at).toISOString(), level, message, code].filter((part) => part !== '').join(' ');

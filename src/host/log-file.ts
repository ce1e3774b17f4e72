/**
 * The host's warnings and errors on the disk, for a person who asks what happened: the program's own sentences and the system's codes
 * (recent-log.ts), two files of at most 2 MB each. Nothing of it is sent anywhere. Where it cannot be written nobody waits for it.
 */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Said } from './recent-log.ts';

const MOST_BYTES = 2_000_000;

export interface LinesFile {
  write(line: string): void;
  /** What was written so far is in the file. */
  settled(): Promise<void>;
}

/** A file of lines: full, it becomes the older one (`.1`), in the place of the one before. */
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

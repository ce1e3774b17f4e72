/**
 * While `import` writes a file into SQLite nobody else can write, for as long as the file is long. It holds this lock meanwhile, so that
 * the service knows what it waits for and goes on waiting (sqlite-waiting.ts). The kernel drops the lock of a process that died.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, shareLock, takeLock } from '../../disk/lock.ts';

const pathOf = (dataDir: string): string => join(dataDir, 'import.db');

/** Null where another import runs. */
export const lockImport = (dataDir: string): FileLock | null => takeLock(pathOf(dataDir));

/** How long an answer holds, milliseconds: hundreds of requests may ask at once. */
const KNOWN_FOR = 250;

/** Asks whether an import is under way, in another process than this one. */
export const importWatch = (dataDir: string): (() => boolean) => {
  let asked_at = -Infinity;
  let known = false;
  return () => {
    if (performance.now() - asked_at < KNOWN_FOR) return known;
    asked_at = performance.now();
    const path = pathOf(dataDir);
    const lock = existsSync(path) ? shareLock(path, 0) : undefined;
    known = lock === null;
    lock?.release();
    return known;
  };
};

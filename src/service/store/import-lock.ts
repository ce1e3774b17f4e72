/**
 * A lock that `import` holds while it writes to SQLite, because no other process can write meanwhile. The service sees the lock
 * and keeps waiting (sqlite-waiting.ts). The kernel releases it when the process dies.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, shareLock, takeLock } from '../../disk/lock.ts';

const pathOf = (dataDir: string): string => join(dataDir, 'import.db');

/** Null if another import is running. */
export const lockImport = (dataDir: string): FileLock | null => takeLock(pathOf(dataDir));

/** Cache duration in milliseconds: hundreds of requests may ask at once. */
const KNOWN_FOR = 250;

/** Returns a function that is true while another process runs an import. */
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

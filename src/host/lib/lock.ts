/**
 * Allows one host per data folder, by the kernel's lock on `host.lock.db` (disk/lock.ts). The lock is checked while the host
 * runs: if the file is removed or replaced, another host may start on the folder.
 */
import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { takeLock, type FileLock } from '../../disk/lock.ts';

const NAME = 'host.lock.db';
/** Polling interval in milliseconds, for file systems that report no changes (network folders). */
const LOOK_MS = 30_000;
/** Polling interval in milliseconds if the folder cannot be watched at all. */
const LOOK_UNWATCHED_MS = 2_000;

export interface HostLock {
  /** True while the folder is locked by us. */
  held(): boolean;
  /** Settles when the lock is lost. */
  readonly lost: Promise<void>;
  release(): void;
}

const keepLooking = (folder: string, lock: FileLock): HostLock => {
  const lost = Promise.withResolvers<void>();
  let looking: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const end = (): void => {
    clearInterval(looking);
    watcher?.close();
  };
  const look = (): void => {
    if (lock.held()) return;
    end();
    lost.resolve();
  };
  const lookEvery = (ms: number): void => {
    clearInterval(looking);
    looking = setInterval(look, ms).unref();
  };
  try {
    watcher = watch(folder, { persistent: false }, (_kind, name) => {
      // The event names the lock file, the folder, or nothing.
      if (name === null || name === NAME || name === basename(folder)) look();
    });
    watcher.on('error', () => {
      watcher?.close();
      lookEvery(LOOK_UNWATCHED_MS);
    });
    lookEvery(LOOK_MS);
    // The lock file may have vanished before the watch began.
    look();
  } catch {
    lookEvery(LOOK_UNWATCHED_MS);
  }
  return {
    held: () => lock.held(),
    lost: lost.promise,
    release: () => {
      end();
      lock.release();
    },
  };
};

/** Locks an existing folder. Null if another host holds it. */
export const lockFolder = (folder: string): HostLock | null => {
  const lock = takeLock(join(folder, NAME));
  return lock && keepLooking(folder, lock);
};

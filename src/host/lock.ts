/**
 * One host per data folder: the kernel's lock on `host.lock.db` (disk/lock.ts), looked at again while the host runs. Where
 * somebody removed or replaced the file the host hears of it, because another may now start on the same folder.
 * Versions before this one wrote a `host.lock` with a heartbeat: such a host that still runs is not robbed.
 */
import { type FSWatcher, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { takeLock, type FileLock } from '../disk/lock.ts';
import { removeFile } from '../disk/patient.ts';
import { codeOf } from './log.ts';

const NAME = 'host.lock.db';
/** The system tells of a change in the folder; where it does not see one (a folder of the network), this finds it. */
const LOOK_MS = 30_000;
/** Where the system cannot watch the folder at all. */
const LOOK_UNWATCHED_MS = 2_000;
/** How old the heartbeat of an earlier version may be. */
const BEAT_MS = 8_000;

export interface HostLock {
  /** Is the folder still ours? */
  held(): boolean;
  /** Settles once it is not. */
  readonly lost: Promise<void>;
  release(): void;
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** Does a host of an earlier version run here? Its file is removed where not. */
const earlierRuns = async (folder: string): Promise<boolean> => {
  const path = join(folder, 'host.lock');
  try {
    const { pid } = z.object({ pid: z.number() }).parse(JSON.parse(await readFile(path, 'utf8')));
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age < BEAT_MS && alive(pid)) return true;
  } catch {
    // Not there, or damaged: nobody's.
  }
  await removeFile(path);
  await removeFile(`${path}.taking`);
  return false;
};

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
      // The file's own name, the folder's, or none told.
      if (name === null || name === NAME || name === basename(folder)) look();
    });
    watcher.on('error', () => {
      watcher?.close();
      lookEvery(LOOK_UNWATCHED_MS);
    });
    lookEvery(LOOK_MS);
    // The lock's file may have gone before it was watched.
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

/** Takes the folder, which must be there; null where another host has it. */
export const lockFolder = async (folder: string): Promise<HostLock | null> => {
  const lock = takeLock(join(folder, NAME));
  if (lock === null) return null;
  if (!(await earlierRuns(folder))) return keepLooking(folder, lock);
  lock.release();
  return null;
};

/**
 * Copies of the window's database, taken before a browser may open it. Chromium throws a database that it finds damaged
 * away by itself and opens an empty one, so a copy made when the window notices would be too late (failures A19). A copy
 * costs next to nothing: LevelDB never writes to a table file twice, so those are hard links (not on Windows); only its logs are copied.
 * The window then reports how it found its database: healthy, and the copy goes; else it is kept, the last two of them.
 */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fail, ok, type Result } from '../contract/problem.ts';
import { move, removeFolder } from '../disk/patient.ts';
import type { Clock } from './clock.ts';
import { FOLDER_MODE, freeSpace } from './files.ts';
import { codeOf, wordsOf, type Log } from './log.ts';

/** How the window found its database. `broken`: it is about to delete it. `lost`: the journal had more than it. */
export type StoreState = 'healthy' | 'lost' | 'broken';

export interface WindowStore {
  /**
   * Answers the folder of the copy that is kept, null where there was nothing to keep. `no_space` for a broken one on a
   * full disk: it may well be whole, Chromium cannot open one without room, so the window must not delete it.
   */
  report(state: StoreState): Promise<Result<{ kept: string | null }>>;
}

const KEEP = 2;
/** Below this a database that does not open is not called broken. */
const ROOM_TO_OPEN = 16 * 1024 * 1024;
const PENDING = 'before-this-start';

/** Files that are written once and never again: LevelDB's tables, and everything in the folders of stored blobs. */
const isWrittenOnce = (path: string): boolean => path.endsWith('.ldb') || path.includes('.blob/');

/**
 * Windows shares a file and not a name of it: while Chromium has a table open no other link to it can be removed, so the copy
 * would never go and be weeks old. There everything is copied.
 */
const mayLink = (path: string, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' && isWrittenOnce(path.split(sep).join('/'));

/** One file. What is gone or locked meanwhile (another process has it) is left out: a part is better than nothing. */
const copyOne = async (from: string, to: string, platform: NodeJS.Platform): Promise<void> => {
  try {
    if (mayLink(from, platform)) return await link(from, to);
  } catch {
    // No links on this file system: a copy.
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!['ENOENT', 'EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error;
  }
};

/** Answers how many files there were. @throws ENOENT where the folder is not there */
export const copyTree = async (
  from: string,
  to: string,
  platform: NodeJS.Platform,
): Promise<number> => {
  const inside = await readdir(from, { withFileTypes: true });
  let files = 0;
  if (inside.length > 0) await mkdir(to, { recursive: true, mode: FOLDER_MODE });
  for (const one of inside) {
    const [source, target] = [join(from, one.name), join(to, one.name)];
    if (one.isDirectory()) files += await copyTree(source, target, platform);
    if (!one.isFile()) continue;
    await copyOne(source, target, platform);
    files += 1;
  }
  return files;
};

/**
 * @param store the browser profile's `IndexedDB` folder; null where this shell does not own the profile
 * @param folder where copies are kept
 */
export const openWindowStore = async (
  store: string | null,
  folder: string,
  clock: Clock,
  log: Log,
  free: (folder: string) => Promise<number> = freeSpace,
  platform: NodeJS.Platform = process.platform,
): Promise<WindowStore> => {
  const pending = join(folder, PENDING);

  const copy = async (): Promise<boolean> => {
    if (store === null) return false;
    try {
      return (await copyTree(store, pending, platform)) > 0;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        log({ level: 'warn', message: 'window database not copied', detail: wordsOf(error) });
      await removeFolder(pending);
      return false;
    }
  };

  const names = async (): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();

  const keep = async (): Promise<string | null> => {
    if (!(await names()).includes(PENDING)) return null;
    const stamp = new Date(clock.now()).toISOString().replace(/[-:.]/g, '');
    const target = join(folder, stamp);
    await removeFolder(target);
    await move(pending, target);
    const kept = (await names()).filter((name) => name !== PENDING);
    for (const old of kept.slice(0, -KEEP)) await removeFolder(join(folder, old));
    log({ level: 'warn', message: 'window database set aside', copy: basename(target) });
    return target;
  };

  // One that no window reported on is older than what is there now, and may be what came before the damage: it stays.
  if (!(await names()).includes(PENDING)) await copy();

  let last: Promise<unknown> = Promise.resolve();
  /** One report at a time. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    report: (state) =>
      inTurn(async () => {
        if (state === 'healthy') {
          await removeFolder(pending);
          return ok({ kept: null });
        }
        const left = await free(dirname(folder)).catch(() => Infinity);
        if (state === 'broken' && left < ROOM_TO_OPEN)
          return fail({ kind: 'no_space', detail: 'no room to open the window database' });
        if (state === 'broken' && !(await names()).includes(PENDING)) await copy();
        return ok({ kept: await keep() });
      }),
  };
};

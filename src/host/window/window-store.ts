/**
 * Copies the window's database before a browser opens it. Chromium replaces a damaged database with an empty one, so a copy
 * made when the window notices would be too late (failures A19). The copy is cheap: LevelDB writes each table file once, so
 * tables are hard-linked (not on Windows) and only logs are copied. The window then reports the state of its database. If it is
 * healthy the copy is deleted, otherwise kept; the last two are retained.
 */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { move, removeFolder } from '../../disk/retry-busy-file.ts';
import type { Clock } from '../lib/clock.ts';
import { FOLDER_MODE, freeSpace } from '../lib/files.ts';
import { codeOf, wordsOf, type Log } from '../lib/log.ts';
import { createTurns } from '../lib/turns.ts';

/** The window's report. `broken`: it is about to delete its database. `lost`: the journal held more than the database. */
type StoreState = 'healthy' | 'lost' | 'broken';

export interface WindowStore {
  /**
   * Returns the folder of the retained copy, or null if there was none. Fails with `no_space` for a broken database on a full
   * disk: Chromium needs free space to open a database, so it may be intact and must not be deleted.
   */
  report(state: StoreState): Promise<Result<{ kept: string | null }>>;
}

const KEEP = 2;
/** Free bytes that Chromium needs to open a database. With less, one that does not open may be intact. */
const ROOM_TO_OPEN = 16 * 1024 * 1024;
const PENDING = 'before-this-start';

/** True for files that are written once: LevelDB tables, and everything in the blob folders. */
const isWrittenOnce = (path: string): boolean => path.endsWith('.ldb') || path.includes('.blob/');

/**
 * On Windows an open table cannot be removed through any of its hard links, so the copy would linger for weeks. Copy everything
 * there.
 */
const mayLink = (path: string, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' && isWrittenOnce(path.split(sep).join('/'));

/** Copies one file. Skips a file that vanished or is locked: a partial copy is better than none. */
const copyOne = async (from: string, to: string, platform: NodeJS.Platform): Promise<void> => {
  try {
    if (mayLink(from, platform)) return await link(from, to);
  } catch {
    // The file system has no hard links: copy instead.
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!['ENOENT', 'EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error;
  }
};

/** Copies a folder recursively. Returns the number of files. @throws ENOENT if the folder does not exist */
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
 * @param store the browser profile's `IndexedDB` folder; null if this shell does not own the profile
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
    log({
      level: 'warn',
      message: 'the window database was damaged: a copy is kept',
      copy: basename(target),
    });
    return target;
  };

  // Keep a copy that no window reported on. It is older and may predate the damage.
  if (!(await names()).includes(PENDING)) await copy();

  /** Serializes reports. */
  const inTurn = createTurns();

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

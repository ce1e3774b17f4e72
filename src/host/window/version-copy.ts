/**
 * Copies the window's database before another version of the program opens it, because a migration may make it unreadable for
 * the older version. Keeps the copy of the latest version change, and a note of the current version.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { move, removeFolder } from '../../disk/retry-busy-file.ts';
import { FOLDER_MODE, readIfThere, writeFileAtomic } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import { copyTree } from './window-store.ts';

const MAKING = 'making';

/** Atomic: copies under a temporary name, then renames. */
const makeCopy = async (store: string, copy: string, making: string): Promise<void> => {
  await removeFolder(making);
  try {
    const files = await copyTree(store, making, process.platform);
    if (files > 0) await move(making, copy);
  } catch (error) {
    await removeFolder(making);
    // No database yet: this is the first start.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** @param store the browser profile's `IndexedDB` folder; null if this shell does not own it */
export const copyBeforeNewVersion = async (
  store: string | null,
  folder: string,
  version: string,
  log: Log,
): Promise<void> => {
  if (store === null) return;
  const note = join(folder, 'version');
  try {
    const was = await readIfThere(note);
    if (was === version) return;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const name = `before-${version.replaceAll(/[^\w.-]/g, '_')}`;
    const there = await readdir(folder);
    // Keep a copy from a start that failed to write its note. This version may have changed the database since.
    if (!there.includes(name)) await makeCopy(store, join(folder, name), join(folder, MAKING));
    // Delete older copies before writing the note, so that they are gone once it exists.
    for (const one of there)
      if (one.startsWith('before-') && one !== name) await removeFolder(join(folder, one));
    await writeFileAtomic(note, version);
  } catch (error) {
    log({
      level: 'warn',
      message: 'window database not copied before a new version',
      code: codeOf(error),
    });
  }
};

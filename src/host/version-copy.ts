/**
 * Before another version of the program opens the window's database for the first time, the database is copied: a new version may change
 * it, and an older one could not read it then. The copy of the last change of version is kept, beside the note of which version was here.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { move, removeFolder } from '../disk/patient.ts';
import { FOLDER_MODE, readIfThere, writeFileAtomic } from './files.ts';
import { codeOf, type Log } from './log.ts';
import { copyTree } from './window-store.ts';

const MAKING = 'making';

/** Whole or not there: made under another name. */
const makeCopy = async (store: string, copy: string, making: string): Promise<void> => {
  await removeFolder(making);
  try {
    const files = await copyTree(store, making, process.platform);
    if (files > 0) await move(making, copy);
  } catch (error) {
    await removeFolder(making);
    // Nothing is there yet: the first start of all.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** @param store the browser profile's `IndexedDB` folder; null where this shell does not own it */
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
    // Made by a start that could not write its note: since then this version may have changed the database.
    if (!there.includes(name)) await makeCopy(store, join(folder, name), join(folder, MAKING));
    // Before the note: no copy of an earlier change is there once the note is.
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

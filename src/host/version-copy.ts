/**
 * Before another version of the program opens the window's database for the first time, the database is copied: a new version may change
 * it, and an older one could not read it then. The copy of the last change of version is kept, beside the note of which version was here.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../disk/patient.ts';
import { FOLDER_MODE, readIfThere } from './files.ts';
import { codeOf, type Log } from './log.ts';
import { copyTree } from './window-store.ts';

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
    await removeFolder(join(folder, name));
    await copyTree(store, join(folder, name), process.platform).catch((error: unknown) => {
      // Nothing is there yet: the first start of all.
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    const older = (await readdir(folder)).filter(
      (one) => one.startsWith('before-') && one !== name,
    );
    for (const one of older) await removeFolder(join(folder, one));
    await writeFile(note, version);
  } catch (error) {
    log({
      level: 'warn',
      message: 'window database not copied before a new version',
      code: codeOf(error),
    });
  }
};

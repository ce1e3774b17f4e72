/**
 * Creates the folders that a backup and a restore fill, and removes those left by a crash. It removes only folders with our
 * names, and only under a lock: a restore holds the lock of the data folder, a backup its own.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, takeLock } from '../../../disk/lock.ts';
import { removeFile, removeFolder } from '../../../disk/retry-busy-file.ts';

type Kind = 'backup' | 'restore';

const LEFT = /^(backup|restore)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A file in a backup's folder with the path of the archive that the backup writes elsewhere. */
const ARCHIVE = 'archive.txt';

const leftIn = async (dataDir: string, kind: Kind): Promise<readonly string[]> =>
  (await readdir(dataDir)).filter((name) => LEFT.exec(name)?.[1] === kind);

/** @param archive the unfinished file that a backup writes outside the folder */
export const makeStaging = async (
  dataDir: string,
  kind: Kind,
  archive?: string,
): Promise<string> => {
  const staging = join(dataDir, `${kind}-${randomUUID()}`);
  await mkdir(staging, { mode: 0o700 });
  if (archive !== undefined) await writeFile(join(staging, ARCHIVE), archive, { mode: 0o600 });
  return staging;
};

/** Allows one backup of a data folder at a time. Null if another is running. */
export const lockBackup = (dataDir: string): FileLock | null =>
  takeLock(join(dataDir, 'backup.db'));

/** The caller must hold the lock of this kind. */
export const removeLeft = async (dataDir: string, kind: Kind): Promise<void> => {
  for (const name of await leftIn(dataDir, kind)) {
    const staging = join(dataDir, name);
    const archive = await readFile(join(staging, ARCHIVE), 'utf8').catch(() => '');
    if (archive.endsWith('.partial')) await removeFile(archive);
    await removeFolder(staging);
  }
};

/** Runs at the start of the service, which holds the lock of the data folder. */
export const removeAllLeft = async (dataDir: string): Promise<void> => {
  await removeLeft(dataDir, 'restore');
  if ((await leftIn(dataDir, 'backup')).length === 0) return;
  const lock = lockBackup(dataDir);
  if (lock === null) return;
  try {
    await removeLeft(dataDir, 'backup');
  } finally {
    lock.release();
  }
};

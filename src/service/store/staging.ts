/**
 * The folders that a backup and a restore fill beside the data, and what is left of them when one was killed. Nobody else's folder
 * goes: they have names of ours, and whoever fills one holds a lock meanwhile: a restore that of the data folder, a backup its own.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, takeLock } from '../../disk/lock.ts';
import { removeFile, removeFolder } from '../../disk/patient.ts';

type Kind = 'backup' | 'restore';

const LEFT = /^(backup|restore)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** In a backup's folder: the path of the archive that it writes elsewhere. */
const ARCHIVE = 'archive.txt';

const leftIn = async (dataDir: string, kind: Kind): Promise<readonly string[]> =>
  (await readdir(dataDir)).filter((name) => LEFT.exec(name)?.[1] === kind);

/** @param archive what a backup writes outside of it, until it is whole */
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

/** Held while a backup is made: one at a time of a data folder. Null where another runs. */
export const lockBackup = (dataDir: string): FileLock | null =>
  takeLock(join(dataDir, 'backup.db'));

/** Call it with the lock that belongs to the kind. */
export const removeLeft = async (dataDir: string, kind: Kind): Promise<void> => {
  for (const name of await leftIn(dataDir, kind)) {
    const staging = join(dataDir, name);
    const archive = await readFile(join(staging, ARCHIVE), 'utf8').catch(() => '');
    if (archive.endsWith('.partial')) await removeFile(archive);
    await removeFolder(staging);
  }
};

/** At a start, which holds the lock of the data folder. */
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

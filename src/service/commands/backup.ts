/**
 * `backup FILE`: everything of a data folder in one tar file, also while the service runs. The database is copied first
 * and says which files belong to it; stored files are never changed, only added and deleted. One that was deleted between
 * the two is found by its sha256, or by tar, and makes the whole begin again, so that a backup never lacks what its database promises.
 * What is wrong in every try was lost before: the archive names it, so that `restore` takes the rest.
 */
import { existsSync } from 'node:fs';
import { chmod, open, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { create, replace } from 'tar';
import { move, removeFile, removeFolder } from '../../disk/patient.ts';
import { OptionError, parseCommand } from '../options.ts';
import { readSnapshot, snapshotDatabase } from '../store/snapshot.ts';
import { lockBackup, makeStaging, removeLeft } from '../store/staging.ts';
import { checkPlaces, DATABASE, fileOf, KEY, LOST, PARTS, wrongFiles } from './archive.ts';

const TRIES = 5;

/** Paths (below the data folder) of every part of these uploads. */
const partsOf = async (folder: string, uploads: ReadonlySet<string>): Promise<string[]> => {
  if (!existsSync(join(folder, PARTS))) return [];
  const entries = await readdir(join(folder, PARTS), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && uploads.has(entry.name.split('.', 1)[0] ?? ''))
    .map((entry) => `${PARTS}/${entry.name.slice(0, 2)}/${entry.name}`)
    .sort();
};

const writeArchive = async (folder: string, staging: string, file: string) => {
  const copy = join(staging, DATABASE);
  await snapshotDatabase(join(folder, DATABASE), copy);
  const { files, uploads } = readSnapshot(copy);
  const parts = await partsOf(folder, uploads);
  const key = existsSync(join(folder, KEY)) ? [KEY] : [];
  await create(
    {
      file,
      cwd: folder,
      portable: true,
      mode: 0o600,
      onWriteEntry: (entry) => {
        if (entry.path.endsWith(`/${DATABASE}`)) entry.path = DATABASE;
      },
    },
    [`./${basename(staging)}/${DATABASE}`, ...key, ...parts],
  );
  return { wrong: await wrongFiles(folder, files), stored: files.length };
};

/** Null where a file was deleted while the archive was being written. */
const orVanished = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
};

const nameLost = async (staging: string, file: string, lost: readonly string[]): Promise<void> => {
  if (lost.length === 0) return;
  await writeFile(join(staging, LOST), JSON.stringify(lost), { mode: 0o600 });
  await replace({ file, cwd: staging, portable: true }, [LOST]);
};

/** Opened for writing too: Windows makes nothing durable by a handle that only reads. */
const sync = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeBackup = async (folder: string, file: string): Promise<unknown> => {
  const partial = resolve(`${file}.partial`);
  const staging = await makeStaging(folder, 'backup', partial);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const writing = writeArchive(folder, staging, partial);
      const written = await (attempt === TRIES ? writing : orVanished(writing));
      if (written && (written.wrong.length === 0 || attempt === TRIES)) {
        const { wrong, stored } = written;
        await nameLost(staging, partial, wrong);
        await chmod(partial, 0o600);
        await sync(partial);
        await move(partial, file);
        return { backup: file, bytes: (await stat(file)).size, files: stored, damaged: wrong };
      }
      await removeFile(join(staging, DATABASE));
    }
  } finally {
    await removeFolder(staging);
    await removeFile(partial);
  }
};

/** Answers what goes to stdout as one line of JSON. @throws {OptionError} */
export const runBackup = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words } = parseCommand(argv, environment, []);
  const file = fileOf('backup', words);
  checkPlaces('backup', options);
  const folder = resolve(options['data-dir']);
  if (!existsSync(join(folder, DATABASE)))
    throw new OptionError(`There is no database in ${folder}. Say where: --data-dir.`);
  if (existsSync(file)) throw new OptionError(`${file} is there already. Choose another name.`);
  const lock = lockBackup(folder);
  if (lock === null)
    throw new OptionError(`Another backup of ${folder} is being made. Wait for its end.`);
  try {
    await removeLeft(folder, 'backup');
    return await writeBackup(folder, file);
  } finally {
    lock.release();
  }
};

/**
 * `backup FILE`: copies a data folder to one tar file, also while the service runs. The database is copied first and
 * names the required files. Stored files are only added and deleted, never changed. If one is deleted during the
 * backup, its sha256 or tar reveals it and the backup starts again, so that the archive contains everything its
 * database lists. A file that fails on every attempt was lost earlier: the archive lists it, so that `restore`
 * accepts the rest.
 */
import { existsSync } from 'node:fs';
import { chmod, open, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { create, replace } from 'tar';
import { move, removeFile, removeFolder } from '../../disk/retry-busy-file.ts';
import { OptionError, parseCommand } from '../options.ts';
import { readSnapshot, snapshotDatabase } from '../store/backup/snapshot.ts';
import { lockBackup, makeStaging, removeLeft } from '../store/backup/staging.ts';
import { checkPlaces, DATABASE, fileOf, KEY, LOST, PARTS, wrongFiles } from './archive.ts';

const TRIES = 5;

/** Paths, below the data folder, of every part of these uploads. */
const partsOf = async (folder: string, uploads: ReadonlySet<string>): Promise<string[]> => {
  if (!existsSync(join(folder, PARTS))) return [];
  const entries = await readdir(join(folder, PARTS), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && uploads.has(entry.name.split('.', 1)[0] ?? ''))
    .map((entry) => `${PARTS}/${entry.name.slice(0, 2)}/${entry.name}`)
    .sort();
};

/** Signature of tar's `create`. A test passes its own, which deletes a file during the archiving. */
export type CreateArchive = typeof create;

const writeArchive = async (
  folder: string,
  staging: string,
  file: string,
  createArchive: CreateArchive,
) => {
  const copy = join(staging, DATABASE);
  await snapshotDatabase(join(folder, DATABASE), copy);
  const { files, uploads } = readSnapshot(copy);
  const parts = await partsOf(folder, uploads);
  const key = existsSync(join(folder, KEY)) ? [KEY] : [];
  await createArchive(
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

/** Null if a file was deleted during the archiving. */
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

/** Opened for writing, because Windows cannot sync a read-only handle. */
const sync = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeBackup = async (
  folder: string,
  file: string,
  createArchive: CreateArchive,
): Promise<unknown> => {
  const partial = resolve(`${file}.partial`);
  const staging = await makeStaging(folder, 'backup', partial);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const writing = writeArchive(folder, staging, partial, createArchive);
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

/** Returns the JSON for stdout. @throws {OptionError} */
export const runBackup = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  createArchive: CreateArchive = create,
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
    return await writeBackup(folder, file, createArchive);
  } finally {
    lock.release();
  }
};

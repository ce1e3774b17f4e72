/**
 * `restore FILE`: restores a backup into a data folder without a database. Unpacks into a staging folder, checks the
 * database and the sha256 of every stored file, then moves all of it in, the database last. An interruption therefore
 * leaves no partial service. Holds the folder's lock meanwhile.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { extract } from 'tar';
import { z } from 'zod';
import { move, removeFolder } from '../../disk/retry-busy-file.ts';
import { OptionError, parseCommand } from '../options.ts';
import { prepareRestored } from '../store/backup/copies.ts';
import { lockDataDir, openDataDir } from '../store/engine/lock.ts';
import { readSnapshot } from '../store/backup/snapshot.ts';
import { makeStaging, removeLeft } from '../store/backup/staging.ts';
import { checkPlaces, DATABASE, fileOf, isOurs, KEY, LOST, wrongFiles } from './archive.ts';

const unpack = async (file: string, into: string): Promise<void> => {
  const strangers: string[] = [];
  await extract({
    file,
    cwd: into,
    strict: true,
    preserveOwner: false,
    filter: (path) => {
      if (!isOurs(path)) strangers.push(path);
      return isOurs(path);
    },
  });
  if (strangers.length > 0 || !existsSync(join(into, DATABASE)))
    throw new OptionError(`${file} is no backup of this service.`);
};

/** Uploads lost before the backup, which `backup` reported at the time. */
const lostBefore = async (folder: string): Promise<readonly string[]> => {
  const path = join(folder, LOST);
  if (!existsSync(path)) return [];
  return z.array(z.string()).parse(JSON.parse(await readFile(path, 'utf8')));
};

const check = async (file: string, folder: string) => {
  const { files } = readSnapshot(join(folder, DATABASE));
  const lost = await lostBefore(folder);
  const damaged = await wrongFiles(folder, files);
  const wrong = damaged.filter((upload) => !lost.includes(upload));
  if (wrong.length > 0)
    throw new OptionError(
      `${file} is damaged: ${wrong.length} of ${files.length} stored files are missing or changed. Nothing was restored.`,
    );
  return damaged.length === 0 ? { files: files.length } : { files: files.length, damaged };
};

const moveIn = async (from: string, to: string): Promise<void> => {
  if (existsSync(join(from, 'files'))) await move(join(from, 'files'), join(to, 'files'));
  if (existsSync(join(from, KEY))) await move(join(from, KEY), join(to, KEY));
  await move(join(from, DATABASE), join(to, DATABASE));
};

/** Wraps errors of tar and SQLite about an invalid archive in a sentence. */
const readable = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(`${file} could not be restored: ${(error as Error).message}.`);
  }
};

/** Returns the JSON for stdout. @throws {OptionError} @throws {DataDirBusy} */
export const runRestore = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  now: number = Date.now(),
): Promise<unknown> => {
  const { options, words } = parseCommand(argv, environment, []);
  const file = fileOf('restore', words);
  checkPlaces('restore', options);
  const folder = resolve(options['data-dir']);
  if (!existsSync(file)) throw new OptionError(`There is no file ${file}.`);
  await openDataDir(folder);
  const unlock = lockDataDir(folder);
  let staging: string | null = null;
  try {
    if ([DATABASE, 'files', KEY].some((name) => existsSync(join(folder, name))))
      throw new OptionError(
        `${folder} holds a service already. Restore into another folder with --data-dir, or move it away first.`,
      );
    await removeLeft(folder, 'restore');
    const into = (staging = await makeStaging(folder, 'restore'));
    return await readable(file, async () => {
      await unpack(file, into);
      const found = await check(file, into);
      prepareRestored(join(into, DATABASE), null, now);
      await moveIn(into, folder);
      return { restored: folder, ...found };
    });
  } finally {
    if (staging !== null) await removeFolder(staging);
    unlock();
  }
};

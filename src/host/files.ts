/**
 * The few file operations that "saved on this laptop" rests on: a file is whole or absent (`write tmp -> fsync ->
 * rename -> fsync dir`), files are 0600 and folders 0700, and a full disk is told apart from every other error.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { move, removeFile, whenFree } from '../disk/patient.ts';
import { codeOf, wordsOf } from './log.ts';
import { fail, type Problem, type Result } from '../contract/problem.ts';

export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export const ensureFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
};

/** Makes a rename or a new name durable. Windows has no such call: there the file system's own journal does it. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Replaces `path` by `data`, durably and in one step: a crash leaves the old file or the new one. */
export const writeFileAtomic = async (path: string, data: string | Uint8Array): Promise<void> => {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', FILE_MODE);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await move(temporary, path);
  } catch (error) {
    await removeFile(temporary);
    throw error;
  }
  await syncFolder(dirname(path));
};

const UNFINISHED = /\.[0-9a-f]{12}\.tmp$/;

/** Removes what `writeFileAtomic` left in a folder when the program was killed before its rename. To be called where nobody writes there yet. */
export const dropUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    // One that cannot be removed today harms nothing but its space.
    if (UNFINISHED.test(name)) await removeFile(join(folder, name)).catch(() => undefined);
};

/** The file's text, or null where there is none. */
export const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await whenFree(() => readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** A file that is there and cannot be read: nothing is known of what it says, so nothing may be written in its place. */
export class Unreadable extends Error {}

/** As `readIfThere`, for a file that the program must not do without. @throws {Unreadable} */
export const readOwn = async (path: string): Promise<string | null> => {
  try {
    return await readIfThere(path);
  } catch (error) {
    throw new Unreadable(
      `${path} cannot be read (${codeOf(error)}). It was left as it is. Give your user the right to read it, then start again.`,
      { cause: error },
    );
  }
};

/** The disk, the quota or the allowed file size is used up. */
export const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));

/** A file error as a problem: `no_space`, or a bug of ours. */
export const fileProblem = (error: unknown): Problem =>
  isNoSpace(error)
    ? { kind: 'no_space', detail: wordsOf(error) }
    : { kind: 'bug', detail: wordsOf(error) };

export const failFile = (error: unknown): Result<never> => fail(fileProblem(error));

/** Bytes an ordinary user may still write on the disk that holds `folder`. */
export const freeSpace = async (folder: string): Promise<number> => {
  const facts = await statfs(folder);
  return facts.bavail * facts.bsize;
};

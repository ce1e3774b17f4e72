/**
 * The file operations that "saved on this laptop" rests on. Writes are atomic (`write tmp -> fsync -> rename -> fsync dir`),
 * files are 0600 and folders 0700, and a full disk is distinguished from other errors.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { move, removeFile, whenFree } from '../../disk/retry-busy-file.ts';
import { codeOf, wordsOf } from './log.ts';
import { fail, type Problem, type Result } from '../../contract/problem.ts';

export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export const ensureFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
};

/** Makes a rename or a new file durable. Windows has no such call and relies on the file system's journal. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Replaces `path` durably and atomically. A crash leaves either the old file or the new one. */
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

/** Removes temporary files of `writeFileAtomic` after a crash. Call it only before anything writes to the folder. */
export const dropUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    // A file that cannot be removed only wastes space.
    if (UNFINISHED.test(name)) await removeFile(join(folder, name)).catch(() => undefined);
};

/** Reads a text file. Null if it does not exist. */
export const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await whenFree(() => readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** A file exists but cannot be read. It must not be overwritten, because its content is unknown. */
export class Unreadable extends Error {}

/**
 * Like `readIfThere`, for a file that the program cannot run without.
 * @throws {Unreadable}
 */
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

/** True if the disk, the quota or the file size limit is exhausted. */
export const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));

/** Converts a file error to a problem: `no_space`, or a bug of ours. */
export const fileProblem = (error: unknown): Problem =>
  isNoSpace(error)
    ? { kind: 'no_space', detail: wordsOf(error) }
    : { kind: 'bug', detail: wordsOf(error) };

export const failFile = (error: unknown): Result<never> => fail(fileProblem(error));

/** Bytes that an unprivileged user may still write on the disk that holds `folder`. */
export const freeSpace = async (folder: string): Promise<number> => {
  const facts = await statfs(folder);
  return facts.bavail * facts.bsize;
};

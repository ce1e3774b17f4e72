/** Searches files, for tests of what must not be on disk. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.map((entry) => join(folder, entry));
  const facts = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, at) => facts[at]?.isFile());
};

export const filesWith = async (folder: string, text: string): Promise<string[]> => {
  const paths = await filesBelow(folder);
  const bytes = await Promise.all(paths.map((path) => readFile(path)));
  return paths.filter((_, at) => bytes[at]?.includes(text));
};

/**
 * What a backup holds, and what backup and restore both check: `spotter.db`, `webhook.key` where there is one, and
 * `files/parts/…` as the disk store lays them out, and what had been lost before (`lost.json`). The database says which files there must be and what their sha256 is.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { OptionError, type Options } from '../options.ts';
import type { KeptFile } from '../store/snapshot.ts';

export const DATABASE = 'spotter.db';
/** Beside the database; without it the sealed headers and secrets of webhooks cannot be opened. */
export const KEY = 'webhook.key';
export const PARTS = 'files/parts';

/** Uploads whose bytes were lost before the backup was made, as a list in JSON: in an archive only where there are any. */
export const LOST = 'lost.json';

/** Every name that may be in an archive. */
export const isOurs = (path: string): boolean =>
  [DATABASE, KEY, LOST].includes(path) ||
  /^files\/parts\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9-]{1,60}$/.test(
    path,
  );

const pathOf = (upload: string, part: string): string =>
  `${PARTS}/${upload.slice(0, 2)}/${upload}.${part}`;

/** The files below `folder` that are missing or not what the database says. */
export const wrongFiles = async (
  folder: string,
  files: readonly KeptFile[],
): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const { upload, parts, sha256 } of files) {
    const hash = createHash('sha256');
    try {
      for (const part of parts)
        for await (const chunk of createReadStream(join(folder, pathOf(upload, part))))
          hash.update(chunk as Buffer);
      if (hash.digest('hex') !== sha256) wrong.push(upload);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
      wrong.push(upload);
    }
  }
  return wrong;
};

/** The one word after the command. @throws {OptionError} */
export const fileOf = (command: string, words: readonly string[]): string => {
  const [file] = words;
  if (file === undefined || words.length > 1)
    throw new OptionError(`Say one file: ${command} FILE. See --help.`);
  return file;
};

/** What is kept elsewhere has its own tools. @throws {OptionError} */
export const checkPlaces = (command: string, options: Options): void => {
  const { 'database-url': database } = options as Options & { readonly 'database-url'?: string };
  if (database !== undefined && database !== '')
    throw new OptionError(
      `${command} is for SQLite. For PostgreSQL use pg_dump and pg_restore, and copy the files folder or the bucket.`,
    );
  if (options['file-store'] !== '')
    throw new OptionError(
      `${command} is for files in the data folder. For a bucket use its own versioning or copies, and ${command} without --file-store for the database.`,
    );
};

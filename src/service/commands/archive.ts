/**
 * Content of a backup, and the checks shared by backup and restore. An archive contains `spotter.db`, `webhook.key`
 * if there is one, `files/parts/…` in the layout of the disk store, and a list of bytes lost earlier (`lost.json`).
 * The database names the required files and their sha256.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { OptionError, type Options } from '../options.ts';
import type { KeptFile } from '../store/backup/snapshot.ts';

export const DATABASE = 'spotter.db';
/** Stored beside the database. Without it the sealed headers and secrets of webhooks cannot be opened. */
export const KEY = 'webhook.key';
export const PARTS = 'files/parts';

/** JSON list of uploads with bytes lost before the backup; present only if there are any. */
export const LOST = 'lost.json';

/** True for every path that an archive may contain. */
export const isOurs = (path: string): boolean =>
  [DATABASE, KEY, LOST].includes(path) ||
  /^files\/parts\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9-]{1,60}$/.test(
    path,
  );

const pathOf = (upload: string, part: string): string =>
  `${PARTS}/${upload.slice(0, 2)}/${upload}.${part}`;

/** Uploads with files below `folder` that are missing or differ from the database. */
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

/** The single argument after the command. @throws {OptionError} */
export const fileOf = (command: string, words: readonly string[]): string => {
  const [file] = words;
  if (file === undefined || words.length > 1)
    throw new OptionError(`Say one file: ${command} FILE. See --help.`);
  return file;
};

/** Refuses data in PostgreSQL or in a bucket, which have their own backup tools. @throws {OptionError} */
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

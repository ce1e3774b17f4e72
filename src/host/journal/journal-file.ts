/**
 * The file of the journal: durable appends, and its replacement. After a failed append the file holds what it held before, or is
 * replaced before the next one. A reserve file is deleted when the disk is full, so that a record's text still fits after photos
 * are refused.
 */
import { open, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../../disk/retry-busy-file.ts';
import { FILE_MODE, freeSpace, isNoSpace, syncFolder, writeFileAtomic } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';

const RESERVE_BYTES = 4 * 1024 * 1024;

/** Creates the reserve if it is missing and there is space. Returns whether it exists. */
const ensureReserve = async (folder: string, path: string): Promise<boolean> => {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  if (size === RESERVE_BYTES) return true;
  if ((await freeSpace(folder)) < 4 * RESERVE_BYTES) return false;
  return writeFileAtomic(path, new Uint8Array(RESERVE_BYTES).fill(0x2e)).then(
    () => true,
    () => false,
  );
};

export const createReserve = (folder: string) => {
  const path = join(folder, 'reserve');
  let is_there = false;
  return {
    isThere: (): boolean => is_there,
    async fill(): Promise<void> {
      is_there = await ensureReserve(folder, path);
    },
    async giveUp(): Promise<void> {
      is_there = false;
      await removeFile(path);
      await syncFolder(folder);
    },
  };
};

export type Reserve = ReturnType<typeof createReserve>;

/** The open file. It is closed while it is replaced, because Windows cannot rename over an open file. */
const createHandle = (path: string) => {
  let handle: FileHandle | null = null;
  let closed = false;
  const get = async (): Promise<FileHandle> => {
    if (closed) throw new Error('the journal is closed');
    return (handle ??= await open(path, 'a', FILE_MODE));
  };
  const close = async (): Promise<void> => {
    const was = handle;
    handle = null;
    await was?.close().catch(() => undefined);
  };
  return {
    get,
    close,
    /** True if the open file is still at its path and complete. Another program may have removed, moved or emptied it. */
    async isThere(size: number): Promise<boolean> {
      const held = await (await get()).stat({ bigint: true });
      const there = await stat(path, { bigint: true }).catch(() => null);
      return there?.ino === held.ino && there.dev === held.dev && there.size >= size;
    },
    closeForGood: (): Promise<void> => {
      closed = true;
      return close();
    },
  };
};

export interface JournalFileParts {
  readonly path: string;
  /** Bytes of the file as it was read, and whether its last line lacks a newline. */
  readonly size: number;
  readonly torn: boolean;
  /** The text that replaces the file. Rejects if the file must stay. */
  readonly replacement: () => Promise<string>;
  readonly isOurs: () => boolean;
  readonly log: Log;
}

export interface JournalFile {
  readonly size: () => number;
  open(): Promise<unknown>;
  /** Replaces the file by the fewest lines that restore the state. */
  compact(): Promise<void>;
  /** Resolves once the lines are on disk. */
  append(lines: Buffer): Promise<void>;
  close(): Promise<void>;
}

export const createJournalFile = (parts: JournalFileParts): JournalFile => {
  const { path, isOurs, log } = parts;
  const handle = createHandle(path);
  /** `torn`: the last line lacks its newline, so the next append starts with one. */
  let { size, torn } = parts;
  /** After a failed fsync the file's content is unknown. The next append replaces it first. */
  let suspect = false;

  const compact = async (): Promise<void> => {
    const text = await parts.replacement();
    await handle.close();
    await writeFileAtomic(path, text);
    size = Buffer.byteLength(text);
    suspect = false;
    torn = false;
  };

  /** Truncates what a failed append left. Uses the path, because Windows cannot truncate through an append handle. */
  const cutBack = async (file: FileHandle): Promise<void> => {
    await truncate(path, size);
    await file.sync();
  };

  const append = async (lines: Buffer): Promise<void> => {
    if (!isOurs()) throw new Error('the data folder is no longer ours');
    if (!suspect && !(await handle.isThere(size))) {
      log({
        level: 'warn',
        message: 'another program removed or changed the journal: it is rewritten from memory',
      });
      suspect = true;
    }
    if (suspect) await compact();
    const file = await handle.get();
    const data = torn ? Buffer.concat([Buffer.from('\n'), lines]) : lines;
    try {
      for (let at = 0; at < data.length;) at += (await file.write(data, at)).bytesWritten;
      await file.sync();
      size += data.length;
      torn = false;
    } catch (error) {
      suspect = true;
      await cutBack(file).then(
        () => (suspect = !isNoSpace(error)),
        () => undefined,
      );
      throw error;
    }
  };

  return { size: () => size, open: handle.get, compact, append, close: handle.closeForGood };
};

/** Appends the lines. On a full disk it gives up the reserve and tries once more. */
export const appendWithReserve = async (
  file: JournalFile,
  reserve: Reserve,
  lines: Buffer,
  log: Log,
): Promise<void> => {
  try {
    await file.append(lines);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    log({ level: 'warn', message: 'disk full: the journal gives up its reserve' });
    await reserve.giveUp();
    await file.append(lines);
  }
};

/**
 * Where a part lies: `parts/<2 hex>/<uuid>.<name>`. Paths consist of the upload's uuid and the part's name, both chosen by the
 * service: a client's name never becomes a path (failures S12).
 */
import { mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { move } from '../../../disk/retry-busy-file.ts';
import { FileGone, type FileStore } from '../file-store.ts';
import { codeOf, orGone } from './disk-errors.ts';

const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return; // a folder cannot be opened there; NTFS journals the rename
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Creates the folder of parts if it does not exist. */
export const openLayout = async (partsFolder: string) => {
  await mkdir(partsFolder, { recursive: true, mode: 0o700 });
  const shards = new Set<string>(await readdir(partsFolder));

  const shardOf = (upload: string): string => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(upload))
      throw new Error('not an upload of ours');
    return upload.slice(0, 2);
  };
  const pathOf = (upload: string, name: string): string => {
    if (!/^[a-z0-9-]{1,60}$/.test(name)) throw new Error('not a part of ours');
    return join(partsFolder, shardOf(upload), `${upload}.${name}`);
  };
  /** Moves a complete file to its place and makes the name durable. */
  const place = async (upload: string, name: string, temporary: string): Promise<void> => {
    const shard = shardOf(upload);
    const shardFolder = join(partsFolder, shard);
    if (!shards.has(shard)) {
      await mkdir(shardFolder, { recursive: true, mode: 0o700 });
      await syncFolder(partsFolder);
      shards.add(shard);
    }
    await move(temporary, pathOf(upload, name));
    await syncFolder(shardFolder);
  };

  const namesOf = async (upload: string): Promise<readonly string[]> => {
    const entries = (await orGone(readdir(join(partsFolder, shardOf(upload))))) ?? [];
    return entries
      .filter((entry) => entry.startsWith(`${upload}.`))
      .map((entry) => entry.slice(upload.length + 1));
  };

  const openPiece = async (upload: string, name: string): Promise<FileHandle> => {
    try {
      return await open(pathOf(upload, name), 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new FileGone(`part ${name} of ${upload} is missing`);
      throw error;
    }
  };

  /** Shards and their entries sort in the order of the uploads' uuids. */
  const walk: FileStore['walk'] = async (after, limit) => {
    const found = new Set<string>();
    for (const shard of (await readdir(partsFolder)).sort()) {
      if (shard < after.slice(0, 2)) continue;
      for (const entry of (await readdir(join(partsFolder, shard))).sort()) {
        const upload = entry.split('.', 1)[0] ?? '';
        if (upload <= after || found.has(upload)) continue;
        if (found.size === limit) return [...found];
        found.add(upload);
      }
    }
    return [...found];
  };

  /** When the newest part of an upload was written, in milliseconds since the epoch. */
  const changedAt: FileStore['changedAt'] = async (upload) => {
    let newest: number | null = null;
    for (const name of await namesOf(upload)) {
      const found = await orGone(stat(pathOf(upload, name)));
      if (found) newest = Math.max(newest ?? 0, found.mtimeMs);
    }
    return newest;
  };

  return { pathOf, place, namesOf, openPiece, walk, changedAt };
};
export type Layout = Awaited<ReturnType<typeof openLayout>>;

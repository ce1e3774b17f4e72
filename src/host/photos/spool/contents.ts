/** Lists the files of the spool and chooses those to delete. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../../contract/rest/uploads.ts';
import { removeFile } from '../../../disk/retry-busy-file.ts';
import type { Originals } from './originals.ts';
import { createSpoolIndex, type SpoolIndex } from './spool-index.ts';
import type { Spool } from './spool-types.ts';
import type { SpooledPhoto } from './spooled.ts';

/**
 * @param alone serializes naming and dropping originals
 * @param mentioned true if a queued operation or a draft contains this text, such as the hash of a photo's bytes
 */
export const createContents = (
  { originals, meta, metaPath, originalPath, facts }: Originals,
  alone: <T>(run: () => Promise<T>) => Promise<T>,
  mentioned: (sha256: string) => boolean,
) => {
  let indexed: Promise<SpoolIndex> | null = null;
  /** Read from disk on first use, and kept up to date from then on. */
  const index = (): Promise<SpoolIndex> => {
    indexed ??= (async () => {
      const all = createSpoolIndex();
      for (const name of await readdir(meta)) {
        const photo = await facts(name.replace(/\.json$/, ''));
        if (photo) all.put(photo);
        else all.miss();
      }
      return all;
    })().catch((error: unknown) => {
      indexed = null;
      throw error;
    });
    return indexed;
  };

  /** Adds a photo to the index, if that was read. */
  const put = async (photo: SpooledPhoto): Promise<void> => void (await indexed)?.put(photo);

  /** Must run within `alone`. The file is deleted with the last photo that has its bytes. */
  const forget = async (photoId: string): Promise<number> => {
    const all = await index();
    const photo = await facts(photoId);
    await removeFile(metaPath(photoId));
    const last = all.drop(photoId);
    if (!photo || !last) return 0;
    // Unreadable metadata may name these bytes too. If no operation needs them, they are deleted later as orphans.
    if (all.missed() && mentioned(photo.sha256)) return 0;
    await removeFile(originalPath(photo));
    return photo.size;
  };

  const sweep: Spool['sweep'] = async (before, needed) => {
    const photo_ids: string[] = [];
    let bytes = 0;
    for (const photoId of (await index()).deliveredBefore(before)) {
      if (needed(photoId)) continue;
      const original = (await facts(photoId))?.original;
      // The original goes first: as long as the photo exists, its metadata says that it was delivered.
      const gone = original === undefined || needed(original) ? [photoId] : [original, photoId];
      for (const one of gone) bytes += await alone(() => forget(one));
      photo_ids.push(...gone);
    }
    return { photo_ids, bytes };
  };

  const olderThan: Spool['olderThan'] = async (at) => {
    const old: string[] = [];
    for (const photoId of (await index()).undelivered())
      try {
        if ((await stat(metaPath(photoId))).mtimeMs < at) old.push(photoId);
      } catch {
        // The file was deleted meanwhile.
      }
    return old;
  };

  const strays: Spool['strays'] = async (at) => {
    const named = new Set<string>();
    for (const name of await readdir(meta)) {
      const photo = await facts(name.replace(/\.json$/, ''));
      // Unreadable metadata may name any original.
      if (photo === null) return [];
      named.add(photo.sha256);
    }
    const found: string[] = [];
    for (const name of await readdir(originals)) {
      if (named.has(name) || !sha256Hex.safeParse(name).success) continue;
      const { mtimeMs } = await stat(join(originals, name)).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < at) found.push(name);
    }
    return found;
  };

  const dropStray = async (sha256: string): Promise<number> => {
    if ((await index()).has(sha256)) return 0;
    const { size } = await stat(originalPath({ sha256 })).catch(() => ({ size: 0 }));
    await removeFile(originalPath({ sha256 }));
    return size;
  };

  return { index, put, forget, sweep, olderThan, strays, dropStray };
};

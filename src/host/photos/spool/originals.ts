/**
 * Reads the originals of the spool and their metadata. `meta/<photo id>.json` maps a photo to its bytes,
 * `originals/<sha256>`. Photos with equal bytes share one file. A file that is missing, changed or unreadable is
 * `photo_damaged`.
 */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { readSpans } from '../../../disk/read-spans.ts';
import { whenFree } from '../../../disk/retry-busy-file.ts';
import { readIfThere } from '../../lib/files.ts';
import { codeOf } from '../../lib/log.ts';
import { createHasher } from '../hash.ts';
import type { Spool } from './spool-types.ts';
import { spooled, type SpooledPhoto } from './spooled.ts';

const damaged = (photo_id: string, reason: 'missing' | 'changed' | 'unreadable'): Result<never> =>
  fail({ kind: 'photo_damaged', photo_id, reason });

/** @param folder the spool's folder */
export const createOriginals = (folder: string) => {
  const originals = join(folder, 'originals');
  const meta = join(folder, 'meta');
  const metaPath = (photoId: string) => join(meta, `${photoId}.json`);
  const originalPath = (photo: { sha256: string }) => join(originals, photo.sha256);

  /** The metadata of a photo, or null if there is none or it is unreadable. */
  const facts = async (photoId: string): Promise<SpooledPhoto | null> => {
    try {
      const text = await readIfThere(metaPath(photoId));
      return text === null ? null : (spooled.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      return null;
    }
  };

  const find = async (photoId: string): Promise<Result<SpooledPhoto>> => {
    const photo = await facts(photoId);
    if (!photo) return damaged(photoId, 'missing');
    try {
      const { size } = await whenFree(() => stat(originalPath(photo)));
      return size === photo.size ? ok(photo) : damaged(photoId, 'changed');
    } catch (error) {
      return damaged(photoId, codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable');
    }
  };

  const openOriginal = (photo: SpooledPhoto) => whenFree(() => open(originalPath(photo), 'r'));

  const stream: Spool['stream'] = (photo, start, length) =>
    readSpans([{ open: () => openOriginal(photo), start, length }]);

  const read: Spool['read'] = async (photoId, offset, length) => {
    const photo = await find(photoId);
    if (!photo.ok) return photo;
    const wanted = Math.max(0, Math.min(length, photo.value.size - offset));
    const bytes = new Uint8Array(wanted);
    try {
      const handle = await openOriginal(photo.value);
      try {
        const got = await handle.read(bytes, 0, wanted, offset);
        if (got.bytesRead !== wanted) return damaged(photoId, 'changed');
      } finally {
        await handle.close();
      }
    } catch {
      return damaged(photoId, 'unreadable');
    }
    return ok({ facts: photo.value, bytes });
  };

  const hash: Spool['hash'] = async (photo, segmentSize) => {
    const there = await find(photo.photo_id);
    if (!there.ok) return there;
    const hasher = createHasher(segmentSize);
    try {
      for await (const chunk of stream(photo, 0, photo.size)) hasher.update(chunk);
    } catch {
      return damaged(photo.photo_id, 'unreadable');
    }
    const { sha256, segments } = hasher.finish();
    return sha256 === photo.sha256 ? ok([...segments]) : damaged(photo.photo_id, 'changed');
  };

  const check: Spool['check'] = async (photo) => {
    const hashed = await hash(photo, photo.segment_size);
    return hashed.ok ? ok(null) : hashed;
  };

  return { originals, meta, metaPath, originalPath, facts, find, stream, read, hash, check };
};
export type Originals = ReturnType<typeof createOriginals>;

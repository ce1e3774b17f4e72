/**
 * The in-memory index of the spool: which photos share a file, when they were delivered, and their total size. Thus
 * dropping a photo reads no other photo's file.
 */
import type { SpooledPhoto } from './spooled.ts';

type Known = Pick<SpooledPhoto, 'photo_id' | 'sha256' | 'size' | 'delivered_at'>;

/** Photos, and bytes on disk. A file shared by several photos counts once. */
export interface SpoolUsage {
  readonly photos: number;
  readonly bytes: number;
  /** The delivered part, which may be deleted after the retention period. */
  readonly delivered_photos: number;
  readonly delivered_bytes: number;
}

export interface SpoolIndex {
  put(photo: Known): void;
  /** A photo's metadata could not be read. */
  miss(): void;
  /** True if there may be photos missing from the index. */
  missed(): boolean;
  /** Removes a photo. True if it was the last one with its bytes. */
  drop(photoId: string): boolean;
  has(sha256: string): boolean;
  /** Photos delivered at `at` or earlier. */
  deliveredBefore(at: number): readonly string[];
  undelivered(): readonly string[];
  usage(): SpoolUsage;
}

export const createSpoolIndex = (): SpoolIndex => {
  const photos = new Map<string, Known>();
  const sharers = new Map<string, Set<string>>();
  let missed = false;
  return {
    miss: () => {
      missed = true;
    },
    missed: () => missed,
    put: ({ photo_id, sha256, size, delivered_at }) => {
      const was = photos.get(photo_id);
      if (was && was.sha256 !== sha256) sharers.get(was.sha256)?.delete(photo_id);
      photos.set(photo_id, { photo_id, sha256, size, delivered_at });
      const same = sharers.get(sha256) ?? new Set();
      sharers.set(sha256, same.add(photo_id));
    },
    drop: (photoId) => {
      const photo = photos.get(photoId);
      if (!photo) return false;
      photos.delete(photoId);
      const same = sharers.get(photo.sha256);
      same?.delete(photoId);
      if (same && same.size > 0) return false;
      sharers.delete(photo.sha256);
      return true;
    },
    has: (sha256) => sharers.has(sha256),
    deliveredBefore: (at) =>
      [...photos.values()].flatMap(({ photo_id, delivered_at }) =>
        delivered_at !== undefined && delivered_at <= at ? [photo_id] : [],
      ),
    undelivered: () =>
      [...photos.values()].flatMap(({ photo_id, delivered_at }) =>
        delivered_at === undefined ? [photo_id] : [],
      ),
    usage: () => {
      const done = [...photos.values()].filter((photo) => photo.delivered_at !== undefined);
      let bytes = 0;
      let delivered_bytes = 0;
      for (const same of sharers.values()) {
        const all = [...same].flatMap((id) => photos.get(id) ?? []);
        const size = all[0]?.size ?? 0;
        bytes += size;
        if (all.every((photo) => photo.delivered_at !== undefined)) delivered_bytes += size;
      }
      return {
        photos: photos.size,
        bytes,
        delivered_photos: done.length,
        delivered_bytes,
      };
    },
  };
};

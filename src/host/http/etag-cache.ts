/**
 * ETag cache of list responses, in memory. A refresh sends `If-None-Match`, and a 304 costs a slow line almost nothing. Entries
 * are compressed, bounded in total size, and evicted least recently used first.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Maximum compressed size of the cache, in bytes. */
const KEPT_MAX = 8 * 1024 * 1024;

type Headers = Readonly<Record<string, string>>;

interface Kept {
  readonly etag: string;
  readonly headers: Headers;
  readonly packed: Buffer;
}

export interface KeptLists {
  get(place: string): Kept | null;
  keep(place: string, etag: string, headers: Headers, bytes: Buffer): Promise<void>;
}

export const bytesOf = ({ packed }: Kept): Promise<Buffer> => unpack(packed);

export const createKeptLists = (max = KEPT_MAX): KeptLists => {
  const lists = new Map<string, Kept>();
  let size = 0;
  const drop = (place: string): void => {
    size -= lists.get(place)?.packed.length ?? 0;
    lists.delete(place);
  };
  return {
    get: (place) => {
      const kept = lists.get(place) ?? null;
      if (kept !== null) {
        // Move it to the end: the map is ordered by last use.
        lists.delete(place);
        lists.set(place, kept);
      }
      return kept;
    },
    keep: async (place, etag, headers, bytes) => {
      const packed = await pack(bytes, { level: 1 });
      drop(place);
      if (packed.length > max) return;
      lists.set(place, { etag, headers, packed });
      size += packed.length;
      for (const oldest of lists.keys()) {
        if (size <= max) break;
        drop(oldest);
      }
    },
  };
};

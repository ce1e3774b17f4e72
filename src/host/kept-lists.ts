/**
 * The last answer of each list with its ETag, in memory: a refresh of what did not change is asked with `If-None-Match`, answered
 * 304 by a server that knows it, and costs a slow line nothing. Kept packed, and no more than a bound; the least lately used goes first.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Bytes that are kept in all. */
const KEPT_MAX = 8 * 1024 * 1024;

type Headers = Readonly<Record<string, string>>;

interface Kept {
  readonly etag: string;
  readonly headers: Headers;
  readonly packed: Buffer;
}

export interface KeptLists {
  /** What is kept under an address. */
  get(place: string): Kept | null;
  keep(place: string, etag: string, headers: Headers, bytes: Buffer): Promise<void>;
}

/** The bytes as they came. */
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
        // The last one of the map is the one that was used last.
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

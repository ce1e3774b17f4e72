/**
 * Hashes a photo in one pass while its bytes arrive: sha256 and md5 of the whole and of each segment (decisions §5.1).
 */
import { createHash, type Hash } from 'node:crypto';

/** The segment size in bytes: small enough that a cut connection costs little; 10,000 segments make 9.7 GiB. */
export const SEGMENT_SIZE = 1024 * 1024;
/** Large files use larger segments, because each one costs several disk waits. */
const FILM_SEGMENT_MAX = 8 * SEGMENT_SIZE;
const MANY = 64;

/**
 * The segment size for a file of this many bytes at capture. It suits a good connection, so that the file need not be
 * hashed again for sending.
 */
export const capturedIn = (fileSize: number | null): number => {
  let size = SEGMENT_SIZE;
  while (size < FILM_SEGMENT_MAX && size * MANY < (fileSize ?? 0)) size *= 2;
  return size;
};

/** The largest photo that may be sent as one segment (segment-size.ts). The md5 of a larger file is never needed. */
export const WHOLE_MD5_MAX = 8 * 1024 * 1024;

export interface SegmentHash {
  /** Bytes; all segments but the last are equal. */
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
}

export interface PhotoHashes {
  readonly size: number;
  readonly sha256: string;
  /** MD5 of the whole file, for files of up to `WHOLE_MD5_MAX` bytes. */
  readonly md5?: string;
  readonly segments: readonly SegmentHash[];
}

export const createHasher = (segmentSize: number) => {
  const whole = createHash('sha256');
  let wholeMd5: Hash | null = createHash('md5');
  const segments: SegmentHash[] = [];
  let size = 0;
  let filled = 0;
  let sha256 = createHash('sha256');
  let md5 = createHash('md5');

  const close = (): void => {
    if (filled === 0) return;
    segments.push({ size: filled, sha256: sha256.digest('hex'), md5: md5.digest('hex') });
    filled = 0;
    sha256 = createHash('sha256');
    md5 = createHash('md5');
  };

  return {
    update: (bytes: Uint8Array): void => {
      whole.update(bytes);
      size += bytes.byteLength;
      if (size > WHOLE_MD5_MAX) wholeMd5 = null;
      wholeMd5?.update(bytes);
      for (let at = 0; at < bytes.byteLength;) {
        const part = bytes.subarray(at, at + segmentSize - filled);
        sha256.update(part);
        md5.update(part);
        filled += part.byteLength;
        at += part.byteLength;
        if (filled === segmentSize) close();
      }
    },
    /** Ends the hash; no update may follow. */
    finish: (): PhotoHashes => {
      close();
      const sha256 = whole.digest('hex');
      return wholeMd5 === null
        ? { size, sha256, segments }
        : { size, sha256, md5: wholeMd5.digest('hex'), segments };
    },
  };
};

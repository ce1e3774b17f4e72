/** Hashes a photo as its bytes arrive: sha256 and md5 of the whole and of each segment (decisions §5.1). One pass. */
import { createHash, type Hash } from 'node:crypto';

/** Segments as hashed and sent: small enough that a cut costs little, 10,000 of them make 9.7 GiB. */
export const SEGMENT_SIZE = 1024 * 1024;
/** Of a film they are larger: each is some waits for a disk. */
const FILM_SEGMENT_MAX = 8 * SEGMENT_SIZE;
const MANY = 64;

/** How a file of so many bytes is cut while it is taken in: as a good line wants it, so that it need not be read and hashed again to be sent. */
export const capturedIn = (fileSize: number | null): number => {
  let size = SEGMENT_SIZE;
  while (size < FILM_SEGMENT_MAX && size * MANY < (fileSize ?? 0)) size *= 2;
  return size;
};

/** Up to this size a photo may go as one segment (layout.ts): the md5 of a larger file is never asked for. */
export const WHOLE_MD5_MAX = 8 * 1024 * 1024;

export interface SegmentHash {
  /** Bytes; all but the last are equal. */
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
}

export interface PhotoHashes {
  readonly size: number;
  readonly sha256: string;
  /** Of the whole, up to `WHOLE_MD5_MAX` bytes. */
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
    /** Ends it: no update after this. */
    finish: (): PhotoHashes => {
      close();
      const sha256 = whole.digest('hex');
      return wholeMd5 === null
        ? { size, sha256, segments }
        : { size, sha256, md5: wholeMd5.digest('hex'), segments };
    },
  };
};

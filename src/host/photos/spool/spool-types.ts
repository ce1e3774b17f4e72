/** The interface of the spool of originals. */
import type { PhotoFacts } from '../../../contract/host.ts';
import type { Result } from '../../../contract/problem.ts';
import type { Announced } from './incoming-files.ts';
import type { SpoolUsage } from './spool-index.ts';
import type { SpooledPhoto } from './spooled.ts';

export interface Spool {
  begin(photo: Announced): Promise<Result<null>>;
  write(photoId: string, offset: number, bytes: Uint8Array): Promise<Result<{ received: number }>>;
  finish(photoId: string): Promise<Result<PhotoFacts>>;
  read(
    photoId: string,
    offset: number,
    length: number,
  ): Promise<Result<{ facts: SpooledPhoto; bytes: Uint8Array<ArrayBuffer> }>>;
  discard(photoId: string): Promise<Result<null>>;
  /** The photo's metadata, after checking that its file exists with its size; otherwise `photo_damaged`. */
  find(photoId: string): Promise<Result<SpooledPhoto>>;
  /** Streams part of the original. A chunk is valid until the next one is requested. */
  stream(photo: SpooledPhoto, offset: number, length: number): AsyncIterable<Uint8Array>;
  /** Hashes the original again to check that it is unchanged. */
  check(photo: SpooledPhoto): Promise<Result<null>>;
  /** The hashes of segments of another size, if the original is unchanged. */
  hash(photo: SpooledPhoto, segmentSize: number): Promise<Result<SpooledPhoto['segments']>>;
  /** The server's copy was verified: the photo may be deleted after the retention period. */
  delivered(photoId: string, at: number, original?: string): Promise<void>;
  /** The photo is to be sent again and must stay. */
  undelivered(photoId: string): Promise<void>;
  /** Deletes photos delivered at `before` or earlier, with their originals, except those that `needed` names. */
  sweep(before: number, needed: (photoId: string) => boolean): Promise<Swept>;
  /** Undelivered photos with metadata last written before `at`, in milliseconds since the epoch. */
  olderThan(at: number): Promise<readonly string[]>;
  /** Hashes of originals that no photo names, last written before `at`. Empty if any metadata is unreadable. */
  strays(at: number): Promise<readonly string[]>;
  /**
   * Drops such an original if still no photo names it.
   * @returns the freed bytes
   */
  dropStray(sha256: string): Promise<number>;
  usage(): Promise<SpoolUsage>;
  close(): Promise<void>;
}

/** @public TypeScript names it in the declarations of other files. */
export interface Swept {
  readonly photo_ids: readonly string[];
  readonly bytes: number;
}

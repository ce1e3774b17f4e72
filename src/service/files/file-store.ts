/**
 * Interface of a file store; a folder on disk (disk.ts) and an object store implement it. A stored file is an ordered
 * list of parts of one upload: three received segments stay three parts, because joining 256 MB would only cost disk
 * space.
 *
 * Bytes reach a store either through the service, which hashes them in passing (`begin`), or directly from the client
 * by a URL that the store signs (`direct`). In the second case the service has to ask what arrived, and trusts
 * nothing before it has read the bytes.
 */
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** One stored piece. The service, never a client, chooses `name`: `[a-z0-9-]+`. */
export interface Part {
  readonly name: string;
  /** Bytes, >= 0. */
  readonly size: number;
}

export const segmentName = (position: number): string => `s${position}`;

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A part being received. Nothing is visible under its name before `commit` has returned. */
export interface IncomingPart {
  /**
   * Takes a chunk and resolves when the store can take more; at most a few chunks are in memory. `spent`: the caller
   * no longer reads the chunk, so its memory may be released after the write.
   */
  write(chunk: Uint8Array, spent?: boolean): Promise<void>;
  /** Resolves when the bytes are durable and visible; replaces a part with the same name. */
  commit(): Promise<void>;
  /** Removes all traces. Harmless after commit and when called twice. */
  abandon(): Promise<void>;
}

/** Where and how a client PUTs one segment; all headers are signed. */
export interface SegmentTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A part as its client announced it. */
export interface AnnouncedPart extends Part {
  /** Lower-case hex; null if not announced (a form post). */
  readonly sha256: string | null;
}

/**
 * Uploads that clients send directly to the store. Received bytes count as `arrived` until the service moves them to
 * its own key.
 */
export interface DirectUploads {
  /**
   * The presigned form. `valid_ms`: until when a post may start. `size`: the exact size, or null for any size up to
   * `max_size`.
   */
  form(
    upload: string,
    limits: {
      readonly valid_ms: number;
      readonly max_size: number;
      readonly size: number | null;
    },
  ): Promise<{ readonly url: string; readonly fields: Readonly<Record<string, string>> }>;
  segment(
    upload: string,
    name: string,
    segment: { readonly size: number; readonly sha256: string; readonly md5: string | null },
    valid_ms: number,
  ): Promise<SegmentTarget>;
  /** Received parts by name. `etag` without quotes. */
  arrived(
    upload: string,
  ): Promise<ReadonlyMap<string, { readonly size: number; readonly etag: string }>>;
  /**
   * Moves received parts to keys that no client can write, reads all bytes, and returns the digests of the whole.
   * @throws {WrongBytes} for the first part that differs from what was announced
   */
  keep(
    upload: string,
    parts: readonly AnnouncedPart[],
  ): Promise<{ readonly size: number; readonly sha256: string; readonly md5: string }>;
  discard(upload: string, name: string): Promise<void>;
}

export type Sendable = Readable | ReadableStream<Uint8Array>;

export interface FileStore {
  /** Null if all bytes go through the service. */
  readonly direct: DirectUploads | null;
  /** Uploads with bytes in the store, ordered by uuid, after this one (`''`: from the first), at most `limit`. */
  walk(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Time of the upload's newest bytes, directly received ones included, in milliseconds since the epoch. Null if it
   * has none.
   */
  changedAt(upload: string): Promise<number | null>;
  /** Id of the database that owns these files (its `file_store_id`). Null if none has claimed them. */
  owner(): Promise<string | null>;
  /** Claims the files for a database. */
  claim(id: string): Promise<void>;
  begin(upload: string, name: string): Promise<IncomingPart>;
  /** The sha256 (hex) of `before`, then all parts in order, read as a stream. */
  digest(upload: string, parts: readonly Part[], before?: Uint8Array): Promise<string>;
  /** Throws `FileGone` before the first byte if a part is missing. `range` null: everything. */
  read(upload: string, parts: readonly Part[], range: ByteRange | null): Promise<Readable>;
  /** Like `read`, for a response: a chunk is valid only until the reader requests the next one. */
  send(upload: string, parts: readonly Part[], range: ByteRange | null): Promise<Sendable>;
  /** A path that a library can open until it is released. */
  local(
    upload: string,
    parts: readonly Part[],
  ): Promise<{ readonly path: string; readonly release: () => Promise<void> }>;
  /** Size of a part in bytes, null if missing: for derived parts that can be regenerated (thumbnails). */
  sizeOf(upload: string, name: string): Promise<number | null>;
  /** Names of the upload's existing parts. */
  list(upload: string): Promise<readonly string[]>;
  removePart(upload: string, name: string): Promise<void>;
  /**
   * Removes every part of the upload and everything derived from it. Returns whether anything was removed. If several
   * processes remove an upload at once, one of them gets true; in a bucket several may.
   */
  remove(upload: string): Promise<boolean>;
  /**
   * Deletes leftovers of requests that were running when the process died. Called only before any request is
   * accepted.
   */
  clean(): Promise<void>;
  /** Rejects if the store is not writable (healthz). */
  check(): Promise<void>;
}

/** No disk space (ENOSPC, EDQUOT, EFBIG). The client gets a 507, and nothing of the request is kept. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
  readonly code = 'ENOSPC';
}

/** The file store broke off during a read. The client gets a 503 and may retry. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** Bytes recorded in the database are missing. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** The received bytes differ from those announced. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
  /** Index of the part in the list passed to `keep`. */
  readonly index: number;
  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

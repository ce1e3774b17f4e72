/**
 * What the service needs of a place for bytes, and no more: so that a folder on disk (disk.ts) and an object store can
 * stand behind the same rules. A stored file is an ordered list of parts of one upload: what arrived as three segments
 * stays three parts, because copying 256 MB into one file only to own it twice on the disk buys nothing.
 *
 * Bytes reach a store in one of two ways: through the service, which hashes them as they pass (`begin`), or straight
 * from the client by an address that the store itself signs (`direct`). Then the service learns of them by asking, and
 * believes nothing before it has read them itself.
 */
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** One received piece. `name` is chosen by the service (never by a client): `[a-z0-9-]+`. */
export interface Part {
  readonly name: string;
  /** Bytes, >= 0. */
  readonly size: number;
}

/** Under which name a segment is kept. */
export const segmentName = (position: number): string => `s${position}`;

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A part while it arrives. Nothing is visible under its name before `commit` has returned. */
export interface IncomingPart {
  /**
   * Takes the chunk; resolves when more may be given. At most a few chunks are in memory. `spent`: nobody else reads the chunk any more, its memory
   * may be given back once it is written.
   */
  write(chunk: Uint8Array, spent?: boolean): Promise<void>;
  /** Bytes are durable and visible when this resolves; a part of the same name is replaced. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Harmless after commit and when called twice. */
  abandon(): Promise<void>;
}

/** What a client is told about one segment: where to PUT it and with which headers, all of them signed. */
export interface SegmentTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A part as its client announced it. */
export interface AnnouncedPart extends Part {
  /** Lower-case hex; null where it was not announced (a form post). */
  readonly sha256: string | null;
}

/** Clients send to the store itself. What they sent is `arrived` until the service keeps it under its own key. */
export interface DirectUploads {
  /** The presigned form. `valid_ms`: how long a post may still begin. `size`: exactly, or any up to `max_size`. */
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
  /** By name: what is there. `etag` without quotes. */
  arrived(
    upload: string,
  ): Promise<ReadonlyMap<string, { readonly size: number; readonly etag: string }>>;
  /**
   * Moves what arrived to where no client can write, and reads all of it: answers the digests of the whole.
   * @throws {WrongBytes} naming the first part that is not what was announced
   */
  keep(
    upload: string,
    parts: readonly AnnouncedPart[],
  ): Promise<{ readonly size: number; readonly sha256: string; readonly md5: string }>;
  /** Forgets what arrived under this name. */
  discard(upload: string, name: string): Promise<void>;
}

/** What an answer's body may be. */
export type Sendable = Readable | ReadableStream<Uint8Array>;

export interface FileStore {
  /** Null: everything comes through the service. */
  readonly direct: DirectUploads | null;
  /** Uploads that have bytes here, in order of their uuids, after this one (`''`: from the first), at most `limit`. */
  walk(after: string, limit: number): Promise<readonly string[]>;
  /** When the newest of the upload's bytes came, arrived ones too: milliseconds since the epoch. Null: it has none. */
  changedAt(upload: string): Promise<number | null>;
  /** Which database's files these are (its `file_store_id`). Null: nobody has said so yet. */
  owner(): Promise<string | null>;
  /** Says so, from now on. */
  claim(id: string): Promise<void>;
  begin(upload: string, name: string): Promise<IncomingPart>;
  /** The sha256 (hex) of all parts in order, read as a stream. */
  digest(upload: string, parts: readonly Part[]): Promise<string>;
  /** Throws `FileGone` before the first byte when a part is not there. `range` null: everything. */
  read(upload: string, parts: readonly Part[], range: ByteRange | null): Promise<Readable>;
  /** The same for an answer: a chunk is its reader's only until it asks for the next one. */
  send(upload: string, parts: readonly Part[], range: ByteRange | null): Promise<Sendable>;
  /** A path that a library can open by itself, for as long as it is not released. */
  local(
    upload: string,
    parts: readonly Part[],
  ): Promise<{ readonly path: string; readonly release: () => Promise<void> }>;
  /** Bytes of a part, null when there is none: for what is derived and made again when missing (thumbnails). */
  sizeOf(upload: string, name: string): Promise<number | null>;
  /** The names of the upload's parts that are there. */
  list(upload: string): Promise<readonly string[]>;
  removePart(upload: string, name: string): Promise<void>;
  /**
   * Every part of the upload and everything derived from it. Answers whether there was anything; of processes that remove the
   * last part of an upload at once, one is told so (in a bucket, which does not say, perhaps both).
   */
  remove(upload: string): Promise<boolean>;
  /** What is left of requests that were running when the process died. Only called before any request is taken. */
  clean(): Promise<void>;
  /** Rejects when the store cannot be written to (healthz). */
  check(): Promise<void>;
}

/** The disk has no room (ENOSPC, EDQUOT, EFBIG): answered as 507, nothing kept of the request. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
  readonly code = 'ENOSPC';
}

/** Where the bytes are kept began to answer and broke off: answered as 503, and worth trying again. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** The bytes that the database promises are not there. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** What arrived is not what was announced. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
  /** The part's place in the list that was to be kept. */
  readonly index: number;
  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

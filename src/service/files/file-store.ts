/**
 * What the service needs of a place for bytes, and no more: so that a folder on disk (disk.ts) and an object store can
 * stand behind the same rules. A stored file is an ordered list of parts of one upload: what arrived as three segments
 * stays three parts, because copying 256 MB into one file only to own it twice on the disk buys nothing. A store that
 * has a real "complete" call may join the parts in `digest` and then read by the first name.
 */
import type { Readable } from 'node:stream';

/** One received piece. `name` is chosen by the service (never by a client): `[a-z0-9-]+`. */
export interface Part {
  readonly name: string;
  /** Bytes, >= 0. */
  readonly size: number;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A part while it arrives. Nothing is visible under its name before `commit` has returned. */
export interface IncomingPart {
  /** Takes the chunk; resolves when more may be given. At most a few chunks are in memory. */
  write(chunk: Uint8Array): Promise<void>;
  /** Bytes are durable and visible when this resolves; a part of the same name is replaced. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Harmless after commit and when called twice. */
  abandon(): Promise<void>;
}

export interface FileStore {
  begin(upload: string, name: string): Promise<IncomingPart>;
  /** The sha256 (hex) of all parts in order, read as a stream. */
  digest(upload: string, parts: readonly Part[]): Promise<string>;
  /** Throws `FileGone` before the first byte when a part is not there. `range` null: everything. */
  read(upload: string, parts: readonly Part[], range: ByteRange | null): Promise<Readable>;
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
  /** Every part of the upload and everything derived from it. Harmless when there is nothing. */
  remove(upload: string): Promise<void>;
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

/** The bytes that the database promises are not there. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

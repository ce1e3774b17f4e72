/**
 * Reads a file in pieces: metadata is found by small reads in one window, so that a video of two gigabytes costs no
 * more memory than a photo. Reads are counted against the file's size. A file made so that reading it never ends counts
 * as damaged.
 */
import { Damaged } from './inspection.ts';

const WINDOW = 256 * 1024;
/** The base budget of reads, and of bytes read and returned. */
const READS = 50_000;
const BYTES = 64 * 1024 * 1024;
/** A real file has at most one part (a segment, a chunk, a box) per this many bytes. */
const BYTES_PER_READ = 128;
const READS_MAX = 2_000_000;
/** How often a real file is read over. */
const TIMES = 8;
/** The most slices of a rewritten file. */
const PIECES_MAX = 100_000;

export interface Reader {
  readonly size: number;
  /** The bytes from `offset`; fewer than `length` only at the end of the file. */
  readonly at: (offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Counts the cost of reading. @throws Damaged */
const budgetOf = (size: number) => {
  let reads = Math.min(READS_MAX, READS + size / BYTES_PER_READ);
  let bytes = BYTES + TIMES * size;
  return (length: number): void => {
    reads -= 1;
    bytes -= length;
    if (reads < 0 || bytes < 0) throw new Damaged('parts without an end');
  };
};

/**
 * `at` throws Damaged if the budget is exceeded, and rejects if the file is no longer readable (a removed memory card).
 */
export const readerOf = (file: Blob): Reader => {
  const spend = budgetOf(file.size);
  let from = 0;
  let held: Uint8Array<ArrayBuffer> = new Uint8Array();
  const load = async (offset: number, length: number) =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  return {
    size: file.size,
    async at(offset, length) {
      const end = Math.min(file.size, offset + length);
      if (offset >= end) return new Uint8Array();
      spend(end - offset);
      if (offset < from || end > from + held.length) {
        spend(Math.max(WINDOW, end - offset));
        held = await load(offset, Math.max(WINDOW, end - offset));
        from = offset;
      }
      return held.slice(offset - from, end - from);
    },
  };
};

export const latin1 = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  let text = '';
  for (let at = from; at < Math.min(to, bytes.length); at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(to, at + 8192)));
  return text;
};

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A rewritten file: slices of it and replacements. Adjacent slices are merged. */
export interface Pieces {
  /** Keeps [from, to) of the file. */
  readonly keep: (from: number, to: number) => void;
  readonly put: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly zeros: (length: number) => void;
  readonly blob: (type: string) => Blob;
}

const ZEROS = 64 * 1024;

export const piecesOf = (file: Blob): Pieces => {
  const parts: BlobPart[] = [];
  let open: { from: number; to: number } | null = null;
  let zero: Blob | null = null;
  const count = () => {
    if (parts.length >= PIECES_MAX) throw new Damaged('more pieces than a file is made of');
  };
  const close = () => {
    if (open !== null && open.to > open.from) {
      count();
      parts.push(file.slice(open.from, open.to));
    }
    open = null;
  };
  return {
    keep(from, to) {
      if (open?.to === from) open.to = to;
      else {
        close();
        open = { from, to };
      }
    },
    put(bytes) {
      close();
      count();
      parts.push(bytes);
    },
    zeros(length) {
      close();
      zero ??= new Blob([new Uint8Array(ZEROS)]);
      for (let left = length; left > 0; left -= ZEROS) {
        count();
        parts.push(zero.slice(0, left));
      }
    },
    blob(type) {
      close();
      return new Blob(parts, { type });
    },
  };
};

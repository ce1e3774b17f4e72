/** Reads the boxes of ISO base media files (HEIF, MP4, MOV). */
import { Damaged } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';

export interface Box {
  readonly type: string;
  /** First byte of its head. */
  readonly from: number;
  /** First byte of its content. */
  readonly body: number;
  /** The byte after it. */
  readonly to: number;
}

const HEAD = 16;
/** The most boxes in one parent. An hour in fragments has some thousands. */
const BOXES_MAX = 100_000;

/** The boxes in [from, to). @throws Damaged if a box exceeds its parent */
export const boxesIn = async (reader: Reader, from: number, to: number): Promise<Box[]> => {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    if (found.length >= BOXES_MAX) throw new Damaged('more boxes than any file has');
    const head = await reader.at(at, HEAD);
    if (head.length < 8) throw new Damaged('cut off inside the head of a box');
    const view = viewOf(head);
    const type = latin1(head, 4, 8);
    const short = view.getUint32(0);
    if (short === 1 && head.length < HEAD) throw new Damaged('cut off inside the head of a box');
    const size = short === 0 ? to - at : short === 1 ? Number(view.getBigUint64(8)) : short;
    const body = at + (short === 1 ? 16 : 8);
    // A `udta` may end with 32 zero bits (QuickTime); nothing follows.
    if (short === 0 && type === '\0\0\0\0') break;
    if (at + size < body) throw new Damaged('a box smaller than its head');
    if (at + size > to) {
      // The data at the end of a truncated file: keep what is there.
      if (type !== 'mdat') throw new Damaged('a box larger than what holds it');
      found.push({ type, from: at, body, to });
      break;
    }
    found.push({ type, from: at, body, to: at + size });
    at += size;
  }
  return found;
};

/** A reader over bytes in memory, addressed by their offsets in the file. */
export const readerOver = (bytes: Uint8Array<ArrayBuffer>, offset: number): Reader => ({
  size: offset + bytes.length,
  at: (from, length) =>
    Promise.resolve(bytes.slice(Math.max(0, from - offset), Math.max(0, from - offset + length))),
});

/** Replaces the bytes [from, to) of a file. Null: zeros of the same length. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

const free = new TextEncoder().encode('free');

/** Turns a box into an empty `free` box, so that all other offsets stay valid. */
export const emptied = (box: Box): readonly Patch[] => [
  { from: box.from + 4, to: box.from + 8, bytes: free },
  { from: box.body, to: box.to, bytes: null },
];

const FREE_MAX = 1024 * 1024;

const padding = new Set(['free', 'skip', 'junk', 'wide']);

/** The boxes that are not listed and not empty. A `free` box of zeros is empty. */
export const unlisted = async (
  reader: Reader,
  boxes: readonly Box[],
  known: ReadonlySet<string>,
): Promise<Box[]> => {
  const found: Box[] = [];
  for (const box of boxes) {
    if (known.has(box.type)) continue;
    if (padding.has(box.type) && box.to - box.body <= FREE_MAX) {
      const bytes = await reader.at(box.body, box.to - box.body);
      if (!bytes.some((byte) => byte !== 0)) continue;
    }
    found.push(box);
  }
  return found;
};

export interface Extent {
  readonly from: number;
  readonly length: number;
}

const GAP_CHUNK = 256 * 1024;

/** Zeroes the non-zero bytes in these parts of a file that nothing references. */
export const cleanGaps = async (
  reader: Reader,
  parts: readonly Pick<Box, 'body' | 'to'>[],
  named: readonly Extent[],
): Promise<Patch[]> => {
  const patches: Patch[] = [];
  const sorted = named.toSorted((a, b) => a.from - b.from);
  const isEmpty = async (from: number, to: number): Promise<boolean> => {
    for (let at = from; at < to; at += GAP_CHUNK)
      if ((await reader.at(at, Math.min(GAP_CHUNK, to - at))).some((byte) => byte !== 0))
        return false;
    return true;
  };
  for (const box of parts) {
    let at = box.body;
    for (const { from, length } of [...sorted, { from: box.to, length: 0 }]) {
      if (from + length < at || from > box.to) continue;
      if (from > at && !(await isEmpty(at, from)))
        patches.push({ from: at, to: from, bytes: null });
      at = Math.max(at, from + length);
    }
  }
  return patches;
};

/** Applies the patches to a file. @throws Damaged if two patches overlap */
export const apply = (file: Blob, patches: readonly Patch[]): Blob => {
  const out = piecesOf(file);
  let at = 0;
  for (const patch of [...patches].sort((a, b) => a.from - b.from)) {
    if (patch.from < at || patch.to > file.size) throw new Damaged('parts that overlap');
    out.keep(at, patch.from);
    if (patch.bytes === null) out.zeros(patch.to - patch.from);
    else out.put(patch.bytes);
    at = patch.to;
  }
  out.keep(at, file.size);
  return out.blob(file.type);
};

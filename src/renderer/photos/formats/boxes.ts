/** The boxes of ISO base media files (HEIF, MP4, MOV): their heads, read one after the other. */
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
/** Of one box. An hour in fragments has some thousands. */
const BOXES_MAX = 100_000;

/** The boxes in [from, to). @throws Damaged where a box does not fit into what holds it */
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
    // A `udta` may end with 32 bits of zero (QuickTime): nothing follows.
    if (short === 0 && type === '\0\0\0\0') break;
    if (at + size < body) throw new Damaged('a box smaller than its head');
    if (at + size > to) {
      // The data at the end of a file that was cut off: what is there is there.
      if (type !== 'mdat') throw new Damaged('a box larger than what holds it');
      found.push({ type, from: at, body, to });
      break;
    }
    found.push({ type, from: at, body, to: at + size });
    at += size;
  }
  return found;
};

/** A reader over bytes in memory, with the offsets they have in the file. */
export const readerOver = (bytes: Uint8Array<ArrayBuffer>, offset: number): Reader => ({
  size: offset + bytes.length,
  at: (from, length) =>
    Promise.resolve(bytes.slice(Math.max(0, from - offset), Math.max(0, from - offset + length))),
});

/** Bytes [from, to) of a file that become something of the same length. Null: zeros. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

const free = new TextEncoder().encode('free');

/** A box that readers skip, holding nothing. The places of everything else in the file stay as they are. */
export const emptied = (box: Box): readonly Patch[] => [
  { from: box.from + 4, to: box.from + 8, bytes: free },
  { from: box.body, to: box.to, bytes: null },
];

/** The file with each patch in its place. @throws Damaged where two patches meet */
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

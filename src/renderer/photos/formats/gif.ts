/**
 * GIF: a series of blocks. Keeps the pictures, their timing and the animation's loop. Drops comments, texts,
 * application blocks (XMP) and everything after the end.
 */
import { Damaged, larger, type FormatFacts, type Inspection } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';

const HEADER = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
/** How often an animation plays: the only application block that decoders read. */
const LOOP = /^\x21\xff\x0b(?:NETSCAPE2\.0|ANIMEXTS1\.0)\x03\x01..\0$/s;
const LOOP_BYTES = 19;
const CONTROL_BYTES = 8;

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** The byte after the sub-blocks, or the end of the file. */
const endOfBlocks = async (reader: Reader, from: number): Promise<number> => {
  for (let at = from; at < reader.size;) {
    const length = (await reader.at(at, 1))[0] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return reader.size;
};

const isKnown = async (reader: Reader, at: number, end: number): Promise<boolean> => {
  const bytes = await reader.at(at, Math.min(end - at, LOOP_BYTES + 1));
  const control = bytes[1] === CONTROL && bytes[2] === 4 && end - at === CONTROL_BYTES;
  return control || LOOP.test(latin1(bytes));
};

export const inspectGif = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const head = await reader.at(0, HEADER);
  if (head.length < HEADER) throw new Damaged('cut off inside its header');
  const screen = viewOf(head);
  let pixels: Inspection['pixels'] = larger(
    null,
    screen.getUint16(6, true),
    screen.getUint16(8, true),
  );
  const pieces = piecesOf(file);
  let at = HEADER + tableBytes(head[10] ?? 0);
  let pictures = 0;
  let changed = false;
  let cut_off = true;
  pieces.keep(0, at);
  while (at < reader.size) {
    const block = await reader.at(at, 10);
    if (block[0] === TRAILER) {
      pieces.keep(at, at + 1);
      changed ||= at + 1 < reader.size;
      cut_off = false;
      break;
    }
    let end: number;
    if (block[0] === IMAGE && block.length === 10) {
      const place = viewOf(block);
      const of = (one: number, other: number) =>
        place.getUint16(one, true) + place.getUint16(other, true);
      pixels = larger(pixels, of(1, 5), of(3, 7));
      pictures += 1;
      // One byte gives the minimum code size.
      end = await endOfBlocks(reader, at + 10 + tableBytes(block[9] ?? 0) + 1);
      pieces.keep(at, end);
    } else if (block[0] === EXTENSION) {
      end = await endOfBlocks(reader, at + 2);
      if (await isKnown(reader, at, end)) pieces.keep(at, end);
      else changed = true;
    } else throw new Damaged('no block where one must be');
    at = end;
  }
  if (pictures === 0) throw new Damaged('no picture in it');
  return {
    pixels,
    animated: pictures > 1,
    exif: null,
    video: null,
    cut_off,
    stripped: changed ? { kind: 'stripped', blob: pieces.blob('image/gif') } : { kind: 'clean' },
  };
};

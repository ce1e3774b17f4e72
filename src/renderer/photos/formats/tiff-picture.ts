/**
 * TIFF as a picture (tiff.ts handles the block inside a photo). Nothing moves: each directory is rewritten in place
 * with the known tags, and bytes that no known tag references are zeroed. A camera's raw picture is also a TIFF; its
 * parts are unknown here, so the person decides.
 */
import { apply, cleanGaps, type Extent, type Patch } from './boxes.ts';
import { Damaged, larger, type FormatFacts, type Inspection } from './inspection.ts';
import { viewOf, type Reader } from './reader.ts';

/**
 * Baseline and common extension tags of pixels, colours, resolution and pages; make, model, software and time as in
 * EXIF.
 */
const known = new Set([
  254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 271, 272, 273, 274, 277, 278, 279, 280,
  281, 282, 283, 284, 290, 291, 292, 293, 296, 297, 301, 305, 306, 317, 318, 319, 320, 321, 322,
  323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342, 529, 530, 531, 532, 34675,
]);
/** Sub-pictures, or tags of a raw picture: their needs are unknown here. */
const foreign = new Set([330, 347, 512, 513, 50706]);
const COMPRESSION = 259;
/** None, fax, LZW, Deflate, PackBits. An embedded JPEG would have its own metadata segments. */
const coded = new Set([1, 2, 3, 4, 5, 8, 32773, 32946]);
const COLOURS = 262;
/** Raw sensor pixels. */
const raw = new Set([32803, 34892]);
const WIDTH = 256;
const HEIGHT = 257;
/** The tags with the offsets and lengths of strips and tiles. */
const data = [
  [273, 279],
  [324, 325],
] as const;
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const PAGES_MAX = 1_000;
const PARTS_MAX = 500_000;

interface Operation extends Extent {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The twelve bytes of the directory operation. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Directory {
  readonly at: number;
  readonly operations: readonly Operation[];
  readonly next: number;
}

const readDirectory = async (reader: Reader, little: boolean, at: number): Promise<Directory> => {
  const head = await reader.at(at, 2);
  const count = viewOf(head).getUint16(0, little);
  const bytes = await reader.at(at + 2, count * 12 + 4);
  const view = viewOf(bytes);
  const operations: Operation[] = [];
  for (let operation = 0; operation < count * 12; operation += 12) {
    const type = view.getUint16(operation + 2, little);
    const amount = view.getUint32(operation + 4, little);
    const length = (sizes[type] ?? 0) * amount;
    const from = length <= 4 ? at + 2 + operation + 8 : view.getUint32(operation + 8, little);
    if (from + length > reader.size) throw new Damaged('a value beyond the end of the file');
    const tag = view.getUint16(operation, little);
    operations.push({
      tag,
      type,
      count: amount,
      from,
      length,
      bytes: bytes.slice(operation, operation + 12),
    });
  }
  return { at, operations, next: view.getUint32(count * 12, little) };
};

/** The numbers of a SHORT or LONG field. */
const numbersOf = async (
  reader: Reader,
  little: boolean,
  { operations }: Directory,
  tag: number,
): Promise<readonly number[]> => {
  const operation = operations.find((one) => one.tag === tag);
  if (operation === undefined) return [];
  const wide = operation.type === 4;
  if ((!wide && operation.type !== 3) || operation.count > PARTS_MAX)
    throw new Damaged('a field of another kind than it must be');
  const view = viewOf(await reader.at(operation.from, operation.length));
  return Array.from({ length: operation.count }, (_one, at) =>
    wide ? view.getUint32(at * 4, little) : view.getUint16(at * 2, little),
  );
};

/** The directory without unknown tags, at the same length; null if it has none. */
const rewritten = ({ at, operations, next }: Directory, little: boolean): Patch | null => {
  const kept = operations.filter(({ tag }) => known.has(tag));
  if (kept.length === operations.length) return null;
  const bytes = new Uint8Array(2 + operations.length * 12 + 4);
  const view = viewOf(bytes);
  view.setUint16(0, kept.length, little);
  kept.forEach((one, index) => bytes.set(one.bytes, 2 + index * 12));
  view.setUint32(2 + kept.length * 12, next, little);
  return { from: at, to: at + bytes.length, bytes };
};

/** The directories, one for each page. */
const directoriesOf = async (reader: Reader, little: boolean): Promise<Directory[]> => {
  const found = new Map<number, Directory>();
  let at = viewOf(await reader.at(4, 4)).getUint32(0, little);
  while (at !== 0) {
    if (found.has(at) || found.size >= PAGES_MAX) throw new Damaged('pages without an end');
    const directory = await readDirectory(reader, little, at);
    found.set(at, directory);
    at = directory.next;
  }
  if (found.size === 0) throw new Damaged('no picture in it');
  return [...found.values()];
};

/** The bytes that a page needs: its directory, its known values, its pixels. */
const neededBy = async (
  reader: Reader,
  little: boolean,
  page: Directory,
): Promise<readonly Extent[]> => {
  const needed: Extent[] = [{ from: page.at, length: 2 + page.operations.length * 12 + 4 }];
  for (const operation of page.operations) if (known.has(operation.tag)) needed.push(operation);
  for (const [places, lengths] of data) {
    const from = await numbersOf(reader, little, page, places);
    const length = await numbersOf(reader, little, page, lengths);
    if (from.length !== length.length) throw new Damaged('pixels without a length');
    from.forEach((one, at) => needed.push({ from: one, length: length[at] ?? 0 }));
  }
  return needed;
};

export const inspectTiff = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const little = (await reader.at(0, 1))[0] === 0x49;
  let pixels: Inspection['pixels'] = null;
  let unknown = false;
  const needed: Extent[] = [{ from: 0, length: 8 }];
  const patches: Patch[] = [];
  for (const page of await directoriesOf(reader, little)) {
    const first = async (tag: number) => (await numbersOf(reader, little, page, tag))[0];
    pixels = larger(pixels, (await first(WIDTH)) ?? 0, (await first(HEIGHT)) ?? 0);
    unknown ||=
      page.operations.some(({ tag }) => foreign.has(tag)) ||
      !coded.has((await first(COMPRESSION)) ?? 1) ||
      raw.has((await first(COLOURS)) ?? 0);
    for (const extent of await neededBy(reader, little, page)) needed.push(extent);
    if (needed.length > PARTS_MAX) throw new Damaged('more parts than a picture has');
    const patch = rewritten(page, little);
    if (patch !== null) patches.push(patch);
  }
  const facts = { pixels, animated: false, exif: null, video: null };
  if (unknown) return { ...facts, stripped: { kind: 'unsafe', reason: 'unknown_parts' } };
  patches.push(...(await cleanGaps(reader, [{ body: 0, to: reader.size }], needed)));
  return {
    ...facts,
    stripped:
      patches.length === 0 ? { kind: 'clean' } : { kind: 'stripped', blob: apply(file, patches) },
  };
};

/**
 * HEIC and HEIF: pictures and metadata are items whose places the file lists. Nothing is moved: the EXIF item is written anew
 * within its own length, XMP items and everything else that holds text or belongs to a maker become blanks of the same
 * length. An item of a kind not known here is not guessed at: then the person decides.
 */
import { apply, boxesIn, emptied, readerOver, type Box, type Patch } from './boxes.ts';
import { Damaged, larger, type FormatFacts, type Inspection, type Stripped } from './inspection.ts';
import { latin1, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const META_MAX = 8 * 1024 * 1024;
const ITEM_MAX = 16 * 1024 * 1024;
/** Coded pictures and how they are put together. */
const pictures = new Set([
  'hvc1',
  'hvc2',
  'lhv1',
  'av01',
  'avc1',
  'jpeg',
  'j2k1',
  'unci',
  'vvc1',
  'mski',
  'grid',
  'iovl',
  'iden',
  'tmap',
  'tild',
]);
const texts = new Set(['mime', 'uri ']);

interface Item {
  readonly id: number;
  readonly type: string;
}

interface Extent {
  readonly from: number;
  readonly length: number;
}

const itemsOf = async (reader: Reader, iinf: Box): Promise<Item[]> => {
  const head = await reader.at(iinf.body, 4);
  const skip = head[0] === 0 ? 6 : 8;
  const entries = await boxesIn(reader, iinf.body + skip, iinf.to);
  const items: Item[] = [];
  for (const entry of entries) {
    const bytes = await reader.at(entry.body, 16);
    const version = bytes[0] ?? 0;
    // Versions 0 and 1 are of files without item types.
    if (entry.type !== 'infe' || version < 2) throw new Damaged('an item list of an old kind');
    const view = viewOf(bytes);
    const id = version === 2 ? view.getUint16(4) : view.getUint32(4);
    items.push({ id, type: latin1(bytes, version === 2 ? 8 : 10, version === 2 ? 12 : 14) });
  }
  return items;
};

/** Where each item's bytes are; null for an item whose place is told in a way not known here. */
const placesOf = async (
  reader: Reader,
  iloc: Box,
  idat: Box | undefined,
): Promise<Map<number, readonly Extent[] | null>> => {
  const bytes = await reader.at(iloc.body, iloc.to - iloc.body);
  const view = viewOf(bytes);
  const version = view.getUint8(0);
  let at = 4;
  const number = (size: number): number => {
    const value =
      size === 0
        ? 0
        : size === 2
          ? view.getUint16(at)
          : size === 4
            ? view.getUint32(at)
            : Number(view.getBigUint64(at));
    at += size;
    return value;
  };
  const first = number(2);
  const [offsetSize, lengthSize, baseSize] = [
    (first >> 12) & 15,
    (first >> 8) & 15,
    (first >> 4) & 15,
  ];
  const indexSize = version === 0 ? 0 : first & 15;
  const count = number(version < 2 ? 2 : 4);
  const places = new Map<number, readonly Extent[] | null>();
  for (let item = 0; item < count; item += 1) {
    const id = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2); // data reference
    const base = number(baseSize);
    const extents: Extent[] = [];
    const parts = number(2);
    // Parts that take no room to be told: a table of a few bytes would announce millions.
    if (parts > 1 && indexSize + offsetSize + lengthSize === 0)
      throw new Damaged('an item of many parts that are nowhere');
    for (let left = parts; left > 0; left -= 1) {
      number(indexSize);
      const offset = number(offsetSize);
      extents.push({ from: base + offset, length: number(lengthSize) });
    }
    if (method === 0) places.set(id, extents);
    else if (method === 1 && idat !== undefined)
      places.set(
        id,
        extents.map((one) => ({ ...one, from: one.from + idat.body })),
      );
    else places.set(id, null);
  }
  return places;
};

const gather = async (reader: Reader, extents: readonly Extent[]) => {
  const length = extents.reduce((sum, one) => sum + one.length, 0);
  if (length > ITEM_MAX) return null;
  const out = new Uint8Array(length);
  let at = 0;
  for (const one of extents) {
    const part = await reader.at(one.from, one.length);
    if (part.length < one.length) throw new Damaged('an item beyond the end of the file');
    out.set(part, at);
    at += one.length;
  }
  return out;
};

const spread = (extents: readonly Extent[], bytes: Uint8Array<ArrayBuffer> | null): Patch[] => {
  let at = 0;
  return extents.map(({ from, length }) => {
    const part = bytes?.slice(at, at + length) ?? null;
    at += length;
    return { from, to: from + length, bytes: part };
  });
};

/** The item's content: where the TIFF begins (32 bits), then perhaps `Exif\0\0`, then the TIFF. */
const exifIn = (content: Uint8Array<ArrayBuffer>) => {
  const start = content.length < 4 ? 0 : 4 + viewOf(content).getUint32(0);
  return start < 4 || start > content.length ? null : { start, tiff: content.slice(start) };
};

/** A sound XMP packet that says nothing, as long as the one it replaces. */
const blankXmp = (length: number): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(length).fill(0x20);
  const text = new TextEncoder().encode('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
  if (text.length <= length) out.set(text);
  return out;
};

interface MetaBoxes {
  readonly children: readonly Box[];
  readonly reader: Reader;
}

const openMeta = async (reader: Reader, top: readonly Box[]): Promise<MetaBoxes> => {
  const meta = top.find((box) => box.type === 'meta');
  if (meta === undefined || meta.to - meta.body > META_MAX) throw new Damaged('no list of items');
  const bytes = await reader.at(meta.body, meta.to - meta.body);
  const inside = readerOver(bytes, meta.body);
  return { children: await boxesIn(inside, meta.body + 4, meta.to), reader: inside };
};

const readSizes = async ({ children, reader }: MetaBoxes): Promise<Inspection['pixels']> => {
  const iprp = children.find((box) => box.type === 'iprp');
  const inner = iprp === undefined ? [] : await boxesIn(reader, iprp.body, iprp.to);
  const ipco = inner.find((box) => box.type === 'ipco');
  let pixels: Inspection['pixels'] = null;
  for (const box of ipco === undefined ? [] : await boxesIn(reader, ipco.body, ipco.to)) {
    if (box.type !== 'ispe') continue;
    const view = viewOf(await reader.at(box.body, 12));
    pixels = larger(pixels, view.getUint32(4), view.getUint32(8));
  }
  return pixels;
};

const described = async ({ children, reader }: MetaBoxes): Promise<Patch[]> => {
  const iprp = children.find((box) => box.type === 'iprp');
  const inner = iprp === undefined ? [] : await boxesIn(reader, iprp.body, iprp.to);
  const ipco = inner.find((box) => box.type === 'ipco');
  const properties = ipco === undefined ? [] : await boxesIn(reader, ipco.body, ipco.to);
  // `udes`: a title and tags that a person gave.
  return properties
    .filter((box) => ['udes', 'uuid'].includes(box.type))
    .flatMap((box) => emptied(box));
};

export const inspectHeif = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const top = await boxesIn(reader, 0, reader.size);
  const meta = await openMeta(reader, top);
  const child = (type: string) => meta.children.find((box) => box.type === type);
  const [iinf, iloc] = [child('iinf'), child('iloc')];
  const pixels = await readSizes(meta);
  if (iinf === undefined || iloc === undefined) throw new Damaged('no list of items');
  const places = await placesOf(meta.reader, iloc, child('idat'));
  const patches: Patch[] = await described(meta);
  let gathered = 0;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let unknown = top.some((box) => ['moov', 'moof'].includes(box.type));
  for (const { id, type } of await itemsOf(meta.reader, iinf)) {
    if (pictures.has(type)) continue;
    const extents = places.get(id);
    if (!extents || !(type === 'Exif' || texts.has(type))) {
      unknown = true;
      continue;
    }
    // Items that share their bytes again and again: a small file would be read for hours.
    gathered += extents.reduce((sum, one) => sum + one.length, 0);
    if (gathered > reader.size) throw new Damaged('items that hold more than the file');
    if (type !== 'Exif') {
      const content = await gather(reader, extents);
      const blank = content === null ? null : blankXmp(content.length);
      if (content === null || content.some((byte, index) => byte !== blank?.[index]))
        patches.push(...spread(extents, blank));
      continue;
    }
    const content = await gather(reader, extents);
    const found = content === null ? null : exifIn(content);
    if (content === null || found === null) {
      patches.push(...spread(extents, null));
      continue;
    }
    exif ??= found.tiff;
    const clean = cleanTiff(found.tiff);
    if (clean.kind === 'clean') continue;
    if (clean.kind === 'rewritten' && clean.bytes.length <= found.tiff.length) {
      // Written anew in front, blanks behind: already so where this file was cleaned before.
      const fresh = content.slice().fill(0, found.start);
      fresh.set(clean.bytes, found.start);
      if (fresh.some((byte, index) => byte !== content[index]))
        patches.push(...spread(extents, fresh));
    } else patches.push(...spread(extents, null));
  }
  for (const box of [...top, ...meta.children])
    if (['uuid', 'udta', 'xml ', 'bxml'].includes(box.type)) patches.push(...emptied(box));
  return {
    pixels,
    animated: false,
    exif,
    video: null,
    stripped: patched(file, patches, unknown),
  };
};

const patched = (file: Blob, patches: readonly Patch[], unknown: boolean): Stripped => {
  if (unknown) return { kind: 'unsafe', reason: 'unknown_parts' };
  return patches.length === 0
    ? { kind: 'clean' }
    : { kind: 'stripped', blob: apply(file, patches) };
};

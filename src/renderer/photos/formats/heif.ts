/**
 * HEIC, HEIF and AVIF: pictures and metadata are items at locations that the file lists. Known boxes, properties and
 * items are kept. Bytes that no item references are zeroed, and boxes after the picture (a motion photo's video, a
 * maker's trailer) are cut off. Nothing else moves: the EXIF item is rewritten within its length. If a decoder may need
 * something unknown, the person decides.
 */
import {
  apply,
  boxesIn,
  cleanGaps,
  readerOver,
  tidy,
  tidyTop,
  whole,
  type Box,
  type Extent,
  type Patch,
} from './boxes.ts';
import { metaBoxes, properties, topBoxes } from './heif-boxes.ts';
import { Damaged, larger, type FormatFacts, type Inspection, type Stripped } from './inspection.ts';
import { inspectJpeg } from './jpeg.ts';
import { latin1, readerOf, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const META_MAX = 8 * 1024 * 1024;
const ITEM_MAX = 16 * 1024 * 1024;
/** Coded pictures and their compositions. */
const pictures = new Set([
  'hvc1',
  'hvc2',
  'lhv1',
  'av01',
  'avc1',
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
const XMP = '\0application/rdf+xml\0';

interface Item {
  readonly id: number;
  readonly type: string;
  /** The location of its name and of what follows it, which is free text. */
  readonly name: Extent;
}

const itemsOf = async (reader: Reader, iinf: Box): Promise<Item[]> => {
  const head = await reader.at(iinf.body, 4);
  const skip = head[0] === 0 ? 6 : 8;
  const entries = await boxesIn(reader, iinf.body + skip, iinf.to);
  const items: Item[] = [];
  const ids = new Set<number>();
  for (const entry of entries) {
    const bytes = await reader.at(entry.body, entry.to - entry.body);
    const version = bytes[0] ?? 0;
    // Versions 0 and 1 belong to files without item types.
    if (entry.type !== 'infe' || version < 2) throw new Damaged('an item list of an old kind');
    const view = viewOf(bytes);
    const id = version === 2 ? view.getUint16(4) : view.getUint32(4);
    if (ids.has(id)) throw new Damaged('two items with one number');
    ids.add(id);
    const from = version === 2 ? 12 : 14;
    const type = latin1(bytes, from - 4, from);
    // A decoder finds XMP by this text behind the empty name.
    const known = type === 'mime' && latin1(bytes, from, from + XMP.length) === XMP;
    const text = from + (known ? XMP.length : 0);
    items.push({
      id,
      type,
      name: { from: entry.body + text, length: Math.max(0, bytes.length - text) },
    });
  }
  return items;
};

interface Places {
  /** The location of each item's bytes; null if it uses an unknown method. */
  readonly places: ReadonlyMap<number, readonly Extent[] | null>;
  /** The bytes after the table. */
  readonly rest: Extent;
}

const placesOf = async (reader: Reader, iloc: Box, idat: Box | undefined): Promise<Places> => {
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
    if (places.has(id)) throw new Damaged('two items with one number');
    const method = version === 0 ? 0 : number(2) & 15;
    number(2); // data reference
    const base = number(baseSize);
    const extents: Extent[] = [];
    const parts = number(2);
    // Extents that need no bytes in the table: a few bytes would announce millions.
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
  return { places, rest: { from: iloc.body + at, length: Math.max(0, bytes.length - at) } };
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

/** The item's content: the offset of the TIFF (32 bits), an optional `Exif\0\0`, then the TIFF. */
const exifIn = (content: Uint8Array<ArrayBuffer>) => {
  const start = content.length < 4 ? 0 : 4 + viewOf(content).getUint32(0);
  return start < 4 || start > content.length ? null : { start, tiff: content.slice(start) };
};

/** A valid empty XMP packet of the same length. */
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

interface Associations {
  /** The numbers (from 1) of properties without which a picture must not be shown. */
  readonly essential: ReadonlySet<number>;
  /** The length of the table. */
  readonly length: number;
}

/** Which items have which properties (`ipma`). */
const associationsOf = (view: DataView): Associations => {
  const [version, wide] = [view.getUint8(0), (view.getUint8(3) & 1) === 1];
  const essential = new Set<number>();
  let at = 8;
  for (let left = view.getUint32(4); left > 0; left -= 1) {
    at += version === 0 ? 2 : 4;
    const count = view.getUint8(at);
    at += 1;
    for (let one = 0; one < count; one += 1) {
      const given = wide ? view.getUint16(at) : view.getUint8(at);
      const flag = wide ? 0x8000 : 0x80;
      if ((given & flag) !== 0) essential.add(given & (flag - 1));
      at += wide ? 2 : 1;
    }
  }
  return { essential, length: at };
};

interface Cleaned {
  readonly patches: readonly Patch[];
  /** True if a decoder may need something that is unknown here. */
  readonly unknown: boolean;
}

/**
 * Empties unknown properties (a person's title and tags, a maker's own). They keep their place, because items refer to
 * them by number.
 */
const cleanProperties = async ({ children, reader }: MetaBoxes): Promise<Cleaned> => {
  const iprp = children.find((box) => box.type === 'iprp');
  if (iprp === undefined) return { patches: [], unknown: false };
  const inner = await boxesIn(reader, iprp.body, iprp.to);
  const essential = new Set<number>();
  const tables: Patch[] = [];
  for (const { body, to } of inner.filter((box) => box.type === 'ipma')) {
    const found = associationsOf(viewOf(await reader.at(body, to - body)));
    for (const number of found.essential) essential.add(number);
    tables.push(
      ...(await blanked(
        reader,
        { from: body + found.length, length: to - body - found.length },
        0,
      )),
    );
  }
  const { patches } = await tidy(reader, inner, { ipco: whole, ipma: { many: true } });
  const ipco = inner.find((box) => box.type === 'ipco');
  const listed = ipco === undefined ? [] : await boxesIn(reader, ipco.body, ipco.to);
  const described = await tidy(reader, listed, properties);
  return {
    patches: [...patches, ...tables, ...described.patches],
    unknown: described.dropped.some((box) => essential.has(listed.indexOf(box) + 1)),
  };
};

/** Overwrites a text, except zeros, which may end it. */
const blanked = async (
  reader: Reader,
  { from, length }: Extent,
  blank = 0x20,
): Promise<Patch[]> => {
  const bytes = await reader.at(from, length);
  return bytes.some((byte) => byte !== 0 && byte !== blank)
    ? [{ from, to: from + length, bytes: bytes.map((byte) => (byte === 0 ? 0 : blank)) }]
    : [];
};

/** Names of handlers and items are free text. */
const cleanNames = async (
  { children, reader }: MetaBoxes,
  items: readonly Item[],
): Promise<Patch[]> => {
  const names = items.map(({ name }) => name);
  const hdlr = children.find((box) => box.type === 'hdlr');
  if (hdlr !== undefined)
    names.push({ from: hdlr.body + 24, length: Math.max(0, hdlr.to - hdlr.body - 24) });
  const patches: Patch[] = [];
  for (const name of names) patches.push(...(await blanked(reader, name)));
  return patches;
};

/** A decoder may refuse an empty reference, so that unknown ones are left to the person. */
const cleanMeta = async ({ children, reader }: MetaBoxes): Promise<Cleaned> => {
  const { patches } = await tidy(reader, children, metaBoxes);
  const iref = children.find((box) => box.type === 'iref');
  return {
    patches,
    unknown: iref !== undefined && patches.some(({ from }) => from >= iref.body && from < iref.to),
  };
};

/** A JPEG is an item with metadata inside. */
const isCleanJpeg = async (content: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  const file = new Blob([content]);
  return (await inspectJpeg(file, readerOf(file))).stripped.kind === 'clean';
};

/** The EXIF item without personal data, at the same length; null if it is not readable. */
const cleanExif = (
  content: Uint8Array<ArrayBuffer>,
  { start, tiff }: { readonly start: number; readonly tiff: Uint8Array<ArrayBuffer> },
): Uint8Array<ArrayBuffer> | null => {
  const clean = cleanTiff(tiff, tiff.length);
  if (clean.kind === 'unreadable') return null;
  const fresh = new Uint8Array(content.length);
  // Other bytes in front of the block are anybody's: without them it begins at the fourth byte.
  const usual = start === 10 && latin1(content, 4, 10) === 'Exif\0\0';
  if (usual) fresh.set(content.subarray(0, start));
  fresh.set(clean.kind === 'clean' ? tiff : clean.bytes, usual ? start : 4);
  return fresh;
};

/** Cleans texts and EXIF, which are items of their own. */
const cleanItems = async (
  reader: Reader,
  items: readonly Item[],
  places: Places['places'],
): Promise<Cleaned & { readonly exif: Uint8Array<ArrayBuffer> | null }> => {
  const patches: Patch[] = [];
  let gathered = 0;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let unknown = false;
  for (const { id, type } of items) {
    if (pictures.has(type)) continue;
    const extents = places.get(id);
    if (!extents || !(type === 'Exif' || type === 'jpeg' || texts.has(type))) {
      unknown = true;
      continue;
    }
    // Items may share their bytes repeatedly, so that reading a small file would take hours.
    gathered += extents.reduce((sum, one) => sum + one.length, 0);
    if (gathered > reader.size) throw new Damaged('items that hold more than the file');
    const content = await gather(reader, extents);
    if (type === 'jpeg') {
      unknown ||= content === null || !(await isCleanJpeg(content));
      continue;
    }
    let fresh: Uint8Array<ArrayBuffer> | null = null;
    if (content !== null && type !== 'Exif') fresh = blankXmp(content.length);
    else if (content !== null) {
      const found = exifIn(content);
      exif ??= found?.tiff ?? null;
      fresh = found === null ? null : cleanExif(content, found);
    }
    if (content === null || content.some((byte, index) => byte !== (fresh?.[index] ?? 0)))
      patches.push(...spread(extents, fresh));
  }
  return { patches, unknown, exif };
};

export const inspectHeif = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const top = await boxesIn(reader, 0, reader.size);
  const meta = await openMeta(reader, top);
  const child = (type: string) => meta.children.find((box) => box.type === type);
  const [iinf, iloc] = [child('iinf'), child('iloc')];
  const pixels = await readSizes(meta);
  if (iinf === undefined || iloc === undefined) throw new Damaged('no list of items');
  const { places, rest } = await placesOf(meta.reader, iloc, child('idat'));
  const items = await itemsOf(meta.reader, iinf);
  const described = await cleanProperties(meta);
  const listed = await cleanMeta(meta);
  const patches: Patch[] = [
    ...described.patches,
    ...listed.patches,
    ...(await blanked(meta.reader, rest, 0)),
    ...(await cleanNames(meta, items)),
    ...(await tidyTop(reader, top, topBoxes)),
  ];
  const data = [...top.filter((box) => box.type === 'mdat'), ...[child('idat') ?? []].flat()];
  // Only items with a type: no decoder shows the others, so their bytes are zeroed.
  const named = items.flatMap(({ id }) => places.get(id) ?? []);
  // An image sequence references its bytes elsewhere. An item outside the known boxes would be damaged with them.
  let unknown =
    described.unknown ||
    listed.unknown ||
    top.some((box) => ['moov', 'moof'].includes(box.type)) ||
    named.some(({ from, length }) =>
      data.every((box) => from < box.body || from + length > box.to),
    );
  if (!unknown) patches.push(...(await cleanGaps(reader, data, named)));
  const cleaned = await cleanItems(reader, items, places);
  unknown ||= cleaned.unknown;
  return {
    pixels,
    animated: false,
    exif: cleaned.exif,
    video: null,
    stripped: patched(file, [...patches, ...cleaned.patches], unknown),
  };
};

const patched = (file: Blob, patches: readonly Patch[], unknown: boolean): Stripped => {
  if (unknown) return { kind: 'unsafe', reason: 'unknown_parts' };
  return patches.length === 0
    ? { kind: 'clean' }
    : { kind: 'stripped', blob: apply(file, patches) };
};

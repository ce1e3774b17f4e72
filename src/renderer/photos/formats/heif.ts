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
  emptied,
  readerOver,
  unlisted,
  type Box,
  type Extent,
  type Patch,
} from './boxes.ts';
import { Damaged, larger, type FormatFacts, type Inspection, type Stripped } from './inspection.ts';
import { latin1, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const META_MAX = 8 * 1024 * 1024;
const ITEM_MAX = 16 * 1024 * 1024;
const NAME_MAX = 4 * 1024;
/** Coded pictures and their compositions. */
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
const topBoxes = new Set(['ftyp', 'meta', 'mdat']);
const metaBoxes = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'iref', 'idat', 'grpl', 'dinf']);
const iprpBoxes = new Set(['ipco', 'ipma']);
/** Picture properties of ISO/IEC 23008-12 and the AV1 Image File Format, and decoder configurations. */
const properties = new Set(
  (
    'ispe pixi colr pasp clap irot imir rloc auxC lsel iscl hvcC lhvC avcC av1C vvcC evcC jpgC j2kH ' +
    'uncC cmpd cmpC a1op a1lx clli mdcv cclv amve tols oinf tile rref'
  ).split(' '),
);
/** The size of a `dinf` that only says "in this file". */
const OWN_DATA_REFERENCE = 36;

interface Item {
  readonly id: number;
  readonly type: string;
  /** The location of its name, which is free text. */
  readonly name: Extent;
}

const itemsOf = async (reader: Reader, iinf: Box): Promise<Item[]> => {
  const head = await reader.at(iinf.body, 4);
  const skip = head[0] === 0 ? 6 : 8;
  const operations = await boxesIn(reader, iinf.body + skip, iinf.to);
  const items: Item[] = [];
  for (const operation of operations) {
    const bytes = await reader.at(
      operation.body,
      Math.min(operation.to - operation.body, NAME_MAX),
    );
    const version = bytes[0] ?? 0;
    // Versions 0 and 1 belong to files without item types.
    if (operation.type !== 'infe' || version < 2) throw new Damaged('an item list of an old kind');
    const view = viewOf(bytes);
    const id = version === 2 ? view.getUint16(4) : view.getUint32(4);
    const from = version === 2 ? 12 : 14;
    const length = Math.max(0, bytes.indexOf(0, from) - from);
    items.push({
      id,
      type: latin1(bytes, from - 4, from),
      name: { from: operation.body + from, length },
    });
  }
  return items;
};

/** The location of each item's bytes; null if it uses an unknown method. */
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

/** The numbers (from 1) of properties without which a picture must not be shown (`ipma`). */
const essentialOf = async (reader: Reader, ipma: Box): Promise<ReadonlySet<number>> => {
  const view = viewOf(await reader.at(ipma.body, ipma.to - ipma.body));
  const [version, wide] = [view.getUint8(0), (view.getUint8(3) & 1) === 1];
  const found = new Set<number>();
  let at = 8;
  for (let left = view.getUint32(4); left > 0; left -= 1) {
    at += version === 0 ? 2 : 4;
    const count = view.getUint8(at);
    at += 1;
    for (let one = 0; one < count; one += 1) {
      const given = wide ? view.getUint16(at) : view.getUint8(at);
      const flag = wide ? 0x8000 : 0x80;
      if ((given & flag) !== 0) found.add(given & (flag - 1));
      at += wide ? 2 : 1;
    }
  }
  return found;
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
  const patches = (await unlisted(reader, inner, iprpBoxes)).flatMap((box) => emptied(box));
  const ipco = inner.find((box) => box.type === 'ipco');
  const listed = ipco === undefined ? [] : await boxesIn(reader, ipco.body, ipco.to);
  const strange = await unlisted(reader, listed, properties);
  const needed = new Set<number>();
  for (const ipma of strange.length === 0 ? [] : inner.filter((box) => box.type === 'ipma'))
    for (const number of await essentialOf(reader, ipma)) needed.add(number);
  return {
    patches: [...patches, ...strange.flatMap((box) => emptied(box))],
    unknown: strange.some((box) => needed.has(listed.indexOf(box) + 1)),
  };
};

/** Names of handlers and items are free text. */
const cleanNames = async (
  { children, reader }: MetaBoxes,
  items: readonly Item[],
): Promise<Patch[]> => {
  const names = items.map(({ name }) => name);
  for (const hdlr of children.filter((box) => box.type === 'hdlr'))
    names.push({ from: hdlr.body + 24, length: Math.max(0, hdlr.to - hdlr.body - 24) });
  const patches: Patch[] = [];
  for (const { from, length } of names) {
    const bytes = await reader.at(from, length);
    if (bytes.some((byte) => byte !== 0 && byte !== 0x20))
      patches.push({
        from,
        to: from + length,
        bytes: bytes.map((byte) => (byte === 0 ? 0 : 0x20)),
      });
  }
  return patches;
};

/** The start of the boxes to drop at the end of the file; the file's size if the last box stays. */
const cutFrom = (top: readonly Box[], going: readonly Box[], size: number): number => {
  let cut = size;
  for (const box of top.toReversed()) {
    if (!going.includes(box)) break;
    cut = box.from;
  }
  return cut;
};

/** Cuts off unknown top-level boxes at the end and empties the others. */
const cleanTop = async (reader: Reader, top: readonly Box[]): Promise<readonly Patch[]> => {
  const going = await unlisted(reader, top, topBoxes);
  const cut = cutFrom(top, going, reader.size);
  const patches = going.filter((box) => box.from < cut).flatMap((box) => emptied(box));
  return cut === reader.size
    ? patches
    : [...patches, { from: cut, to: reader.size, bytes: new Uint8Array() }];
};

const cleanMeta = async ({ children, reader }: MetaBoxes): Promise<readonly Patch[]> =>
  (await unlisted(reader, children, metaBoxes))
    .concat(
      children.filter((box) => box.type === 'dinf' && box.to - box.from !== OWN_DATA_REFERENCE),
    )
    .flatMap((box) => emptied(box));

export const inspectHeif = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const top = await boxesIn(reader, 0, reader.size);
  const meta = await openMeta(reader, top);
  const child = (type: string) => meta.children.find((box) => box.type === type);
  const [iinf, iloc] = [child('iinf'), child('iloc')];
  const pixels = await readSizes(meta);
  if (iinf === undefined || iloc === undefined) throw new Damaged('no list of items');
  const places = await placesOf(meta.reader, iloc, child('idat'));
  const items = await itemsOf(meta.reader, iinf);
  const described = await cleanProperties(meta);
  const patches: Patch[] = [
    ...described.patches,
    ...(await cleanNames(meta, items)),
    ...(await cleanTop(reader, top)),
    ...(await cleanMeta(meta)),
  ];
  const data = [...top.filter((box) => box.type === 'mdat'), ...[child('idat') ?? []].flat()];
  const named = [...places.values()].flatMap((extents) => extents ?? []);
  let gathered = 0;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  // An image sequence references its bytes elsewhere. An item outside the known boxes would be damaged with them.
  let unknown =
    described.unknown ||
    top.some((box) => ['moov', 'moof'].includes(box.type)) ||
    named.some(({ from, length }) =>
      data.every((box) => from < box.body || from + length > box.to),
    );
  if (!unknown) patches.push(...(await cleanGaps(reader, data, named)));
  for (const { id, type } of items) {
    if (pictures.has(type)) continue;
    const extents = places.get(id);
    if (!extents || !(type === 'Exif' || texts.has(type))) {
      unknown = true;
      continue;
    }
    // Items may share their bytes repeatedly, so that reading a small file would take hours.
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
    const clean = cleanTiff(found.tiff, found.tiff.length);
    if (clean.kind === 'clean') continue;
    if (clean.kind === 'rewritten') {
      // The rewritten block comes first, padding after it: the same bytes if the file was cleaned before.
      const fresh = content.slice().fill(0, found.start);
      fresh.set(clean.bytes, found.start);
      if (fresh.some((byte, index) => byte !== content[index]))
        patches.push(...spread(extents, fresh));
    } else patches.push(...spread(extents, null));
  }
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

/**
 * Builds HEIC files as phones make them, from HEVC tiles of a real encoder (fixtures): a grid of tiles, rotated and mirrored by
 * properties, with the same orientation in EXIF, a depth map and a thumbnail. Runs in Node and in the browser.
 */
interface Box {
  readonly type: string;
  readonly from: number;
  readonly body: number;
  readonly to: number;
}

export interface PhoneHeic {
  /** Size of the stored picture in pixels; its tiles are 64 x 64, four colours in turn. */
  readonly width: number;
  readonly height: number;
  /** Counter-clockwise quarter turns (`irot`). */
  readonly turns?: number;
  /** 0: top and bottom are swapped (libheif's reading of a horizontal axis); 1: left and right. */
  readonly mirror?: 0 | 1;
  /** Centred crop (`clap`), pixels. */
  readonly clip?: { readonly width: number; readonly height: number };
  /** EXIF orientation, redundant with `irot`. */
  readonly orientation?: number;
  /** Adds a depth map and a thumbnail as auxiliary items. */
  readonly extras?: boolean;
}

const utf8 = new TextEncoder();
const bytesOf = (...numbers: readonly number[]): Uint8Array => Uint8Array.from(numbers);
const u16 = (value: number): Uint8Array => bytesOf(value >> 8, value & 255);
const u32 = (value: number): Uint8Array => bytesOf(value >>> 24, value >> 16, value >> 8, value);
const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};
const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = joined(...content);
  return joined(u32(body.length + 8), utf8.encode(type), body);
};
const full = (
  type: string,
  version: number,
  flags: number,
  ...content: readonly Uint8Array[]
): Uint8Array => box(type, u32((version << 24) | flags), ...content);

const boxesIn = (bytes: Uint8Array, from: number, to: number): Box[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: Box[] = [];
  for (let at = from; at + 8 <= to; at += view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    found.push({ type, from: at, body: at + 8, to: at + view.getUint32(at) });
  }
  return found;
};

/** The coded tiles of a fixture and their shared decoder configuration. */
const tilesIn = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const child = (parent: Box, type: string, skip = 0): Box => {
    const one = boxesIn(bytes, parent.body + skip, parent.to).find((box) => box.type === type);
    if (one === undefined) throw new Error(`the fixture has no ${type}`);
    return one;
  };
  const meta = child({ type: '', from: 0, body: 0, to: bytes.length }, 'meta');
  const iloc = child(meta, 'iloc', 4);
  const ipco = child(child(meta, 'iprp', 4), 'ipco');
  const hvcC = child(ipco, 'hvcC');
  const pixi = child(ipco, 'pixi');
  // As heif-enc writes it: version 0, four-byte offsets and lengths, a base, one extent.
  const sizes = view.getUint16(iloc.body + 4);
  if (view.getUint8(iloc.body) !== 0 || sizes !== 0x4440)
    throw new Error(`the fixture lists its items in another way (${sizes.toString(16)})`);
  const count = view.getUint16(iloc.body + 6);
  const tiles = Array.from({ length: count }, (_, item) => {
    const at = iloc.body + 8 + item * 18;
    const from = view.getUint32(at + 4) + view.getUint32(at + 10);
    return bytes.slice(from, from + view.getUint32(at + 14));
  });
  return { tiles, hvcC: bytes.slice(hvcC.from, hvcC.to), pixi: bytes.slice(pixi.from, pixi.to) };
};

const TILE = 64;

/** A TIFF block with orientation and time taken. */
const exifOf = (orientation: number): Uint8Array => {
  const taken = utf8.encode('2026:03:04 05:06:07\0');
  const entry = (tag: number, type: number, count: number, value: Uint8Array) =>
    joined(u16(tag), u16(type), u32(count), value);
  const tiff = joined(
    utf8.encode('MM'),
    u16(42),
    u32(8),
    u16(2),
    entry(0x112, 3, 1, joined(u16(orientation), u16(0))),
    entry(0x8769, 4, 1, u32(38)),
    u32(0),
    u16(1),
    entry(0x9003, 2, 20, u32(56)),
    u32(0),
    taken,
  );
  return joined(u32(6), utf8.encode('Exif\0\0'), tiff);
};

interface Item {
  readonly type: string;
  readonly content: Uint8Array;
  readonly hidden: boolean;
  /** 1-based indices into the property list; the high bit marks essential properties. */
  readonly properties: readonly number[];
}

const ESSENTIAL = 0x80;

/** `fixture`: `tiles.heic` or `tiles-10bit.heic`. */
export const phoneHeic = (fixture: Uint8Array, wanted: PhoneHeic): Uint8Array<ArrayBuffer> => {
  const { tiles, hvcC, pixi } = tilesIn(fixture);
  const { width, height, clip } = wanted;
  const [columns, rows] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
  const ispe = (wide: number, high: number) => full('ispe', 0, 0, u32(wide), u32(high));
  const properties = [hvcC, ispe(TILE, TILE), pixi, ispe(width, height)];
  const turned: number[] = [];
  const add = (property: Uint8Array): number => properties.push(property);
  if (clip) {
    const fraction = (value: number) => joined(u32(value), u32(1));
    const middle = [fraction(0), fraction(0)];
    turned.push(
      ESSENTIAL | add(box('clap', fraction(clip.width), fraction(clip.height), ...middle)),
    );
  }
  if (wanted.turns) turned.push(ESSENTIAL | add(box('irot', bytesOf(wanted.turns))));
  if (wanted.mirror !== undefined)
    turned.push(ESSENTIAL | add(box('imir', bytesOf(wanted.mirror))));
  const coded = (content: Uint8Array, hidden: boolean, more: readonly number[] = []): Item => ({
    type: 'hvc1',
    content,
    hidden,
    properties: [ESSENTIAL | 1, 2, 3, ...more],
  });
  const grid = joined(bytesOf(0, 0, rows - 1, columns - 1), u16(width), u16(height));
  const parts = Array.from({ length: rows * columns }, (_, at) =>
    coded(tiles[((at % columns) % 2) + (Math.floor(at / columns) % 2) * 2] ?? grid, true),
  );
  const items: Item[] = [
    ...parts,
    { type: 'grid', content: grid, hidden: false, properties: [4, 3, ...turned] },
  ];
  const primary = items.length;
  const references = [
    box('dimg', u16(primary), u16(parts.length), ...parts.map((_, at) => u16(at + 1))),
  ];
  if (wanted.extras === true) {
    const depth = add(full('auxC', 0, 0, utf8.encode('urn:mpeg:hevc:2015:auxid:2\0')));
    items.push(coded(tiles[0] ?? grid, true, [ESSENTIAL | depth]));
    references.push(box('auxl', u16(items.length), u16(1), u16(primary)));
    items.push(coded(tiles[1] ?? grid, true));
    references.push(box('thmb', u16(items.length), u16(1), u16(primary)));
  }
  if (wanted.orientation !== undefined) {
    const content = exifOf(wanted.orientation);
    items.push({ type: 'Exif', content, hidden: true, properties: [] });
    references.push(box('cdsc', u16(items.length), u16(1), u16(primary)));
  }
  const infe = items.map(({ type, hidden }, at) =>
    full('infe', 2, hidden ? 1 : 0, u16(at + 1), u16(0), utf8.encode(`${type}\0`)),
  );
  const described = items.flatMap(({ properties: of }, at) =>
    of.length === 0 ? [] : [joined(u16(at + 1), bytesOf(of.length, ...of))],
  );
  const ftyp = box('ftyp', utf8.encode('heic'), u32(0), utf8.encode('mif1heicmiaf'));
  const meta = (base: number): Uint8Array => {
    let at = base;
    const places = items.map(({ content }, index) => {
      const place = joined(u16(index + 1), u16(0), u16(1), u32(at), u32(content.length));
      at += content.length;
      return place;
    });
    return full(
      'meta',
      0,
      0,
      full('hdlr', 0, 0, u32(0), utf8.encode('pict'), new Uint8Array(13)),
      full('pitm', 0, 0, u16(primary)),
      full('iloc', 0, 0, u16(0x4400), u16(items.length), ...places),
      full('iinf', 0, 0, u16(items.length), ...infe),
      full('iref', 0, 0, ...references),
      box(
        'iprp',
        box('ipco', ...properties),
        full('ipma', 0, 0, u32(described.length), ...described),
      ),
    );
  };
  const begin = ftyp.length + meta(0).length + 8;
  return joined(ftyp, meta(begin), box('mdat', ...items.map(({ content }) => content)));
};

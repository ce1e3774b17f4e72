/**
 * The EXIF block: a TIFF file inside a photo. The block is rewritten from an allow list (EXIF 3.0 tags of exposure,
 * time, orientation and colour). Nothing else survives: place, serial numbers, owner, comments, maker notes, the
 * embedded thumbnail, and unreferenced bytes.
 */
import { viewOf } from './reader.ts';

const EXIF_IFD = 0x8769;
const GPS_IFD = 0x8825;
const INTEROP_IFD = 0xa005;

/** Make, Model, Orientation, resolution, Software, ModifyDate, transfer of colours, YCbCrPositioning. */
const rootTags = new Set([
  0x10f, 0x110, 0x112, 0x11a, 0x11b, 0x128, 0x12d, 0x131, 0x132, 0x13e, 0x13f, 0x211, 0x213, 0x214,
]);
const exifTags = new Set([
  0x829a, 0x829d, 0x8822, 0x8824, 0x8827, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835,
  // ExifVersion, the three times and their zones.
  0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102, 0x9201, 0x9202, 0x9203, 0x9204,
  0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920a, 0x9214, 0x9290, 0x9291, 0x9292, 0xa000, 0xa001,
  0xa002, 0xa003, 0xa20e, 0xa20f, 0xa210, 0xa214, 0xa217, 0xa300, 0xa301, 0xa302, 0xa401, 0xa402,
  0xa403, 0xa404, 0xa405, 0xa406, 0xa407,
  // SubjectDistanceRange, LensSpecification, LensMake, LensModel. The serial numbers beside them are omitted.
  0xa408,
  0xa409, 0xa40a, 0xa40c, 0xa432, 0xa433, 0xa434, 0xa460, 0xa461, 0xa500,
]);
/** R98 or R03: the colour space of the values. */
const interopTags = new Set([1, 2]);

const ORIENTATION = 0x112;
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** The zeros that a valid block may have beyond its referenced bytes. */
const SLACK = 64;
/** A rewritten block may grow by what is added: an orientation, pointers. */
const MORE = 1024;

interface Field {
  /** The offset of its entry in the directory. */
  readonly at?: number;
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

interface Directory {
  readonly at: number;
  readonly fields: readonly Field[];
  readonly next: number;
}

interface Tiff {
  readonly size: number;
  readonly little: boolean;
  readonly root: Directory;
  readonly exif: Directory | null;
  readonly gps: Directory | null;
  readonly interop: Directory | null;
}

const readDirectory = (bytes: Uint8Array, little: boolean, at: number): Directory | null => {
  const view = viewOf(bytes);
  if (at < 8 || at + 2 > bytes.length) return null;
  // Some announce more operations than exist; decoders read the existing ones.
  const room = Math.floor((bytes.length - at - 2) / 12);
  const count = Math.min(view.getUint16(at, little), room);
  const end = at + 2 + count * 12;
  const fields: Field[] = [];
  for (let operation = at + 2; operation < end; operation += 12) {
    const type = view.getUint16(operation + 2, little);
    const amount = view.getUint32(operation + 4, little);
    const length = (sizes[type] ?? 0) * amount;
    const from = length <= 4 ? operation + 8 : view.getUint32(operation + 8, little);
    if (length === 0 || from + length > bytes.length) continue;
    fields.push({
      at: operation,
      tag: view.getUint16(operation, little),
      type,
      count: amount,
      data: bytes.subarray(from, from + length),
    });
  }
  const next = end + 4 <= bytes.length ? view.getUint32(end, little) : 0;
  return { at, fields, next };
};

const read = (bytes: Uint8Array): Tiff | null => {
  if (bytes.length < 8) return null;
  const order = String.fromCharCode(bytes[0] ?? 0, bytes[1] ?? 0);
  if (order !== 'II' && order !== 'MM') return null;
  const little = order === 'II';
  const view = viewOf(bytes);
  if (view.getUint16(2, little) !== 42) return null;
  const root = readDirectory(bytes, little, view.getUint32(4, little));
  if (root === null) return null;
  const below = (directory: Directory | null, tag: number): Directory | null => {
    const field = directory?.fields.find((one) => one.tag === tag);
    if (field === undefined || field.data.length < 4) return null;
    return readDirectory(bytes, little, viewOf(field.data).getUint32(0, little));
  };
  const exif = below(root, EXIF_IFD);
  const interop = below(exif, INTEROP_IFD);
  return { size: bytes.length, little, root, exif, gps: below(root, GPS_IFD), interop };
};

const pointer = (tag: number): Field => ({ tag, type: 4, count: 1, data: new Uint8Array(4) });

const sizeOf = (fields: readonly Field[]): number =>
  2 +
  fields.length * 12 +
  4 +
  fields.reduce(
    (sum, { data }) => sum + (data.length > 4 ? data.length + (data.length % 2) : 0),
    0,
  );

const writeDirectory = (
  out: Uint8Array,
  little: boolean,
  at: number,
  fields: readonly Field[],
  pointers: Readonly<Record<number, number>>,
): void => {
  const view = viewOf(out);
  view.setUint16(at, fields.length, little);
  let tail = at + 2 + fields.length * 12 + 4;
  fields.forEach(({ tag, type, count, data }, index) => {
    const operation = at + 2 + index * 12;
    view.setUint16(operation, tag, little);
    view.setUint16(operation + 2, type, little);
    view.setUint32(operation + 4, count, little);
    const target = pointers[tag];
    if (target !== undefined) view.setUint32(operation + 8, target, little);
    else if (data.length <= 4) out.set(data, operation + 8);
    else {
      view.setUint32(operation + 8, tail, little);
      out.set(data, tail);
      tail += data.length + (data.length % 2);
    }
  });
};

const sorted = (fields: readonly Field[]): Field[] => [...fields].sort((a, b) => a.tag - b.tag);

const orientationOf = (little: boolean, value: number): Field => {
  const data = new Uint8Array(2);
  viewOf(data).setUint16(0, value, little);
  return { tag: ORIENTATION, type: 3, count: 1, data };
};

interface Lists {
  readonly root: ReadonlySet<number>;
  readonly exif: ReadonlySet<number>;
  readonly interop: ReadonlySet<number>;
  /** The most bytes of a field. */
  readonly field_max: number;
}
const usualLists: Lists = {
  root: rootTags,
  exif: exifTags,
  interop: interopTags,
  field_max: Infinity,
};
/** The minimum: orientation and capture time, dropped last. */
const leastLists: Lists = {
  root: new Set([ORIENTATION, 0x132]),
  exif: new Set([0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292]),
  interop: new Set(),
  field_max: 32,
};

/**
 * Writes the block with the listed tags only.
 * @param orientation replaces the tag, because rotated pixels are upright
 * @param place includes the GPS part, if the user's setting allows it
 * @param room the most bytes; if they do not suffice, only times and orientation are kept
 */
const write = (
  tiff: Tiff,
  orientation?: number,
  place = false,
  lists: Lists = usualLists,
  room = tiff.size + MORE,
): Uint8Array<ArrayBuffer> | null => {
  const { little } = tiff;
  /** Each tag once, the first found, as readers do. */
  const pick = (directory: Directory | null, tags?: ReadonlySet<number>): Field[] => {
    const picked = new Map<number, Field>();
    for (const field of directory?.fields ?? [])
      if (
        (tags?.has(field.tag) ?? true) &&
        !picked.has(field.tag) &&
        field.data.length <= lists.field_max
      )
        picked.set(field.tag, field);
    return [...picked.values()];
  };
  const interop = sorted(pick(tiff.interop, lists.interop));
  const inner = pick(tiff.exif, lists.exif);
  const exif = sorted(interop.length > 0 ? [...inner, pointer(INTEROP_IFD)] : inner);
  const kept = pick(tiff.root, lists.root);
  const outer =
    orientation === undefined
      ? kept
      : [...kept.filter((field) => field.tag !== ORIENTATION), orientationOf(little, orientation)];
  const gps = place ? sorted(pick(tiff.gps)) : [];
  const root = sorted([
    ...outer,
    ...(exif.length > 0 ? [pointer(EXIF_IFD)] : []),
    ...(gps.length > 0 ? [pointer(GPS_IFD)] : []),
  ]);
  const exifAt = 8 + sizeOf(root);
  const interopAt = exifAt + (exif.length > 0 ? sizeOf(exif) : 0);
  const gpsAt = interopAt + (interop.length > 0 ? sizeOf(interop) : 0);
  const size = gpsAt + (gps.length > 0 ? sizeOf(gps) : 0);
  // Fields may share their bytes; written separately they would take far more space than the original block.
  if (size > room)
    return lists === leastLists ? null : write(tiff, orientation, place, leastLists, room);
  const out = new Uint8Array(size);
  out.set(little ? [0x49, 0x49, 42, 0] : [0x4d, 0x4d, 0, 42]);
  viewOf(out).setUint32(4, 8, little);
  writeDirectory(out, little, 8, root, { [EXIF_IFD]: exifAt, [GPS_IFD]: gpsAt });
  if (exif.length > 0) writeDirectory(out, little, exifAt, exif, { [INTEROP_IFD]: interopAt });
  if (interop.length > 0) writeDirectory(out, little, interopAt, interop, {});
  if (gps.length > 0) writeDirectory(out, little, gpsAt, gps, {});
  return out;
};

const only = (
  directory: Directory | null,
  tags: ReadonlySet<number>,
  ...pointers: readonly number[]
): boolean => {
  const found = (directory?.fields ?? []).map(({ tag }) => tag);
  return (
    new Set(found).size === found.length &&
    found.every((tag) => tags.has(tag) || pointers.includes(tag))
  );
};

/** True if all bytes are zero that belong to no field, such as those of a removed field. */
const isCovered = (bytes: Uint8Array, tiff: Tiff): boolean => {
  const rest = bytes.slice();
  rest.fill(0, 0, 8);
  for (const directory of [tiff.root, tiff.exif, tiff.gps, tiff.interop]) {
    if (directory === null) continue;
    rest.fill(0, directory.at, directory.at + 2);
    for (const { at = 0, data } of directory.fields) {
      rest.fill(0, at, at + (data.length > 4 ? 12 : 8));
      const from = data.byteOffset - bytes.byteOffset;
      rest.fill(0, from, from + data.length);
    }
  }
  return rest.every((byte) => byte === 0);
};

export type CleanTiff =
  /** The block holds nothing but listed tags, each once. */
  | { readonly kind: 'clean' }
  | { readonly kind: 'rewritten'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Not a TIFF: drop it entirely. */
  | { readonly kind: 'unreadable' };

/** @param room the most bytes of the rewritten block */
export const cleanTiff = (bytes: Uint8Array, room = bytes.length + MORE): CleanTiff => {
  const tiff = read(bytes);
  if (tiff === null) return { kind: 'unreadable' };
  const fresh = write(tiff, undefined, false, usualLists, room);
  if (fresh === null) return { kind: 'unreadable' };
  const clean =
    only(tiff.root, rootTags, EXIF_IFD, GPS_IFD) &&
    only(tiff.exif, exifTags, INTEROP_IFD) &&
    only(tiff.interop, interopTags) &&
    (tiff.gps === null || tiff.gps.fields.length === 0) &&
    tiff.root.next === 0 &&
    isCovered(bytes, tiff) &&
    bytes.length <= fresh.length + SLACK;
  return clean ? { kind: 'clean' } : { kind: 'rewritten', bytes: fresh };
};

/** The block for an upright rendition of this photo: times and exposure, the place if requested, nothing else. */
export const exifForRendition = (
  bytes: Uint8Array,
  place = false,
): Uint8Array<ArrayBuffer> | null => {
  const tiff = read(bytes);
  return tiff === null ? null : write(tiff, 1, place);
};

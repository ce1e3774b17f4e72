/**
 * BMP: a header, a colour table and the pixels. Bytes between these parts are zeroed, and bytes after the pixels are
 * cut off. If there is a colour profile, which may be a path on somebody's computer, the person decides.
 */
import { apply, type Patch } from './boxes.ts';
import { Damaged, type FormatFacts, type Inspection } from './inspection.ts';
import { viewOf, type Reader } from './reader.ts';

const FILE_HEADER = 14;
const CORE = 12;
const INFO = 40;
const HEADER_MAX = FILE_HEADER + 124;
/** Pixel layouts by `biCompression`. Others embed a whole JPEG or PNG. */
const layout = { plain: [0, 3, 6], packed: [1, 2] };
/** Size of the colour masks after a header without room for them. */
const masks: Readonly<Record<number, number>> = { 3: 12, 6: 16 };
/** The offset of `bV5CSType`, and its values for an embedded or linked profile: `MBED`, `LINK`. */
const COLOURS = FILE_HEADER + 56;
const profiles = [0x4d424544, 0x4c494e4b];

interface Layout {
  readonly pixels: NonNullable<Inspection['pixels']>;
  /** The end of headers and colours; the start and end of the pixels. */
  readonly head: number;
  readonly from: number;
  readonly to: number;
  /** Run-length encoded: only the header gives the length, so bytes after it may be pixels. */
  readonly packed: boolean;
  readonly unknown: boolean;
}

const layoutOf = (bytes: Uint8Array): Layout => {
  const view = viewOf(bytes);
  const size = view.getUint32(FILE_HEADER, true);
  const core = size === CORE;
  const width = core ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = Math.abs(core ? view.getUint16(20, true) : view.getInt32(22, true));
  const bits = view.getUint16(core ? 24 : 28, true);
  const coded = core ? 0 : view.getUint32(30, true);
  const colours = (core ? 0 : view.getUint32(46, true)) || (bits <= 8 ? 2 ** bits : 0);
  const from = view.getUint32(10, true);
  const row = Math.ceil((width * bits) / 32) * 4;
  const head =
    FILE_HEADER + size + (size === INFO ? (masks[coded] ?? 0) : 0) + colours * (core ? 3 : 4);
  const length = layout.plain.includes(coded) ? row * height : view.getUint32(34, true);
  if (width <= 0 || height === 0 || from < head) throw new Damaged('parts that overlap');
  const unknown =
    ![...layout.plain, ...layout.packed].includes(coded) ||
    (size >= 108 && profiles.includes(view.getUint32(COLOURS, true)));
  const packed = layout.packed.includes(coded);
  return { pixels: { width, height }, head, from, to: from + length, packed, unknown };
};

export const inspectBmp = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const bytes = await reader.at(0, HEADER_MAX);
  const { pixels, head, from, to, packed, unknown } = layoutOf(bytes);
  const facts = { pixels, animated: false, exif: null, video: null };
  if (unknown || (packed && to < reader.size))
    return { ...facts, stripped: { kind: 'unsafe', reason: 'unknown_parts' } };
  const patches: Patch[] = [];
  if (bytes.subarray(6, 10).some((byte) => byte !== 0))
    patches.push({ from: 6, to: 10, bytes: null });
  const gap = await reader.at(head, from - head);
  if (gap.some((byte) => byte !== 0))
    patches.push({ from: head, to: head + gap.length, bytes: null });
  if (to < reader.size) patches.push({ from: to, to: reader.size, bytes: new Uint8Array() });
  return {
    ...facts,
    stripped:
      patches.length === 0 ? { kind: 'clean' } : { kind: 'stripped', blob: apply(file, patches) },
  };
};

/**
 * WebP: a RIFF file. Keeps the picture and its colour profile, rewrites the EXIF chunk, drops XMP and unknown chunks,
 * and corrects the sizes and flags in the headers.
 */
import { Damaged, EXIF_MAX, larger, type FormatFacts, type Inspection } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const kept = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const PROFILE_FLAG = 0x20;
/** Chunks of one size. */
const lengths: Readonly<Record<string, number>> = { VP8X: 10, ANIM: 6 };
const PREFIX = 'Exif\0\0';

const int24 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

const sizeOf = (type: string, body: Uint8Array): readonly [number, number] | null => {
  if (type === 'VP8X') return [int24(body, 4) + 1, int24(body, 7) + 1];
  if (type === 'VP8L' && body[0] === 0x2f) {
    const bits = viewOf(body).getUint32(1, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (type !== 'VP8 ') return null;
  const view = viewOf(body);
  return [view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff];
};

const chunkOf = (type: string, data: Uint8Array): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(8 + data.length + (data.length % 2));
  for (let at = 0; at < 4; at += 1) out[at] = type.charCodeAt(at);
  viewOf(out).setUint32(4, data.length, true);
  out.set(data, 8);
  return out;
};

/** A chunk outside of frames stays once: one picture, its transparency before it, a profile that is a profile. */
const isKept = (type: string, body: Uint8Array, seen: ReadonlySet<string>): boolean => {
  if (!kept.has(type) || (type !== 'ANMF' && seen.has(type))) return false;
  const hasPicture = seen.has('VP8 ') || seen.has('VP8L');
  if (['VP8 ', 'VP8L', 'ALPH'].includes(type)) return !hasPicture;
  return type !== 'ICCP' || latin1(body, 36, 40) === 'acsp';
};

/** Chunks inside an animation frame, after its 16 bytes of position and time. */
const inFrame = new Set(['VP8 ', 'VP8L', 'ALPH']);
const hasUnknown = async (reader: Reader, from: number, to: number): Promise<boolean> => {
  let at = from + 16;
  while (at + 8 <= to) {
    const head = await reader.at(at, 8);
    if (!inFrame.has(latin1(head, 0, 4))) return true;
    const length = viewOf(head).getUint32(4, true);
    at += 8 + length + (length % 2);
  }
  return at < to;
};

type Part =
  { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array<ArrayBuffer> };

export const inspectWebp = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const riff = await reader.at(0, 12);
  if (riff.length < 12) throw new Damaged('cut off inside its header');
  const said = 8 + viewOf(riff).getUint32(4, true);
  const whole = Math.min(reader.size, said);
  const seen = new Set<string>();
  const parts: Part[] = [];
  let flags: { readonly at: number; readonly value: number } | null = null;
  let pixels: Inspection['pixels'] = null;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let exifStays = false;
  let profileStays = false;
  let animated = false;
  let unknown = false;
  let changed = whole < reader.size;
  let at = 12;
  while (at + 8 <= whole) {
    const head = await reader.at(at, 8);
    const type = latin1(head, 0, 4);
    const length = viewOf(head).getUint32(4, true);
    if (!/^[\x20-\x7e]{4}$/.test(type)) throw new Damaged('no chunk where one must be');
    const end = Math.min(whole, at + 8 + length + (length % 2));
    const body = await reader.at(at + 8, Math.min(length, 40));
    const size = body.length >= 10 || type === 'VP8L' ? sizeOf(type, body) : null;
    if (size !== null) pixels = larger(pixels, ...size);
    if (length !== (lengths[type] ?? length)) throw new Damaged('a chunk of another size');
    animated ||= type === 'ANMF';
    unknown ||=
      type === 'ANMF' && (await hasUnknown(reader, at + 8, Math.min(whole, at + 8 + length)));
    if (type === 'VP8X') flags = { at: at + 8, value: body[0] ?? 0 };
    const stays = isKept(type, body, seen);
    seen.add(type);
    profileStays ||= stays && type === 'ICCP';
    if (stays) parts.push({ from: at, to: end });
    else if (type === 'EXIF' && exif === null && length <= EXIF_MAX) {
      const raw = await reader.at(at + 8, length);
      exif = latin1(raw, 0, 6) === PREFIX ? raw.slice(6) : raw;
      const clean = cleanTiff(exif);
      exifStays = clean.kind !== 'unreadable';
      if (clean.kind === 'clean') parts.push({ from: at, to: end });
      else changed = true;
      if (clean.kind === 'rewritten') parts.push({ bytes: chunkOf('EXIF', clean.bytes) });
    } else changed = true;
    at = end;
  }
  // A few bytes are no chunk.
  changed ||= at < whole;
  if (pixels === null) throw new Damaged('no picture in it');
  const facts = { pixels, animated, exif, video: null, cut_off: said > reader.size };
  if (unknown) return { ...facts, stripped: { kind: 'unsafe', reason: 'unknown_parts' } };
  if (!changed) return { ...facts, stripped: { kind: 'clean' } };
  const length = parts.reduce(
    (sum, part) => sum + ('bytes' in part ? part.bytes.length : part.to - part.from),
    4,
  );
  const out = piecesOf(file);
  viewOf(riff).setUint32(4, length, true);
  out.put(riff);
  for (const part of parts) {
    if ('bytes' in part) out.put(part.bytes);
    else if (flags !== null && part.from === flags.at - 8) {
      out.keep(part.from, flags.at);
      const gone = XMP_FLAG | (exifStays ? 0 : EXIF_FLAG) | (profileStays ? 0 : PROFILE_FLAG);
      out.put(new Uint8Array([flags.value & ~gone]));
      out.keep(flags.at + 1, part.to);
    } else out.keep(part.from, part.to);
  }
  return { ...facts, stripped: { kind: 'stripped', blob: out.blob('image/webp') } };
};

/**
 * JPEG: segments up to the picture data, which is kept bit by bit. Keeps what decoding and colours need (JFIF, ICC,
 * Adobe's transform flag) and the EXIF block without personal data. Drops all other APPn segments (XMP, IPTC, maker's,
 * C2PA), comments, and everything after the picture (a phone's extra pictures and videos, with their own places).
 */
import { Damaged, larger, type FormatFacts, type Inspection } from './inspection.ts';
import { latin1, piecesOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const CHUNK = 64 * 1024;
const EXIF = 'Exif\0\0';

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const standsAlone = (marker: number): boolean =>
  marker === 0x01 || (marker >= 0xd0 && marker <= SOI);

/** The next marker after picture data, or the end of the file. */
const endOfScan = async (reader: Reader, from: number): Promise<number> => {
  for (let at = from; at < reader.size;) {
    const chunk = await reader.at(at, CHUNK);
    let found = chunk.indexOf(0xff);
    while (found >= 0 && found + 1 < chunk.length) {
      const next = chunk[found + 1] ?? 0;
      // 00: a stuffed byte. D0-D7: restart. FF: padding.
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + found;
      found = chunk.indexOf(0xff, found + 1);
    }
    if (at + chunk.length >= reader.size) return reader.size;
    at += found >= 0 ? found : chunk.length;
  }
  return reader.size;
};

/** Skips bytes until the next marker, as decoders do; null if there is none. */
const nextMarker = async (reader: Reader, from: number): Promise<number | null> => {
  for (let at = from; at < reader.size; at += CHUNK) {
    const chunk = await reader.at(at, CHUNK + 1);
    for (let found = chunk.indexOf(0xff); found >= 0; found = chunk.indexOf(0xff, found + 1))
      if (found + 1 < chunk.length && chunk[found + 1] !== 0) return at + found;
  }
  return null;
};

type Fate = 'keep' | 'drop' | 'exif';

/**
 * Frames, tables and settings of the decoder: ITU-T T.81 table B.1. Reserved markers may hold anything, and no decoder
 * reads hierarchical pictures.
 */
const isDecoders = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= SOS && marker <= 0xdd);

const PROFILE = 'ICC_PROFILE\0';
/** The first part of a colour profile has this mark; the others follow it. */
const isProfile = (body: Uint8Array, hasFirst: boolean): boolean =>
  latin1(body, 0, PROFILE.length) === PROFILE &&
  (body[PROFILE.length] === 1 ? latin1(body, 50, 54) === 'acsp' : hasFirst);

/** @param hasProfile whether the first part of a colour profile was kept */
const fateOf = (marker: number, body: Uint8Array, hasProfile: boolean): Fate => {
  if (marker < 0xe0 || marker > 0xef) return isDecoders(marker) ? 'keep' : 'drop';
  const name = latin1(body, 0, 12);
  if (marker === 0xe0) return name.startsWith('JFIF\0') ? 'keep' : 'drop';
  // Decoders ignore the byte after the first zero.
  if (marker === 0xe1) return name.startsWith('Exif\0') ? 'exif' : 'drop';
  if (marker === 0xe2) return isProfile(body, hasProfile) ? 'keep' : 'drop';
  return marker === 0xee && name.startsWith('Adobe') ? 'keep' : 'drop';
};

const segment = (marker: number, length: number): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(4 + length);
  out.set([0xff, marker, (length + 2) >> 8, (length + 2) & 0xff]);
  return out;
};

const exifSegment = (tiff: Uint8Array): Uint8Array<ArrayBuffer> => {
  const out = segment(0xe1, EXIF.length + tiff.length);
  for (let at = 0; at < EXIF.length; at += 1) out[4 + at] = EXIF.charCodeAt(at);
  out.set(tiff, 4 + EXIF.length);
  return out;
};

/**
 * The bytes that a decoder reads of the JFIF and Adobe segments, of the number of lines and of the restart interval. A
 * thumbnail or anything else may follow.
 */
const FIXED: Readonly<Record<number, number>> = { 0xdc: 2, 0xdd: 2, 0xe0: 14, 0xee: 12 };
const JFIF_THUMBNAIL = 12;

/** The segment cut to what a decoder reads; null if it holds nothing else. */
const trimmed = (marker: number, body: Uint8Array): Uint8Array<ArrayBuffer> | null => {
  const fixed = FIXED[marker];
  if (fixed === undefined || body.length <= fixed) return null;
  const out = segment(marker, fixed);
  out.set(body.subarray(0, fixed), 4);
  if (marker === 0xe0) out.fill(0, 4 + JFIF_THUMBNAIL);
  return out;
};

/** Inserts an EXIF block at the start of a JPEG that has none. */
export const withExif = (jpeg: Blob, tiff: Uint8Array): Blob =>
  tiff.length > 0xffff - 2 - EXIF.length
    ? jpeg
    : new Blob([jpeg.slice(0, 2), exifSegment(tiff), jpeg.slice(2)], { type: jpeg.type });

export const inspectJpeg = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const pieces = piecesOf(file);
  let pixels: Inspection['pixels'] = null;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let changed = false;
  /** True if decoders skip damaged bytes: the picture is readable, but personal data in them cannot be found. */
  let broken = false;
  let cut_off = true;
  let hasProfile = false;
  let at = 2;
  pieces.keep(0, 2);
  for (;;) {
    const head = await reader.at(at, 4);
    // Truncated: everything present was examined.
    if (head.length < 2) break;
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff || marker === 0) {
      broken = true;
      const next = await nextMarker(reader, at);
      if (next === null) break;
      at = next;
      continue;
    }
    if (marker === 0xff) {
      pieces.keep(at, at + 1);
      at += 1;
      continue;
    }
    if (marker === EOI) {
      pieces.keep(at, at + 2);
      changed ||= at + 2 < reader.size;
      cut_off = false;
      break;
    }
    if (standsAlone(marker)) {
      pieces.keep(at, at + 2);
      at += 2;
      continue;
    }
    const length = ((head[2] ?? 0) << 8) | (head[3] ?? 0);
    if (head.length < 4 || length < 2 || at + 2 + length > reader.size) {
      if (exif === null && pixels === null) throw new Damaged('cut off inside its headers');
      break;
    }
    const end = at + 2 + length;
    const body = await reader.at(at + 4, length - 2);
    if (isFrame(marker) && body.length >= 5)
      pixels = larger(
        pixels,
        ((body[3] ?? 0) << 8) | (body[4] ?? 0),
        ((body[1] ?? 0) << 8) | (body[2] ?? 0),
      );
    const fate = fateOf(marker, body, hasProfile);
    hasProfile ||= marker === 0xe2 && fate === 'keep';
    const less = fate === 'keep' ? trimmed(marker, body) : null;
    changed ||= less !== null;
    if (less !== null) pieces.put(less);
    else if (fate === 'keep') pieces.keep(at, end);
    else if (fate === 'exif' && exif === null) {
      exif = body.slice(EXIF.length);
      const clean = cleanTiff(exif);
      if (clean.kind === 'clean') pieces.keep(at, end);
      else changed = true;
      if (clean.kind === 'rewritten') pieces.put(exifSegment(clean.bytes));
    } else changed = true;
    at = end;
    if (marker === SOS) {
      const next = await endOfScan(reader, at);
      pieces.keep(at, next);
      at = next;
    }
  }
  // Bytes of a last segment that is longer than the file.
  changed ||= cut_off && at < reader.size;
  const facts = { pixels, animated: false, exif, video: null, cut_off };
  if (broken || pixels === null)
    return { ...facts, stripped: { kind: 'unsafe', reason: 'damaged' } };
  return {
    ...facts,
    stripped: changed ? { kind: 'stripped', blob: pieces.blob('image/jpeg') } : { kind: 'clean' },
  };
};

/**
 * JPEG: segments up to the picture data, which is kept bit by bit. Kept: what the decoder and the colours need (JFIF, ICC,
 * Adobe's transform flag) and the EXIF block without what is personal. Everything else of the APPn kind (XMP, IPTC, maker's own,
 * C2PA), comments, and whatever follows the picture (a phone's second pictures and videos, with places of their own) goes.
 */
import { Damaged, larger, type FormatFacts, type Inspection } from './inspection.ts';
import { latin1, piecesOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const CHUNK = 64 * 1024;
const EXIF = 'Exif\0\0';

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const standsAlone = (marker: number): boolean =>
  marker === 0x01 || (marker >= 0xd0 && marker <= SOI);

/** Where the next marker after picture data begins, or the end of the file. */
const endOfScan = async (reader: Reader, from: number): Promise<number> => {
  for (let at = from; at < reader.size;) {
    const chunk = await reader.at(at, CHUNK);
    let found = chunk.indexOf(0xff);
    while (found >= 0 && found + 1 < chunk.length) {
      const next = chunk[found + 1] ?? 0;
      // 00: a stuffed byte. D0-D7: restart. FF: filling.
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + found;
      found = chunk.indexOf(0xff, found + 1);
    }
    if (at + chunk.length >= reader.size) return reader.size;
    at += found >= 0 ? found : chunk.length;
  }
  return reader.size;
};

/** As decoders do it: past what is no marker, to the next one; null where none comes. */
const nextMarker = async (reader: Reader, from: number): Promise<number | null> => {
  for (let at = from; at < reader.size; at += CHUNK) {
    const chunk = await reader.at(at, CHUNK + 1);
    for (let found = chunk.indexOf(0xff); found >= 0; found = chunk.indexOf(0xff, found + 1))
      if (found + 1 < chunk.length && chunk[found + 1] !== 0) return at + found;
  }
  return null;
};

type Fate = 'keep' | 'drop' | 'exif';

const fateOf = (marker: number, body: Uint8Array): Fate => {
  if (marker === COM) return 'drop';
  if (marker < 0xe0 || marker > 0xef) return 'keep';
  const name = latin1(body, 0, 12);
  if (marker === 0xe0) return name.startsWith('JFIF\0') ? 'keep' : 'drop';
  if (marker === 0xe1) return name.startsWith(EXIF) ? 'exif' : 'drop';
  if (marker === 0xe2) return name === 'ICC_PROFILE\0' ? 'keep' : 'drop';
  return marker === 0xee && name.startsWith('Adobe') ? 'keep' : 'drop';
};

const exifSegment = (tiff: Uint8Array): Uint8Array<ArrayBuffer> => {
  const length = 2 + EXIF.length + tiff.length;
  const out = new Uint8Array(2 + length);
  out.set([0xff, 0xe1, length >> 8, length & 0xff]);
  for (let at = 0; at < EXIF.length; at += 1) out[4 + at] = EXIF.charCodeAt(at);
  out.set(tiff, 4 + EXIF.length);
  return out;
};

/** Puts an EXIF block into a JPEG that has none, before everything else. */
export const withExif = (jpeg: Blob, tiff: Uint8Array): Blob =>
  tiff.length > 0xffff - 2 - EXIF.length
    ? jpeg
    : new Blob([jpeg.slice(0, 2), exifSegment(tiff), jpeg.slice(2)], { type: jpeg.type });

export const inspectJpeg = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const pieces = piecesOf(file);
  let pixels: Inspection['pixels'] = null;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let changed = false;
  /** Decoders pass over it: what the picture is can be told, what is personal in it cannot. */
  let broken = false;
  let at = 2;
  pieces.keep(0, 2);
  for (;;) {
    const head = await reader.at(at, 4);
    // Cut off: what is there was looked at.
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
    const fate = fateOf(marker, body);
    if (fate === 'keep') pieces.keep(at, end);
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
  const facts = { pixels, animated: false, exif, video: null };
  if (broken) return { ...facts, stripped: { kind: 'unsafe', reason: 'damaged' } };
  return {
    ...facts,
    stripped: changed ? { kind: 'stripped', blob: pieces.blob('image/jpeg') } : { kind: 'clean' },
  };
};

/**
 * PNG: a series of chunks. Keeps the picture, its colours, its animation and its time. Rewrites the EXIF chunk. Drops
 * texts except creation time and program, unknown chunks, and everything after the end.
 */
import { Damaged, EXIF_MAX, type FormatFacts, larger, type Inspection } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

const kept = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'mDCV',
  'cLLI',
  'bKGD',
  'hIST',
  'pHYs',
  'sBIT',
  'sPLT',
  'tIME',
  'acTL',
  'fcTL',
  'fdAT',
]);
const texts = new Set(['Creation Time', 'Software']);

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});
const crc32 = (bytes: Uint8Array): number => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (table[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

const chunkOf = (type: string, data: Uint8Array): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(12 + data.length);
  const view = viewOf(out);
  view.setUint32(0, data.length);
  for (let at = 0; at < 4; at += 1) out[4 + at] = type.charCodeAt(at);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
};

const isHarmless = async (reader: Reader, type: string, at: number, length: number) => {
  if (kept.has(type)) return true;
  if (type !== 'tEXt') return false;
  const keyword = latin1(await reader.at(at, Math.min(80, length))).split('\0')[0] ?? '';
  return texts.has(keyword);
};

export const inspectPng = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const pieces = piecesOf(file);
  let pixels: Inspection['pixels'] = null;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let animated = false;
  let changed = false;
  pieces.keep(0, 8);
  for (let at = 8; at < reader.size;) {
    const head = await reader.at(at, 8);
    if (head.length < 8) break;
    const length = viewOf(head).getUint32(0);
    const type = latin1(head, 4, 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Damaged('no chunk where one must be');
    const end = Math.min(reader.size, at + 12 + length);
    if (type === 'IHDR') {
      const size = viewOf(await reader.at(at + 8, 8));
      if (size.byteLength < 8) throw new Damaged('cut off inside its header');
      pixels = larger(pixels, size.getUint32(0), size.getUint32(4));
    }
    animated ||= type === 'acTL';
    if (await isHarmless(reader, type, at + 8, length)) pieces.keep(at, end);
    else if (type === 'eXIf' && exif === null && length <= EXIF_MAX) {
      exif = await reader.at(at + 8, length);
      const clean = cleanTiff(exif);
      if (clean.kind === 'clean') pieces.keep(at, end);
      else changed = true;
      if (clean.kind === 'rewritten') pieces.put(chunkOf('eXIf', clean.bytes));
    } else changed = true;
    at = end;
    if (type === 'IEND') {
      changed ||= at < reader.size;
      break;
    }
  }
  if (pixels === null) throw new Damaged('no header');
  return {
    pixels,
    animated,
    exif,
    video: null,
    stripped: changed ? { kind: 'stripped', blob: pieces.blob('image/png') } : { kind: 'clean' },
  };
};

/**
 * Detects a file's type by its first bytes and never by its name (failures S11): the photo and video types a site laptop brings.
 * The window uses it before it removes a photo's metadata, the host before it stores the bytes. Every other type is rejected with
 * a reason. Pure.
 */
import type { InputFault } from './problem.ts';

/** Bytes that `fileType` needs. */
export const HEAD_BYTES = 64;

/** Content type of a file that is no photo or video. Nothing here depends on the file's name. */
export const OF_ANY_KIND = 'application/octet-stream';

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const heifBrands = ['mif1', 'msf1', 'heif'];
const avifBrands = ['avif', 'avis'];
/** Raw pictures, JPEG XL, and HEIF's short form (`mini`), which nothing here can read. */
const otherImageBrands = ['crx ', 'jxl ', 'mif3'];
/** Sizes in bytes of a BMP's second header; the size identifies the header's kind. */
const bmpHeaders = [12, 40, 52, 56, 108, 124];

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const begins = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((value, at) => bytes[at] === value);

const boxType = (bytes: Uint8Array): string | null => {
  const first = ascii(bytes, 4, 8);
  // Old QuickTime files begin without `ftyp`; cameras wrote them well into the 2010s.
  if (first === 'moov' || first === 'wide') return 'video/quicktime';
  if (first !== 'ftyp') return null;
  const brand = ascii(bytes, 8, 12);
  if (heicBrands.includes(brand)) return 'image/heic';
  if (avifBrands.includes(brand)) return 'image/avif';
  if (otherImageBrands.includes(brand)) return null;
  if (heifBrands.includes(brand)) {
    // An AVIF may also begin with `mif1`; the list of compatible brands decides.
    const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    const compatible = ascii(bytes, 16, Math.min(length, bytes.length));
    return /avif|avis/.test(compatible) ? 'image/avif' : 'image/heif';
  }
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
};

const isBmp = (bytes: Uint8Array): boolean =>
  ascii(bytes, 0, 2) === 'BM' &&
  bytes.length >= 18 &&
  bmpHeaders.includes(new DataView(bytes.buffer, bytes.byteOffset, 18).getUint32(14, true));

/** The content type; null if the type is not accepted. */
export const fileType = (head: Uint8Array): string | null => {
  if (begins(head, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image/webp';
  if (/^GIF8[79]a/.test(ascii(head, 0, 6))) return 'image/gif';
  if (isBmp(head)) return 'image/bmp';
  if (begins(head, 0x49, 0x49, 42, 0) || begins(head, 0x4d, 0x4d, 0, 42))
    // Canon's raw pictures are TIFF files with an extra mark.
    return ascii(head, 8, 10) === 'CR' ? null : 'image/tiff';
  return head.length >= 12 ? boxType(head) : null;
};

const OTHERS = [
  ['file_pdf', /^%PDF/],
  ['file_text', /^\s*(<\?xml|<svg|<!doctype|<html)/i],
  ['file_archive', /^(PK|Rar!|7z)/],
  ['file_short_heif', /^....ftypmif3/s],
  ['file_avi', /^RIFF....AVI /s],
] as const satisfies readonly (readonly [InputFault, RegExp])[];

/** The likely type of a file that `fileType` does not accept. */
export const notAPhoto = (head: Uint8Array): InputFault => {
  const text = ascii(head, 0, HEAD_BYTES);
  return OTHERS.find(([, looks]) => looks.test(text))?.[0] ?? 'file_unknown';
};

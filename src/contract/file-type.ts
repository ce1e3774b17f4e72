/**
 * Pure: what a file is, by its first bytes and never by its name (failures S11): the photo and video types a site
 * laptop brings. Both sides need the one answer: the window before it takes a photo's metadata apart, the host before
 * it keeps the bytes. Anything else is refused, with the reason.
 */
import type { InputFault } from './problem.ts';

/** Bytes that `fileType` needs to see. */
export const HEAD_BYTES = 64;

/** What a file is that is no photo or video: its name says it to people, nothing here goes by it. */
export const OF_ANY_KIND = 'application/octet-stream';

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const heifBrands = ['mif1', 'msf1', 'heif'];
const otherImageBrands = ['avif', 'avis', 'crx ', 'jxl '];

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
  if (otherImageBrands.includes(brand)) return null;
  if (heifBrands.includes(brand)) {
    // `mif1` is also how an AVIF may begin: the list of compatible brands tells.
    const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    return /avif|avis/.test(ascii(bytes, 16, Math.min(length, bytes.length))) ? null : 'image/heif';
  }
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
};

/** The content type, or null where it is none we take. */
export const fileType = (head: Uint8Array): string | null => {
  if (begins(head, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image/webp';
  return head.length >= 12 ? boxType(head) : null;
};

const OTHERS = [
  ['file_pdf', /^%PDF/],
  ['file_text', /^\s*(<\?xml|<svg|<!doctype|<html)/i],
  ['file_gif', /^GIF8/],
  ['file_archive', /^(PK|Rar!|7z)/],
  ['file_avif', /^....ftypavi/s],
  ['file_avi', /^RIFF....AVI /s],
] as const satisfies readonly (readonly [InputFault, RegExp])[];

/** What a file that `fileType` does not know seems to be. */
export const notAPhoto = (head: Uint8Array): InputFault => {
  const text = ascii(head, 0, HEAD_BYTES);
  return OTHERS.find(([, looks]) => looks.test(text))?.[0] ?? 'file_unknown';
};

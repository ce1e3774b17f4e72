/**
 * PNG: a series of chunks. Keeps the picture, its colours, its animation and its time, and chunks of one size only if
 * they have that size. Rewrites the EXIF chunk and the name of a colour profile. Drops texts, unknown chunks, and
 * everything after the end.
 */
import { Damaged, EXIF_MAX, type FormatFacts, larger, type Inspection } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';
import { cleanTiff } from './tiff.ts';

/** The lengths that a chunk may have. An animation repeats some; of all others only the first counts. */
const lengths: Readonly<Record<string, readonly number[]>> = {
  IHDR: [13],
  IEND: [0],
  gAMA: [4],
  cHRM: [32],
  sRGB: [1],
  cICP: [4],
  mDCV: [24],
  cLLI: [8],
  bKGD: [1, 2, 6],
  pHYs: [9],
  sBIT: [1, 2, 3, 4],
  tIME: [7],
  acTL: [8],
  fcTL: [26],
};
const pictures = new Set(['IDAT', 'fdAT']);
const INDEXED = 3;
const PROFILE_MAX = 4 * 1024 * 1024;
const PROFILE_NAME = 'ICC Profile';
/** The names that programs write without asking anybody. */
const profileNames = new Set([PROFILE_NAME, 'icc', 'ICC', 'sRGB']);

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

interface Header {
  /** The colour type of the picture. */
  readonly colours: number;
  readonly animated: boolean;
}

const isHarmless = (type: string, length: number, { colours, animated }: Header): boolean => {
  if (type === 'IDAT' || (type === 'fdAT' && animated)) return true;
  if (type === 'PLTE') return colours === INDEXED && length % 3 === 0 && length <= 768;
  if (type === 'tRNS')
    return colours === INDEXED ? length <= 256 : length === (colours === 2 ? 6 : 2);
  return Object.hasOwn(lengths, type) && lengths[type]?.includes(length) === true;
};

/** The colour profile under a neutral name: a system names it after the person's screen. Null: it stays as it is. */
const renamedProfile = (data: Uint8Array): Uint8Array<ArrayBuffer> | null => {
  const end = data.indexOf(0);
  if (profileNames.has(latin1(data, 0, Math.max(0, end)))) return null;
  const name = new TextEncoder().encode(PROFILE_NAME);
  return chunkOf('iCCP', new Uint8Array([...name, ...data.subarray(Math.max(0, end))]));
};

export const inspectPng = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const pieces = piecesOf(file);
  let pixels: Inspection['pixels'] = null;
  let exif: Uint8Array<ArrayBuffer> | null = null;
  let animated = false;
  let changed = false;
  let cut_off = true;
  let colours = 0;
  let at = 8;
  const seen = new Set<string>();
  pieces.keep(0, 8);
  while (at < reader.size) {
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
      colours = (await reader.at(at + 17, 1))[0] ?? 0;
    }
    animated ||= type === 'acTL';
    const isSecond = seen.has(type) && !pictures.has(type) && type !== 'fcTL';
    seen.add(type);
    if (isSecond) changed = true;
    else if (isHarmless(type, length, { colours, animated })) pieces.keep(at, end);
    else if (type === 'iCCP' && length <= PROFILE_MAX) {
      const renamed = renamedProfile(await reader.at(at + 8, length));
      changed ||= renamed !== null;
      if (renamed === null) pieces.keep(at, end);
      else pieces.put(renamed);
    } else if (type === 'eXIf' && exif === null && length <= EXIF_MAX) {
      exif = await reader.at(at + 8, length);
      const clean = cleanTiff(exif);
      if (clean.kind === 'clean') pieces.keep(at, end);
      else changed = true;
      if (clean.kind === 'rewritten') pieces.put(chunkOf('eXIf', clean.bytes));
    } else changed = true;
    at = end;
    if (type === 'IEND') {
      // Without its end no browser draws it.
      if (length > 0) pieces.put(chunkOf('IEND', new Uint8Array()));
      cut_off = false;
      break;
    }
  }
  changed ||= at < reader.size;
  if (pixels === null) throw new Damaged('no header');
  return {
    pixels,
    animated,
    exif,
    video: null,
    cut_off,
    stripped: changed ? { kind: 'stripped', blob: pieces.blob('image/png') } : { kind: 'clean' },
  };
};

/**
 * Decompresses responses. Works chunk by chunk at the reader's pace, so that a decompression bomb stops at the reader's size
 * limit (failures A8).
 */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

const makers: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  gzip: createGunzip,
  'x-gzip': createGunzip,
};

export const TAKEN = { 'accept-encoding': 'br, gzip' } as const;

/** Returns the decompressed stream, or null for an encoding that was not requested. */
export const unpack = (
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | readonly string[] | null,
): AsyncIterable<Uint8Array> | null => {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  // An error destroys the stream, so its reader sees it. The callback can ignore it.
  return make === undefined ? null : pipeline(bytes, make(), () => undefined);
};

/** True if the code means invalid compressed data. A truncated stream is not included. */
export const isDamage = (code: string): boolean =>
  /^(Z_(DATA|STREAM|NEED_DICT|VERSION)|ERR_+(BROTLI|ZLIB)|ERR__ERROR_FORMAT|ERR_PADDING|ERR_DICTIONARY)/.test(
    code,
  );

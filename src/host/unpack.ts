/**
 * Answers that come packed: what may be asked for, and the bytes as they were before. Unpacked piece by piece, as fast as they are
 * read, so that a small answer that would become a huge one is stopped where the reader stops (failures A8).
 */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

const makers: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  gzip: createGunzip,
  'x-gzip': createGunzip,
};

/** The header of a request that says what is taken here. */
export const TAKEN = { 'accept-encoding': 'br, gzip' } as const;

/** Null where nobody asked for this encoding. */
export const unpack = (
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | readonly string[] | null,
): AsyncIterable<Uint8Array> | null => {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  // What goes wrong in it ends the stream, and its reader hears of that.
  return make === undefined ? null : pipeline(bytes, make(), () => undefined);
};

/** Is this the error of bytes that were never packed so? That they end too early is none of these. */
export const isDamage = (code: string): boolean =>
  /^(Z_(DATA|STREAM|NEED_DICT|VERSION)|ERR_+(BROTLI|ZLIB)|ERR__ERROR_FORMAT|ERR_PADDING|ERR_DICTIONARY)/.test(
    code,
  );

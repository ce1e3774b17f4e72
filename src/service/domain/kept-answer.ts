/**
 * Encodes a response body for storage under its idempotency key: plain if short, compressed if long (a long text appears twice
 * in a record), encrypted if it contains a secret. The first character identifies the encoding, because our bodies are empty or
 * start with `{` or `[`.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Secrets } from './webhooks/webhook-ports.ts';

/** Minimum length in characters for compression. */
const LONG = 4096;
const COMPRESSED = 'b:';
const SEALED = 's:';

/** Favors speed over size. The window covers the longest response, so that its repeated text is found. */
const SETTINGS = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

const compressed = (text: string): string => {
  if (text.length < LONG) return text;
  const bytes = brotliCompressSync(Buffer.from(text, 'utf8'), SETTINGS);
  return COMPRESSED + bytes.toString('base64');
};

/** @param place the key's scope, which the encrypted text is bound to */
export const keptBody = (
  body: string,
  secret: { readonly secrets: Secrets; readonly place: string } | null,
): string =>
  secret === null || body === ''
    ? compressed(body)
    : SEALED + secret.secrets.seal(body, secret.place);

/** Null if the body was encrypted with a key that is gone. */
export const readKeptBody = (kept: string, secrets: Secrets, place: string): string | null => {
  if (kept.startsWith(SEALED)) return secrets.open(kept.slice(SEALED.length), place);
  if (!kept.startsWith(COMPRESSED)) return kept;
  return brotliDecompressSync(Buffer.from(kept.slice(COMPRESSED.length), 'base64')).toString(
    'utf8',
  );
};

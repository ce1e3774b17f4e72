/**
 * How an answer's body is kept under its idempotency key: as it is while it is short, compressed where it is long (a record
 * with a long text says it twice), sealed where it shows a secret. A body of ours begins with `{` or `[` or is empty, so
 * that the first letter of what is kept says how to read it.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Secrets } from '../domain/webhook-ports.ts';

/** Characters from which compressing is worth its time. */
const LONG = 4096;
const COMPRESSED = 'b:';
const SEALED = 's:';

/** Quick rather than small; the window holds the longest answer, so that what it repeats is found. */
const SETTINGS = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

const compressed = (text: string): string => {
  if (text.length < LONG) return text;
  const bytes = brotliCompressSync(Buffer.from(text, 'utf8'), SETTINGS);
  return COMPRESSED + bytes.toString('base64');
};

/** @param place what the sealed text is bound to: the scope of its key. */
export const keptBody = (
  body: string,
  secret: { readonly secrets: Secrets; readonly place: string } | null,
): string =>
  secret === null || body === ''
    ? compressed(body)
    : SEALED + secret.secrets.seal(body, secret.place);

/** Null when it was sealed with a key that is no longer here. */
export const readKeptBody = (kept: string, secrets: Secrets, place: string): string | null => {
  if (kept.startsWith(SEALED)) return secrets.open(kept.slice(SEALED.length), place);
  if (!kept.startsWith(COMPRESSED)) return kept;
  return brotliDecompressSync(Buffer.from(kept.slice(COMPRESSED.length), 'base64')).toString(
    'utf8',
  );
};

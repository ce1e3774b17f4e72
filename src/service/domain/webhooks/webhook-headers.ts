/**
 * Destination headers (failures: destination_headers). They are sent as given, but responses mask them, because a user who may
 * see a hook need not know its password.
 */
import type { FieldErrors } from '../problem.ts';
import type { Headers } from './webhook-secrets.ts';

const HEADERS_MAX = 50;
const HEADER_BYTES_MAX = 8 * 1024;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** Printable ASCII and tabs. Excludes CR, LF, NUL and everything that parsers interpret differently. */
const VALUE = /^[\t\x20-\x7e]*$/;
/** Hop-by-hop headers (RFC 9110 §7.6.1) and headers that the service sets. */
const REFUSED =
  /^(host|content-length|content-encoding|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*|webhook-(id|timestamp|signature))$/i;

const judgeHeader = (name: string, value: string): string | null => {
  if (!TOKEN.test(name)) return 'is not the name of a header';
  if (REFUSED.test(name)) return 'is set by the service and cannot be given';
  if (!VALUE.test(value)) return 'must be printable ASCII without line breaks';
  return null;
};

/** Null if the headers are valid. */
export const judgeHeaders = (headers: Headers): FieldErrors | null => {
  const field = 'hook.destination_headers';
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  const entries = Object.entries(headers);
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > HEADERS_MAX || bytes > HEADER_BYTES_MAX)
    return { [field]: [`must be at most ${HEADERS_MAX} headers and ${HEADER_BYTES_MAX} bytes`] };
  for (const [name, value] of entries) {
    const twice = seen.has(name.toLowerCase()) ? 'is given twice' : null;
    const wrong = judgeHeader(name, value) ?? twice;
    if (wrong !== null) errors[`${field}.${name}`] = [wrong];
    seen.add(name.toLowerCase());
  }
  return Object.keys(errors).length === 0 ? null : errors;
};

const SHOWN = 5;
const MASK = '*****';

/** The last 5 characters of a value, or none if it has no more. */
const mask = (value: string): string => MASK + (value.length > SHOWN ? value.slice(-SHOWN) : '');

export const maskHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));

/** A value that is sent back masked is unchanged, so the stored value is kept. */
export const mergeHeaders = (kept: Headers, sent: Headers): Headers =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const had = Object.hasOwn(kept, name) ? kept[name] : undefined;
      return [name, had !== undefined && value === mask(had) ? had : value];
    }),
  );

/** True if a value is sent back masked. */
export const hasMasked = (kept: Headers, sent: Headers): boolean =>
  Object.entries(sent).some(
    ([name, value]) => Object.hasOwn(kept, name) && value === mask(kept[name] ?? ''),
  );

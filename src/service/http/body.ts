/**
 * Parses JSON bodies defensively (failures S23). Invalid UTF-8, `__proto__` keys and excessive nesting are a 400. Text that a
 * database cannot store (NUL, unpaired surrogates) is a 422 on its field, or an error of its item alone.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isBadText } from '../domain/bad-text.ts';
import { badRequest, invalid, Refusal } from '../domain/problem.ts';

const DEPTH_MAX = 32;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The depth allowed for a whole batch. `checkBody` then judges each operation's body, so that only a body that is too
 * deep is refused.
 */
const BATCH_DEPTH_MAX = 2 * DEPTH_MAX;

/** True if `[`/`{` are nested deeper than `max`. Skips strings and stops at the limit. */
const tooDeep = (text: string, max: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
};

/** Callbacks of `walk`, which throw to refuse. */
interface Judges {
  readonly name: (key: string, path: string) => void;
  readonly text: (text: string, path: string) => void;
}

/** @param path dotted name of `value` */
const walk = (value: unknown, path: string, judges: Judges): void => {
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (typeof value === 'string') judges.text(value, path);
  else if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, below(String(index)), judges));
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      judges.name(key, path);
      walk((value as Record<string, unknown>)[key], below(key), judges);
    }
  }
};

export const tooLarge = (max: number): Refusal =>
  new Refusal(413, [`The request body is too large: send at most ${max} bytes.`]);

const tooDeepRefusal = (): Refusal => badRequest(`The body is nested more than ${DEPTH_MAX} deep.`);

const refuseName = (key: string): void => {
  if (key === '__proto__' || isBadText(key)) throw badRequest('The body has a forbidden name.');
};

const refuseText = (text: string, path: string): void => {
  if (isBadText(text)) throw invalid({ [path || 'body']: ['must be valid text without NUL'] });
};

/** Skips the texts of this list. Each item is checked separately, so that one bad item does not fail the others. */
const refuseTextBeside = (list: string) => (text: string, path: string) => {
  if (!path.startsWith(`${list}.`)) refuseText(text, path);
};

const refuseNameBeside = (list: string) => (key: string, path: string) => {
  if (!path.startsWith(`${list}.`)) refuseName(key);
};

/**
 * @param list list field with items that are checked separately, or null
 * @param isBatch the items are requests with bodies, which `checkBody` judges
 * @throws Refusal 400 or 422
 */
export const parseJson = (bytes: Buffer, list: string | null, isBatch = false): unknown => {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
  if (tooDeep(text, isBatch ? BATCH_DEPTH_MAX : DEPTH_MAX)) throw tooDeepRefusal();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
  // Fast path: bad text needs a `\u` escape, because the bytes are valid UTF-8 and JSON forbids raw control characters.
  if (text.includes('\\u') || text.includes('__proto__'))
    walk(value, '', {
      name: isBatch && list !== null ? refuseNameBeside(list) : refuseName,
      text: list === null ? refuseText : refuseTextBeside(list),
    });
  return value;
};

/**
 * Judges the body of a request in a batch as `parseJson` judges the body of a request.
 * @param max size of a body in bytes
 * @throws Refusal 400, 413 or 422
 */
export const checkBody = (value: unknown, list: string | null, max: number): void => {
  const text = JSON.stringify(value) ?? '';
  if (Buffer.byteLength(text) > max) throw tooLarge(max);
  if (tooDeep(text, DEPTH_MAX)) throw tooDeepRefusal();
  // JSON.stringify escapes control characters and unpaired surrogates, and nothing else, as `\\u`.
  if (text.includes('\\u') || text.includes('__proto__'))
    walk(value, '', {
      name: refuseName,
      text: list === null ? refuseText : refuseTextBeside(list),
    });
};

/** @throws Refusal 422 on a parameter with text that a database cannot store */
export const checkQueryText = (query: unknown): void =>
  // The schema checks the parameter names. They cannot pollute a prototype, because the decoder's objects have none.
  walk(query, '', { name: () => undefined, text: refuseText });

/** Refuses a compressed body explicitly, instead of calling it invalid JSON. @throws Refusal 415 */
const refusePacked = (encoding: string | undefined): void => {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new Refusal(415, ['Send the body as it is, without Content-Encoding.']);
};

/**
 * Makes `application/json` the only body type of the routes in this scope.
 * @param listOf returns the list field of a route's body, if its items are checked separately
 * @param isBatch tells the route whose items are requests
 */
export const useJsonBodies = (
  server: FastifyInstance,
  listOf: (request: FastifyRequest) => string | null,
  isBatch: (request: FastifyRequest) => boolean,
): void => {
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', (request, _reply, done) => {
    // axios and curl send a content type even with an empty body.
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && /^0+$/.test(length)) {
      delete request.headers['content-type'];
      delete request.headers['content-length'];
    }
    done();
  });
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      refusePacked(request.headers['content-encoding']);
      done(null, parseJson(bytes as Buffer, listOf(request), isBatch(request)));
    } catch (error) {
      done(error as Error);
    }
  });
};

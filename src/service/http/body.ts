/**
 * Reads JSON bodies with suspicion (failures S23): bytes that are no UTF-8, `__proto__` keys and absurd nesting are a 400;
 * text that a database cannot keep (NUL, half a surrogate pair) is a 422 on its field, or an error of its item alone.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isBadText } from '../domain/bad-text.ts';
import { badRequest, invalid, Refusal } from '../domain/problem.ts';

const DEPTH_MAX = 32;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The deepest `[`/`{` nesting, stopped at the limit; strings are skipped. */
const tooDeep = (text: string): boolean => {
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
      if (depth > DEPTH_MAX) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
};

/** Who judges what the walk finds. */
interface Judges {
  readonly name: (key: string) => void;
  readonly text: (text: string, path: string) => void;
}

/** `path` is the dotted name so far. */
const walk = (value: unknown, path: string, judges: Judges): void => {
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (typeof value === 'string') judges.text(value, path);
  else if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, below(String(index)), judges));
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      judges.name(key);
      walk((value as Record<string, unknown>)[key], below(key), judges);
    }
  }
};

const refuseName = (key: string): void => {
  if (key === '__proto__' || isBadText(key)) throw badRequest('The body has a forbidden name.');
};

const refuseText = (text: string, path: string): void => {
  if (isBadText(text)) throw invalid({ [path || 'body']: ['must be valid text without NUL'] });
};

/** Texts below this list are its items' own to judge: one bad item must not stop the others. */
const refuseTextBeside = (list: string) => (text: string, path: string) => {
  if (!path.startsWith(`${list}.`)) refuseText(text, path);
};

/** @throws Refusal 400 or 422 */
export const parseJson = (bytes: Buffer, list: string | null): unknown => {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
  if (tooDeep(text)) throw badRequest(`The body is nested more than ${DEPTH_MAX} deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
  // Bad text can only come in through an escape, since the bytes are UTF-8 and JSON forbids raw control characters.
  if (text.includes('\\u') || text.includes('__proto__'))
    walk(value, '', {
      name: refuseName,
      text: list === null ? refuseText : refuseTextBeside(list),
    });
  return value;
};

/** @throws Refusal 422 on the parameter that holds text no database can keep. */
export const checkQueryText = (query: unknown): void =>
  // The query's names are the schema's to judge: the decoder's objects have no prototype.
  walk(query, '', { name: () => undefined, text: refuseText });

/** Bytes that are packed are no JSON: said so, not taken for damage. @throws Refusal 415 */
const refusePacked = (encoding: string | undefined): void => {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new Refusal(415, ['Send the body as it is, without Content-Encoding.']);
};

/**
 * Makes `application/json` the only body type of the routes in this scope.
 * @param listOf the list of a route's body whose items are judged one by one
 */
export const useJsonBodies = (
  server: FastifyInstance,
  listOf: (request: FastifyRequest) => string | null,
): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      refusePacked(request.headers['content-encoding']);
      done(null, parseJson(bytes as Buffer, listOf(request)));
    } catch (error) {
      done(error as Error);
    }
  });
};

/**
 * Parses the bodies of `/oauth/token` and `/oauth/revoke`: the form of RFC 6749, or a multipart form or JSON, which
 * clients of similar APIs send (decisions §12.8). A parameter without a value counts as absent; a repeated one is
 * refused.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Credentials } from '../../domain/access/bearers.ts';
import { parseJson } from '../body.ts';
import { invalidClient, invalidRequest } from './oauth-error.ts';

export type Parameters = ReadonlyMap<string, string>;

const parametersOf = (pairs: Iterable<readonly [string, unknown]>): Parameters => {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') throw invalidRequest(`${name} must be a text.`);
    if (value === '') continue;
    if (found.has(name)) throw invalidRequest(`${name} is there twice.`);
    found.set(name, value);
  }
  return found;
};

const readForm = async (type: string, bytes: Buffer): Promise<Parameters> => {
  const headers = { 'content-type': type };
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    throw invalidRequest('The body is no valid form.');
  }
  return parametersOf(form);
};

const readJson = (bytes: Buffer): Parameters => {
  const value = parseJson(bytes, null) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The body must be an object.');
  return parametersOf(Object.entries(value).filter(([, one]) => one !== null));
};

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Larger than any request of these two addresses. */
export const BODY_BYTES = 16 * 1024;

/** Makes forms and JSON the body types of the routes in this scope. */
export const useTokenBodies = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  scope.addContentTypeParser(FORMS, options, (request: FastifyRequest, bytes: Buffer) =>
    readForm(request.headers['content-type'] ?? '', bytes),
  );
  scope.addContentTypeParser(
    'application/json',
    options,
    (_request: FastifyRequest, bytes: Buffer) => Promise.resolve().then(() => readJson(bytes)),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(invalidRequest('Send the body as application/x-www-form-urlencoded.'));
  });
};

/** Without a body there are none. */
export const parametersIn = ({ body }: FastifyRequest): Parameters =>
  body instanceof Map ? (body as Parameters) : new Map();

const BASIC = /^Basic +([\w+/=-]{1,4096})$/i;

/** Decodes the id or the secret, which are form-encoded (RFC 6749 §2.3.1). */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient();
  }
};

const basicOf = (header: string | undefined): Credentials | null => {
  const packed = BASIC.exec(header ?? '')?.[1];
  if (packed === undefined) return null;
  const text = Buffer.from(packed, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at < 0) throw invalidClient();
  return { client_id: decoded(text.slice(0, at)), client_secret: decoded(text.slice(at + 1)) };
};

/** The characters of a client id and a secret. Anything else cannot be ours, and no database stores NUL. */
const PRINTABLE = /^[\x21-\x7e]{1,255}$/;

/** The client id and secret of the header, or of the body, but not of both. @throws OauthError */
export const credentialsOf = (request: FastifyRequest, parameters: Parameters): Credentials => {
  const basic = basicOf(request.headers.authorization);
  const [client_id, client_secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  if (basic && (client_secret !== undefined || (client_id ?? basic.client_id) !== basic.client_id))
    throw invalidRequest('Send the client id and the secret once: in the header or in the body.');
  const found = basic ?? { client_id: client_id ?? '', client_secret: client_secret ?? '' };
  if (!PRINTABLE.test(found.client_id) || !PRINTABLE.test(found.client_secret))
    throw invalidClient();
  return found;
};

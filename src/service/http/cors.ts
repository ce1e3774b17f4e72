/**
 * [ours] Cross-origin requests (decisions §1.8): which pages of other origins may call the API. Off unless the operator lists
 * origins. A page sends the token itself, so no answer allows credentials, and an origin is answered by its own name, never `*`.
 * Pages without a token (`/metrics`, `/docs`, `/healthz`) stay closed to other origins, because the token is all that protects.
 */
import type { FastifyInstance } from 'fastify';
import { STORAGE_PREFIX } from '../files/addresses.ts';
import { readOrigins } from './origins.ts';
import { splitUrl } from './incoming.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Service-Company-Id',
  'Procore-Company-Id',
  'Idempotency-Key',
  'Idempotency-Token',
  'If-Match',
  'If-None-Match',
  'Range',
  'X-Request-Id',
  'x-amz-content-sha256',
  'content-md5',
].join(', ');

/** Without this list a page reads only a few standard headers. */
const RESPONSE_HEADERS = [
  'Link',
  'Per-Page',
  'Total',
  'ETag',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
  'X-Request-Id',
  'Content-Disposition',
  'Content-Range',
].join(', ');

/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

const isOfApi = (path: string): boolean =>
  /^\/(rest|vapid)\//.test(path) || path.startsWith(`${STORAGE_PREFIX}/`);

/** @param allowed the option `allowed-origins` */
export const allowOrigins = (server: FastifyInstance, allowed: string): void => {
  const origins = new Set(readOrigins(allowed));
  if (origins.size === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    if (!isOfApi(splitUrl(request.url).path)) return done();
    const { origin } = request.headers;
    // Caches must not give the answer for one origin to another.
    reply.header('Vary', 'Origin');
    if (origin === undefined || !origins.has(origin)) return done();
    reply
      .header('Access-Control-Allow-Origin', origin)
      .header('Access-Control-Expose-Headers', RESPONSE_HEADERS);
    const asksFirst =
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined;
    if (!asksFirst) return done();
    return void reply
      .code(204)
      .header('Access-Control-Allow-Methods', METHODS)
      .header('Access-Control-Allow-Headers', REQUEST_HEADERS)
      .header('Access-Control-Max-Age', String(PREFLIGHT_SECONDS))
      .send();
  });
};

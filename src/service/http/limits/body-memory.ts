/**
 * Limits the bytes of JSON bodies in memory, per token and in total (failures S50). A body that arrives slowly is
 * buffered until it is complete, and a client may open as many as it has connections. Bytes count until their request
 * ends.
 */
import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/problem.ts';

/** Bytes; 0: no limit. */
export interface BodyMemory {
  readonly per_token: number;
  readonly in_all: number;
}

const RETRY_SECONDS = 5;

const tooMuch = (status: 429 | 503, whose: string): Refusal =>
  new Refusal(status, [`The service is receiving too much ${whose} at once. Try again later.`], {
    'Retry-After': String(RETRY_SECONDS),
  });

/** Counts what arrives. `add` throws a Refusal 429 or 503 where there is no room. */
const counter = ({ per_token, in_all }: BodyMemory) => {
  const ofToken = new Map<string, number>();
  let all = 0;
  return {
    add: (token: string, bytes: number): void => {
      const own = (ofToken.get(token) ?? 0) + bytes;
      if (per_token > 0 && own > per_token) throw tooMuch(429, 'with this token');
      if (in_all > 0 && all + bytes > in_all) throw tooMuch(503, 'from all its clients');
      all += bytes;
      ofToken.set(token, own);
    },
    remove: (token: string, bytes: number): void => {
      all -= bytes;
      const own = (ofToken.get(token) ?? 0) - bytes;
      if (own > 0) ofToken.set(token, own);
      else ofToken.delete(token);
    },
  };
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Bounds the bodies of the routes in this scope, whose tokens are checked by then. */
export const limitBodyMemory = (scope: FastifyInstance, limits: BodyMemory): void => {
  const held = counter(limits);
  const bytesOf = new WeakMap<FastifyRequest, number>();
  /** The token's name in the counts, however its header is written. */
  const tokenOf = ({ headers }: FastifyRequest): string =>
    (headers.authorization ?? '').trim().replace(/^bearer\s+/i, '');
  const release = (request: FastifyRequest): void => {
    held.remove(tokenOf(request), bytesOf.get(request) ?? 0);
    bytesOf.delete(request);
  };
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload);
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        try {
          held.add(tokenOf(request), chunk.length);
          bytesOf.set(request, (bytesOf.get(request) ?? 0) + chunk.length);
          pass(null, chunk);
        } catch (error) {
          pass(error as Refusal);
        }
      },
    });
    payload.on('error', (error) => counted.destroy(error));
    done(null, payload.pipe(counted));
  });
  scope.addHook('onResponse', (request, _reply, done) => {
    release(request);
    done();
  });
  scope.addHook('onRequestAbort', (request, done) => {
    release(request);
    done();
  });
};

/**
 * The only place that converts errors to responses (decisions §1.2), except for those of `/oauth/token` (oauth/oauth-error.ts). A
 * 5xx reveals nothing internal: the log has the error and the request id.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { tooLarge } from './body.ts';
import { parseFields } from '../domain/field-errors.ts';
import { invalid, notFound, Refusal } from '../domain/problem.ts';
import { FilesUnavailable } from '../files/file-store.ts';
import { DatabaseUnavailable } from '../store/engine/db.ts';
import type { Rendered } from './idempotency.ts';

/** Parses a value by its schema. An invalid value is a 422 on its dotted name. */
export const parseOr422 = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = parseFields(schema, value);
  if ('errors' in parsed) throw invalid(parsed.errors);
  return parsed.data;
};

const fromFramework = (error: FastifyError, request: FastifyRequest): Refusal | null => {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(415, ['Send the body as "Content-Type: application/json".']);
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound(); // no id and no route looks like that (decisions §1.2)
    default:
      break;
  }
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new Refusal(status, ['The request could not be read.'])
    : null;
};

/** Codes for a full disk: file store, SQLite, PostgreSQL. */
const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'SQLITE_FULL', '53100']);

/** A full disk is temporary and for the operator to fix. Any other error is a bug. */
const fromSystem = (error: { code?: unknown }): Refusal =>
  NO_SPACE.has(error.code)
    ? new Refusal(507, ['The service has no space left. Nothing was stored.'])
    : new Refusal(500, ['The service failed. Nothing was stored.']);

/** The outcome of a write may be unknown, because the connection can break during the commit. */
const unavailable = (): Refusal =>
  new Refusal(
    503,
    ['The service cannot reach its database. Try again, with the same Idempotency-Key.'],
    { 'Retry-After': '5' },
  );

/** The AWS SDK adds `$metadata` to its errors, whether the bucket responded or not. */
const isOfBucket = (error: object): boolean => '$metadata' in error;

const filesUnavailable = (): Refusal =>
  new Refusal(503, ['The service cannot reach its file store. Try again later.'], {
    'Retry-After': '5',
  });

/** Converts what a request threw, and logs a 5xx. */
export const refusalOf = (error: unknown, request: FastifyRequest): Refusal => {
  const refusal = toRefusal(error, request);
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
  return refusal;
};

const toRefusal = (error: unknown, request: FastifyRequest): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable) return unavailable();
  const thrown = (error ?? {}) as FastifyError;
  // PostgreSQL rejects NUL in a text. Bodies and queries are checked before, so the NUL is in the address, which names nothing.
  if (thrown.code === '22021') return notFound();
  if (thrown instanceof FilesUnavailable || isOfBucket(thrown)) return filesUnavailable();
  return fromFramework(thrown, request) ?? fromSystem(thrown);
};

export const JSON_TYPE = 'application/json; charset=utf-8';

export const renderRefusal = (refusal: Refusal): Rendered => ({
  status: refusal.status,
  body: JSON.stringify({ errors: refusal.errors }),
  headers: { ...refusal.headers, 'Content-Type': JSON_TYPE },
});

export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply =>
  reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type(JSON_TYPE)
    .send(JSON.stringify({ errors: refusal.errors }));

/** Answers bytes that are not HTTP or have too many headers. There is only a socket, no request. */
export const answerBrokenClient = (error: { code?: string }, socket: Socket): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'This is not a valid HTTP request.'];
  const body = JSON.stringify({ errors: [text] });
  socket.write(
    `HTTP/1.1 ${status}\r\nX-Request-Id: ${randomUUID()}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Also closes the reading half: `end` alone would wait while the client keeps sending.
  socket.destroySoon();
};

/** Answers an `Expect` other than `100-continue`. Node calls this before Fastify has a request. */
export const answerExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  response
    .writeHead(417, {
      'X-Request-Id': randomUUID(),
      'Content-Type': 'application/json; charset=utf-8',
      Connection: 'close',
    })
    .end(JSON.stringify({ errors: ['The only Expect that is known is 100-continue.'] }));
};

export const answerError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendRefusal(reply, refusalOf(error, request));

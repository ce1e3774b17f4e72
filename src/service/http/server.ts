/**
 * The HTTP server around the mounted contract: limits, request ids, errors, health. What it listens on and how it stops is
 * index.ts's.
 */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { decodeQuery } from '../../contract/rest/query.ts';
import type { App } from '../app.ts';
import { methodNotAllowed, notFound } from '../domain/problem.ts';
import type { Handlers } from '../routes/handler.ts';
import { allowOf } from './allow.ts';
import { addDocs } from './docs.ts';
import { answerBrokenClient, answerError, answerExpectation, sendRefusal } from './errors.ts';
import { addMetrics } from './metrics.ts';
import { mountFiles } from '../routes/files.ts';
import { mount, splitUrl } from './mount.ts';
import { ownNames } from './own-names.ts';
import { surfaceOf } from './plain.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const requestId = (header: unknown): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

const DAMAGED =
  'Pages of the database file are damaged. Stop the service and restore a backup or a daily copy.';

const addHealth = (server: FastifyInstance, app: App): void => {
  const checkName = ownNames(app.options);
  server.get('/healthz', async (request, reply) => {
    checkName(request);
    const answers = await Promise.all([app.store.ping(), app.uploads.ping()]).catch(() => [false]);
    const healthy = answers.every(Boolean);
    if (healthy) return reply.send({ status: 'ok' });
    const detail = app.store.damaged() ? { detail: DAMAGED } : {};
    return reply.code(503).send({ status: 'failing', ...detail });
  });
};

/** The contract's own schemas judge; without this Fastify would load a validator and a serializer at every start. */
const noSchemas = (): never => {
  throw new Error('a route has a schema of Fastify’s');
};

/** Builds the server; nothing listens yet. */
export const buildServer = (app: App, handlers: Handlers): FastifyInstance => {
  const { options } = app;
  const surface = surfaceOf(options.plain);
  const allow = allowOf(surface.names);
  const server: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    routerOptions: {
      maxParamLength: 300,
      querystringParser: decodeQuery as (raw: string) => Record<string, unknown>,
    },
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    bodyLimit: options['max-body'],
    connectionTimeout: options['idle-timeout'],
    requestTimeout: options['request-timeout'],
    keepAliveTimeout: options['keep-alive-timeout'],
    http: {
      headersTimeout: options['headers-timeout'],
      requestTimeout: options['request-timeout'],
      // Node looks that often for clients whose time is over; its own is half a minute.
      connectionsCheckingInterval: Math.min(1000, Math.max(50, options['headers-timeout'])),
      maxHeaderSize: 16 * 1024,
    },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.header('X-Request-Id', request.id)),
    clientErrorHandler: answerBrokenClient,
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    // The path alone: a query may hold a signature or a person's name.
    request.log.info(
      {
        method: request.method,
        path: splitUrl(request.url).path,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    // Who is answered before the whole body came may go on sending it for a while, and nobody reads it any more.
    const { raw } = request;
    if (!raw.complete)
      setTimeout(() => !raw.complete && raw.socket.destroy(), options['body-timeout']).unref();
    done();
  });
  server.server.on('checkExpectation', answerExpectation);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => {
    const { path } = splitUrl(request.url);
    const methods = allow(path);
    if (methods.length > 0) return sendRefusal(reply, methodNotAllowed(methods));
    // `/healthz`, `/docs` and the like stand in no contract.
    const isPage = server.hasRoute({ method: 'GET', url: path });
    return sendRefusal(reply, isPage ? methodNotAllowed(['GET', 'HEAD']) : notFound());
  });
  addMetrics(server, app);
  addHealth(server, app);
  addDocs(server, surface, options);
  mount(server, app, handlers, allow);
  mountFiles(server, app);
  return server;
};

/**
 * Builds the HTTP server around the mounted contract: limits, request ids, errors, health. index.ts decides where it listens
 * and how it stops.
 */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { decodeQuery } from '../../contract/rest/protocol/query.ts';
import type { App } from '../app.ts';
import { methodNotAllowed, notFound } from '../domain/problem.ts';
import type { Handlers } from '../routes/handler.ts';
import { allowOf } from './allow.ts';
import { allowOrigins } from './cors.ts';
import { addDocs } from './openapi/docs.ts';
import { answerBrokenClient, answerError, answerExpectation, sendRefusal } from './errors.ts';
import { mountEvidence } from '../routes/evidence/evidence.ts';
import { mountFiles } from '../routes/files.ts';
import { mountMailPages } from '../routes/mail.ts';
import { baseUrlOf, splitUrl } from './incoming.ts';
import { mount } from './mount.ts';
import { mountOauth } from './oauth/oauth.ts';
import { addHealth } from './pages/health.ts';
import { addMetrics } from './pages/metrics.ts';
import { surfaceOf } from './plain.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const requestId = (header: unknown): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

/** The contract's schemas validate. This keeps Fastify from loading a validator and a serializer at every start. */
const noSchemas = (): never => {
  throw new Error('a route has a schema of Fastify’s');
};

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
      // How often Node looks for timed-out clients. Its default is 30 seconds.
      connectionsCheckingInterval: Math.min(1000, Math.max(50, options['headers-timeout'])),
      maxHeaderSize: 16 * 1024,
    },
    forceCloseConnections: 'idle',
    // A request that has begun to arrive is answered, as it would have been a moment before.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.header('X-Request-Id', request.id)),
    clientErrorHandler: answerBrokenClient,
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    // A proxy sends its next request over a new connection, to a process that is not stopping.
    if (app.stopping()) reply.header('Connection', 'close');
    done();
  });
  if (!surface.plain) allowOrigins(server, options['allowed-origins']);
  server.addHook('onResponse', (request, reply, done) => {
    // Logs only the path: a query may contain a signature or a person's name.
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
    // A client that is answered before its whole body arrived may keep sending. Cut it off after `body-timeout`, because nobody
    // reads the rest.
    const { raw } = request;
    if (!raw.complete)
      setTimeout(() => !raw.complete && raw.socket.destroy(), options['body-timeout']).unref();
    done();
  });
  server.server.on('checkExpectation', answerExpectation);
  server.setErrorHandler(answerError);
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const { path } = splitUrl(request.url);
    const methods = allow(path);
    if (methods.length > 0) return sendRefusal(reply, methodNotAllowed(methods));
    // Pages such as `/healthz` and `/docs`, and `/oauth/token`, are not in the contract.
    const has = (method: HTTPMethods): boolean => server.hasRoute({ method, url: path });
    if (has('POST')) return sendRefusal(reply, methodNotAllowed(['POST']));
    return sendRefusal(reply, has('GET') ? methodNotAllowed(['GET', 'HEAD']) : notFound());
  };
  server.setNotFoundHandler(answerUnknown);
  server.addHook('onRequest', (request, reply, done) => {
    // Answers before the body is checked: a missing route is the only error to report.
    if (request.is404) return void answerUnknown(request, reply);
    done();
  });
  addMetrics(server, app);
  addHealth(server, app);
  addDocs(server, surface, options);
  mount(server, app, handlers, allow);
  if (!surface.plain) mountOauth(server, app);
  mountFiles(server, app);
  if (!surface.plain) mountMailPages(server, app);
  if (!surface.plain) mountEvidence(server, app, (request) => baseUrlOf(app, request));
  return server;
};

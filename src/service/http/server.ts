/**
 * The HTTP server around the mounted contract: limits, request ids, errors, health. What it listens on and how it stops is
 * index.ts's.
 */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { endpoints, type EndpointName } from '../../contract/rest/index.ts';
import { decodeQuery } from '../../contract/rest/query.ts';
import type { App } from '../app.ts';
import { methodNotAllowed, notFound } from '../domain/problem.ts';
import type { Handlers } from '../routes/handler.ts';
import { addDocs } from './docs.ts';
import { answerBrokenClient, answerError, sendRefusal } from './errors.ts';
import { addMetrics } from './metrics.ts';
import { mountFiles } from '../routes/files.ts';
import { mount, splitUrl } from './mount.ts';
import { ownNames } from './own-names.ts';
import { surfaceOf } from './plain.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const requestId = (header: unknown): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

/** Every address of the contract with the methods it takes, for 405 and its `Allow`. */
const methodsOf = (names: readonly EndpointName[]) => {
  const byPath = new Map<string, string[]>();
  for (const name of names) {
    const { method, path } = endpoints[name];
    const methods = byPath.get(path) ?? [];
    methods.push(method, ...(method === 'GET' ? ['HEAD'] : []));
    byPath.set(path, methods);
  }
  return [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
};

/** A literal address wins over one with parameters, as in the router. */
const allowFor = (allowed: ReturnType<typeof methodsOf>, path: string): string => {
  const matches = allowed.filter(({ pattern }) => pattern.test(path));
  const literal = matches.find(({ pattern }) => !pattern.source.endsWith('[^/]+$'));
  return (literal ? literal.methods : matches.flatMap(({ methods }) => methods)).join(', ');
};

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
  const allowed = methodsOf(surface.names);
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
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => {
    const allow = allowFor(allowed, splitUrl(request.url).path);
    return sendRefusal(reply, allow === '' ? notFound() : methodNotAllowed(allow));
  });
  addMetrics(server, app);
  addHealth(server, app);
  addDocs(server, surface, options);
  mount(server, app, handlers);
  mountFiles(server, app);
  return server;
};

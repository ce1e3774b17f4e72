/**
 * Mounts the contract: one Fastify route per endpoint, every check that all endpoints share, and the handler from
 * routes/. The order of the checks is the order of decisions §1: token 401, company 400 and 403, path 404, then the
 * stored answer of an idempotency key, then query and body 422, then the route's own rules.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anyEndpoint, type EndpointName } from '../../contract/rest/index.ts';
import type { Endpoint } from '../../contract/rest/endpoint.ts';
import type { App } from '../app.ts';
import { textTag } from '../domain/etag.ts';
import {
  badRequest,
  forbidden,
  methodNotAllowed,
  notFound,
  type Refusal,
} from '../domain/problem.ts';
import type { Answer, Call, Handler, Handlers, Run } from '../routes/handler.ts';
import type { Db } from '../store/db.ts';
import { projectExists } from '../store/users.ts';
import type { AllowOf } from './allow.ts';
import { authenticate, type Caller } from './auth.ts';
import { checkQueryText, useJsonBodies } from './body.ts';
import { parseOr422 } from './errors.ts';
import { compressLongAnswers } from './compress.ts';
import { noneMatch } from './etag.ts';
import {
  fingerprintOf,
  idempotency,
  readKey,
  type Idempotency,
  type Rendered,
} from './idempotency.ts';
import { beginningOf, longList } from './long-list.ts';
import { linkHeader } from './paging.ts';
import { surfaceOf, type Surface } from './plain.ts';
import { rateLimit, type RateLimit } from './rate-limit.ts';
import { rowList } from './row-list.ts';
import { rowTexts, type RowTexts } from './row-texts.ts';

/** What the checks before the body learned, kept for the handler. */
interface Checked extends Caller {
  readonly params: Readonly<Record<string, unknown>>;
  readonly now: number;
  /** The same moment by the clock that never goes back. */
  readonly steady: number;
}
const checkedOf = new WeakMap<FastifyRequest, Checked>();

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointName;
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
};

const HOST = /^[\w.\-:[\]]{1,255}$/;

/** What absolute addresses start with: the operator's word, else what the client called us. */
export const baseUrlOf = (app: App, request: FastifyRequest): string => {
  const configured = app.options['public-url'];
  if (configured !== '') return configured.replace(/(?<!\/)\/+$/, '');
  if (!HOST.test(request.host)) throw badRequest('The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
};

/**
 * What stands where an id belongs may be an address of its own, which takes other methods: `insurances/sync`. Nothing at all,
 * as in `near_misses/`, is no address.
 */
const strayed = ({ url, method }: FastifyRequest, allow: AllowOf): Refusal => {
  const methods = allow(splitUrl(url).path);
  return methods.length === 0 || methods.includes(method) ? notFound() : methodNotAllowed(methods);
};

/** Everything about a request that can be judged before its body is read. */
const check = async (
  app: App,
  spec: Endpoint,
  request: FastifyRequest,
  count: RateLimit['count'],
  allow: AllowOf,
  reply: FastifyReply,
): Promise<Checked> => {
  const now = app.now();
  const steady = app.steady();
  const { headers } = request;
  const { authorization } = headers;
  const company = one(headers['service-company-id']) ?? one(headers['procore-company-id']);
  const caller = await authenticate(
    app.store.read,
    {
      ...(authorization === undefined ? {} : { authorization }),
      ...(company === undefined ? {} : { company }),
    },
    (token) => reply.headers(count(token, { now, steady })),
  );
  const params = spec.params.safeParse(request.params);
  if (!params.success) throw strayed(request, allow);
  const values = params.data as Readonly<Record<string, unknown>>;
  if (values['company_id'] !== undefined && Number(values['company_id']) !== caller.company_id)
    throw forbidden('The company in the address is not the one of Service-Company-Id.');
  const project = values['project_id'];
  if (
    project !== undefined &&
    !(await projectExists(app.store.read, {
      company_id: caller.company_id,
      project_id: Number(project),
    }))
  )
    throw notFound();
  return { ...caller, params: values, now, steady };
};

const JSON_TYPE = 'application/json; charset=utf-8';

const listHeaders = (
  spec: Endpoint,
  address: string,
  rawQuery: string,
  query: unknown,
  total: number,
): Record<string, string> => {
  const { page, per_page } = query as { page: number; per_page: number };
  const link =
    spec.paging === 'link' ? linkHeader(address, rawQuery, { page, per_page, total }) : undefined;
  return {
    'Per-Page': String(per_page),
    Total: String(total),
    ...(link === undefined ? {} : { Link: link }),
  };
};

const renderRefusal = (refusal: Refusal): Rendered => ({
  status: refusal.status,
  body: JSON.stringify({ errors: refusal.errors }),
  headers: { ...refusal.headers, 'Content-Type': JSON_TYPE },
});

/** One request of one endpoint, after the checks that come before its body. */
interface Asked {
  readonly app: App;
  readonly name: EndpointName;
  readonly surface: Surface;
  readonly spec: Endpoint;
  readonly request: FastifyRequest;
  readonly checked: Checked;
  readonly path: string;
  readonly rawQuery: string;
  readonly base_url: string;
  readonly texts: RowTexts;
}

/** Parses query and body: what the handler is called with. @throws Refusal 422 */
const callOf = <N extends EndpointName>(asked: Asked): Call<N> => {
  const { app, name, surface, spec, request, checked } = asked;
  checkQueryText(request.query);
  const { body } = request;
  // Anything but an object lacks what is required, and is told so by name (decisions §1.3).
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  const takesBody = spec.body.def.type !== 'undefined';
  return {
    params: checked.params as Call<N>['params'],
    query: parseOr422(spec.query, request.query) as Call<N>['query'],
    body: (takesBody
      ? parseOr422(spec.body, surface.body(name, object))
      : undefined) as Call<N>['body'],
    user: checked.user,
    company_id: checked.company_id,
    now: checked.now,
    base_url: asked.base_url,
    db: app.store.read,
    app,
    if_match: one(surface.headers(request.headers)['if-match']),
  };
};

const render = <N extends EndpointName>(
  { name, surface, spec, base_url, path, rawQuery }: Asked,
  call: Call<N>,
  answer: Answer<N>,
): Rendered => ({
  status: spec.status,
  body: spec.status === 204 ? '' : JSON.stringify(surface.reply(name, answer.data)),
  headers: {
    ...(spec.status === 204 ? {} : { 'Content-Type': JSON_TYPE }),
    // Answers carry signed addresses that must not be cached (reference: Upload).
    'Cache-Control': spec.cacheable ? 'private, no-cache' : 'no-store',
    ...(answer.etag === undefined || surface.plain ? {} : { ETag: answer.etag }),
    ...(answer.total === undefined
      ? {}
      : listHeaders(spec, base_url + path, rawQuery, call.query, answer.total)),
  },
});

const runOf = async <N extends EndpointName>(
  handler: Handler<N>,
  call: Call<N>,
): Promise<Run<N>> => (typeof handler === 'function' ? handler : handler.prepare(call));

/** A read's body may be too long for one text. */
type Read = Omit<Rendered, 'body'> & { readonly body: string | Buffer | Readable };

/** Characters, or bytes, of a list that are kept to make its ETag of: a longer one has none, and is sent while it is read. */
const TAGGED_MAX = 2 * 1024 * 1024;

/** A body before it is written out, and what it is known by; null where it is too long to be known. */
interface Body {
  readonly tag: (() => string) | null;
  readonly write: () => Read['body'];
}

const bodyOf = async <N extends EndpointName>(
  { name, surface, texts }: Asked,
  { rows, parts, total }: Answer<N>,
  rendered: Rendered,
): Promise<Body> => {
  // What a list is known by: its rows as they go out, and how many there are on all pages.
  const counted = `${total ?? ''}\n`;
  if (rows) {
    const reply = (view: object) => (surface.reply(name, [view]) as readonly unknown[])[0];
    const list = await rowList(rows, texts, reply, TAGGED_MAX);
    if (list.tags === null) return { tag: null, write: () => list.stream };
    return { tag: () => textTag(counted, ...list.tags), write: list.bytes };
  }
  const body = parts
    ? await beginningOf(
        longList(parts, (part) => surface.reply(name, part)),
        TAGGED_MAX,
      )
    : rendered.body;
  return {
    tag: typeof body === 'string' ? () => textTag(counted, body) : null,
    write: () => body,
  };
};

const read = async <N extends EndpointName>(asked: Asked, handler: Handler<N>): Promise<Read> => {
  const { spec, surface } = asked;
  const call = callOf<N>(asked);
  const answer = await (await runOf(handler, call))(call);
  const rendered = render(asked, call, answer);
  const body = await bodyOf(asked, answer, rendered);
  if (!spec.cacheable || surface.plain) return { ...rendered, body: body.write() };
  const etag = answer.etag ?? body.tag?.();
  const headers: Record<string, string> = {
    ...rendered.headers,
    ...(etag === undefined ? {} : { ETag: etag }),
  };
  if (!noneMatch(asked.request.headers['if-none-match'], etag))
    return { ...rendered, body: body.write(), headers };
  const { 'Content-Type': _, ...unchanged } = headers;
  return { status: 304, body: '', headers: unchanged };
};

const write = async <N extends EndpointName>(
  asked: Asked,
  handler: Handler<N>,
  keys: Idempotency,
): Promise<Rendered> => {
  const { app, spec, request, checked, path, rawQuery } = asked;
  const judge = () => {
    const call = callOf<N>(asked);
    return async () => {
      const run = await runOf(handler, call);
      return {
        beside: typeof handler !== 'function' && handler.beside?.(call) === true,
        run: async (tx: Db) => {
          const inside = { ...call, db: tx };
          return render(asked, inside, await run(inside));
        },
      };
    };
  };
  const key = readKey(asked.surface.headers(request.headers));
  const { company_id, user, steady } = checked;
  if (key === undefined) {
    const work = await judge()();
    return app.store.write(work.run, company_id, work.beside);
  }
  return keys.execute({
    scope: { company_id, user_id: user.id, method: spec.method, path, key },
    fingerprint: fingerprintOf(rawQuery, request.body),
    now: steady,
    kept_since: steady - app.options['idempotency-window'],
    secret: spec.secret,
    judge,
    renderRefusal,
  });
};

/** One route. `N` is one endpoint's name at a time; the table's type has already tied handler and endpoint together. */
const serve = <N extends EndpointName>(
  app: App,
  name: N,
  handler: Handler<N>,
  keys: Idempotency,
  surface: Surface,
  texts: RowTexts,
) => {
  const spec = anyEndpoint(name);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = checkedOf.get(request);
    if (!checked) throw new Error('a route ran without its checks');
    const { path, query: rawQuery } = splitUrl(request.url);
    const base_url = baseUrlOf(app, request);
    const called = { path, rawQuery, base_url };
    const asked: Asked = { app, name, surface, spec, request, checked, texts, ...called };
    const rendered = await (spec.method === 'GET'
      ? read(asked, handler)
      : write(asked, handler, keys));
    if (spec.method !== 'GET') app.webhooks.wake();
    // An empty text would be given a content type.
    const body = rendered.body === '' ? undefined : rendered.body;
    return reply.code(rendered.status).headers(rendered.headers).send(body);
  };
};

/**
 * A JSON body must keep coming: it may stand still for `body-timeout`, and in all be no slower than `body-rate`, so that a
 * long one may come over a slow line. A file may take as long as `request-timeout` (failures S9).
 */
const limitBodyTime = (scope: FastifyInstance, app: App): void => {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const { 'body-timeout': patience, 'body-rate': rate } = app.options;
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const { socket } = request.raw;
    const [began, before] = [performance.now(), socket.bytesRead];
    let [moved, seen] = [began, before];
    const look = (): void => {
      const now = performance.now();
      if (socket.bytesRead > seen) [moved, seen] = [now, socket.bytesRead];
      const owed = ((now - began - patience) / 1000) * rate;
      if (now - moved >= patience || seen - before < owed) request.raw.destroy();
    };
    timers.set(request, setInterval(look, Math.min(1000, Math.max(patience / 4, 10))).unref());
    done(null, payload);
  });
  const end = (request: FastifyRequest): void => clearInterval(timers.get(request));
  scope.addHook('preValidation', (request, _reply, done) => {
    end(request);
    done();
  });
  scope.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
  scope.addHook('onRequestAbort', (request, done) => {
    end(request);
    done();
  });
};

/**
 * Which limit a route's body has. A list of which only the first 1,000 count may be long (failures S19), and so may the 1,000
 * records of a sync, each with its notes, and the rows of an import.
 */
const bodyLimitOf = (path: string) => {
  if (path.includes('/uploads')) return 'max-upload-body';
  return /\/(bulk_remove|sync|import)$/.test(path) ? 'max-bulk-body' : 'max-body';
};

/** Mounts every endpoint of the contract in a scope of its own. */
export const mount = (
  server: FastifyInstance,
  app: App,
  handlers: Handlers,
  allow: AllowOf,
): void => {
  const surface = surfaceOf(app.options.plain);
  const limits = rateLimit(surface.plain ? 0 : app.options['rate-limit']);
  const keys = idempotency(app.store, app.webhooks.secrets, {
    keys: app.options['idempotency-max-keys'],
    bytes: app.options['idempotency-max-size'],
  });
  const texts = rowTexts();
  server.addHook('onClose', () => texts.clear());
  void server.register(async (scope) => {
    useJsonBodies(scope, ({ routeOptions }) => {
      const { endpoint } = routeOptions.config;
      return endpoint === undefined ? null : anyEndpoint(endpoint).items;
    });
    await compressLongAnswers(scope, app.options['compress-above']);
    limitBodyTime(scope, app);
    scope.addHook('onRequest', async (request, reply) => {
      const name = request.routeOptions.config.endpoint;
      if (name !== undefined)
        checkedOf.set(
          request,
          await check(app, anyEndpoint(name), request, limits.count, allow, reply),
        );
    });
    for (const name of surface.names) {
      const { method, path } = anyEndpoint(name);
      scope.route({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { endpoint: name },
        bodyLimit: app.options[bodyLimitOf(path)],
        handler: serve(app, name, handlers[name] as Handler<typeof name>, keys, surface, texts),
      });
    }
  });
};

/**
 * Mounts the contract: one Fastify route per endpoint, with the checks that all endpoints share and the handler from routes/.
 * The checks run in the order of decisions §1: token 401, company 400 and 403, path 404, then the stored response of an
 * idempotency key, then query and body 422, then the route's own rules.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../contract/rest/access/levels.ts';
import { conditionOf, refusalOf, ruleOf } from '../../contract/rest/access/permissions.ts';
import { anyEndpoint, type EndpointName } from '../../contract/rest/index.ts';
import type { Endpoint } from '../../contract/rest/protocol/endpoint.ts';
import type { App } from '../app.ts';
import { everything, seesOwnOnly, seesProject } from '../domain/access/access.ts';
import { textTag } from '../domain/etag.ts';
import { forbidden, methodNotAllowed, notFound, type Refusal } from '../domain/problem.ts';
import type { Answer, Call, Handler, Handlers, Run } from '../routes/handler.ts';
import type { Db } from '../store/engine/db.ts';
import { projectExists } from '../store/users.ts';
import type { AllowOf } from './allow.ts';
import { accessNow, authenticate, nobody, type Caller } from './auth.ts';
import { serveBatch } from './batch/batch.ts';
import { findRouteOf } from './batch/find-route.ts';
import { limitBodyMemory } from './limits/body-memory.ts';
import { limitBodyTime } from './limits/body-time.ts';
import { guessLimit, type GuessLimit } from './limits/guess-limit.ts';
import { checkQueryText, useJsonBodies } from './body.ts';
import { JSON_TYPE, parseOr422, renderRefusal } from './errors.ts';
import { compressLongAnswers } from './compress.ts';
import { noneMatch } from './etag.ts';
import {
  fingerprintOf,
  idempotency,
  readKey,
  type Execution,
  type Idempotency,
  type Rendered,
} from './idempotency.ts';
import { baseUrlOf, splitUrl, type Checked, type Incoming } from './incoming.ts';
import { beginningOf, longList } from './long-list.ts';
import { linkHeader } from './paging.ts';
import { surfaceOf, type Surface } from './plain.ts';
import { rateLimit, type RateLimit } from './limits/rate-limit.ts';
import { rowList } from './row-list.ts';
import { rowTexts, type RowTexts } from './row-texts.ts';
import { trackTokenUse, type TokenUse } from './token-use.ts';

const checkedOf = new WeakMap<FastifyRequest, Checked>();
const checkedFor = (request: FastifyRequest): Checked => {
  const checked = checkedOf.get(request);
  if (!checked) throw new Error('a route ran without its checks');
  return checked;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointName;
  }
}

/** Stands for the company of a request that names none. No company has this id, so a query by it finds nothing. */
const NO_COMPANY = 0;

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/**
 * An invalid id may be a literal address with other methods, such as `insurances/sync`: a 405. Otherwise, as for the empty id
 * in `near_misses/`, a 404.
 */
const strayed = ({ url, method }: Incoming, allow: AllowOf): Refusal => {
  const methods = allow(splitUrl(url).path);
  return methods.length === 0 || methods.includes(method) ? notFound() : methodNotAllowed(methods);
};

/** Dependencies of the checks of all routes. */
interface Checks {
  readonly app: App;
  readonly plain: boolean;
  /** Requests by token. */
  readonly count: RateLimit['count'];
  readonly use: TokenUse;
  readonly allow: AllowOf;
}

type Moment = { readonly now: number; readonly steady: number };

/** @throws Refusal 401, 400, 403 or 429 */
const callerOf = async (
  { app, plain, count, use }: Checks,
  spec: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  moment: Moment,
): Promise<Caller> => {
  if (!spec.needsToken) return nobody;
  const { headers } = request;
  const { authorization } = headers;
  const company = one(headers['service-company-id']) ?? one(headers['procore-company-id']);
  const caller = await authenticate(
    app.store.read,
    {
      ...(authorization === undefined ? {} : { authorization }),
      ...(company === undefined ? {} : { company }),
    },
    spec.needsCompany,
    {
      now: moment.now,
      known: (token) => {
        reply.headers(count(token, moment));
        use.note(token, moment.now);
      },
    },
  );
  return plain ? { ...caller, access: everything } : caller;
};

type ProjectExists = typeof projectExists;

/**
 * Runs the checks of the address: company, project, and what the caller may do there. The level is checked last, so that what
 * the caller may not see stays a 404 (decisions §12.2).
 */
const checkPlace = async (
  { app, allow }: Pick<Checks, 'app' | 'allow'>,
  name: EndpointName,
  request: Incoming,
  caller: Omit<Checked, 'params'>,
  exists: ProjectExists = projectExists,
): Promise<Checked> => {
  const spec = anyEndpoint(name);
  const { company_id, access } = caller;
  const params = spec.params.safeParse(request.params);
  if (!params.success) throw strayed(request, allow);
  const values = params.data as Readonly<Record<string, unknown>>;
  if (values['company_id'] !== undefined && Number(values['company_id']) !== company_id)
    throw forbidden('The company in the address is not the one of Service-Company-Id.');
  const project = values['project_id'];
  if (
    project !== undefined &&
    !(
      seesProject(access, Number(project)) &&
      (await exists(app.store.read, { company_id, project_id: Number(project) }))
    )
  )
    throw notFound();
  if (company_id !== NO_COMPANY && conditionOf(name, access.level) === undefined)
    throw forbidden(refusalOf(name, spec.summary, access.level));
  return { ...caller, params: values };
};

/** Runs all checks that do not need the body. */
const check = async (
  checks: Checks,
  name: EndpointName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Checked> => {
  const { app } = checks;
  const moment = { now: app.now(), steady: app.steady() };
  const caller = await callerOf(checks, anyEndpoint(name), request, reply, moment);
  const company_id = caller.company_id ?? NO_COMPANY;
  return checkPlace(checks, name, request, { ...caller, company_id, ...moment });
};

/** Milliseconds that receiving a body may take before its token is looked up again. */
const BODY_TRUST_MS = 1000;

/**
 * Looks a token up again when the body is there: it may have ended while the body came slowly, and what it makes now would outlive
 * it. A secret is never made without a second look (failures S76), and any operation of a batch may make one.
 */
const recheckSlow = (scope: FastifyInstance, checks: Checks): void => {
  const uncounted = { ...checks, count: () => ({}) };
  scope.addHook('preHandler', async (request, reply) => {
    const [name, checked] = [request.routeOptions.config.endpoint, checkedOf.get(request)];
    if (name === undefined || !checked || !anyEndpoint(name).needsToken) return;
    const makesSecret = anyEndpoint(name).secret || name === 'batch.send';
    if (makesSecret || checks.app.steady() - checked.steady >= BODY_TRUST_MS)
      checkedOf.set(request, await check(uncounted, name, request, reply));
  });
};

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

interface Asked {
  readonly app: App;
  readonly name: EndpointName;
  readonly surface: Surface;
  readonly spec: Endpoint;
  readonly request: Incoming;
  readonly checked: Checked;
  readonly path: string;
  readonly rawQuery: string;
  readonly base_url: string;
  readonly texts: RowTexts;
}

/** Longest name of a program that the history keeps, in characters. */
const CLIENT_MAX = 200;

const clientOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  headers['user-agent']?.slice(0, CLIENT_MAX) ?? null;

/** Parses query and body into the handler's input. @throws Refusal 422 */
const callOf = <N extends EndpointName>(asked: Asked): Call<N> => {
  const { app, name, surface, spec, request, checked } = asked;
  checkQueryText(request.query);
  const { body } = request;
  // A non-object counts as an empty object, so that the error names the missing fields (decisions §1.3).
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  const takesBody = spec.body.def.type !== 'undefined';
  return {
    params: checked.params as Call<N>['params'],
    query: parseOr422(surface.query(spec), request.query) as Call<N>['query'],
    body: (takesBody
      ? parseOr422(spec.body, surface.body(name, object))
      : undefined) as Call<N>['body'],
    user: checked.user,
    company_id: checked.company_id,
    memberships: checked.memberships,
    access: checked.access,
    token: checked.token,
    now: checked.now,
    base_url: asked.base_url,
    db: app.store.read,
    app,
    client: clientOf(request),
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
    // Responses contain signed addresses, which must not be cached (reference: Upload).
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

/** The rendered answer of a read. A long body is a buffer or a stream, because one string cannot hold it. */
type Read = Omit<Rendered, 'body'> & { readonly body: string | Buffer | Readable };

/** Longest list, in characters or bytes, that is buffered to compute its ETag. Longer lists have no ETag and are streamed. */
const TAGGED_MAX = 2 * 1024 * 1024;

/** A body before it is serialized, and its ETag function. `tag` is null if the body is too long. */
interface Body {
  readonly tag: (() => string) | null;
  readonly write: () => Read['body'];
}

const bodyOf = async <N extends EndpointName>(
  { name, surface, texts }: Asked,
  { rows, parts, total }: Answer<N>,
  rendered: Rendered,
): Promise<Body> => {
  // A list's ETag covers its rows as sent and the total over all pages.
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

/**
 * What a replay must have in common with the key's first request, besides query and body. Otherwise a lower token of
 * the same user could read, by a key, what only a higher one may see: a token that it created (decisions §12.6), or
 * another person's report (§12.2).
 */
const replayScopeOf = (name: EndpointName, { access, token }: Checked): string | null => {
  if (anyEndpoint(name).secret && ruleOf[name] === 'everyone') return token.hash;
  // What a user creates is its own at every level.
  return seesOwnOnly(access) && conditionOf(name, access.level) !== 'any' ? 'own' : null;
};

/**
 * A secret that is made now would outlive the token or the level that asks for it, so both are looked up again in the transaction
 * that makes it (failures S76, S77).
 * @throws Refusal 401, 403
 */
const recheckInside = async (tx: Db, { name, surface, spec, checked }: Asked): Promise<Access> => {
  if (!spec.secret || !spec.needsToken) return checked.access;
  const access = await accessNow(tx, checked);
  if (surface.plain) return checked.access;
  if (conditionOf(name, access.level) === undefined)
    throw forbidden(refusalOf(name, spec.summary, access.level));
  return access;
};

/** Validates a write. Returns the function that prepares its work in a transaction. @throws Refusal 422 */
const judgeOf =
  <N extends EndpointName>(asked: Asked, handler: Handler<N>): Execution['judge'] =>
  () => {
    const call = callOf<N>(asked);
    return async () => {
      const run = await runOf(handler, call);
      return {
        beside: typeof handler !== 'function' && handler.beside?.(call) === true,
        run: async (tx: Db) => {
          const inside = { ...call, db: tx, access: await recheckInside(tx, asked) };
          return render(asked, inside, await run(inside));
        },
      };
    };
  };

const executionOf = (asked: Asked, key: string, judge: Execution['judge']): Execution => {
  const { app, name, spec, request, checked, path, rawQuery } = asked;
  const { company_id, user, steady } = checked;
  const replay_scope = replayScopeOf(name, checked);
  return {
    scope: { company_id, user_id: user.id, method: spec.method, path, key },
    fingerprint: fingerprintOf(
      rawQuery,
      replay_scope === null ? request.body : [request.body, replay_scope],
    ),
    now: steady,
    kept_since: steady - app.options['idempotency-window'],
    secret: spec.secret,
    judge,
    renderRefusal,
  };
};

/** Dependencies of all writes. */
interface Writes {
  readonly keys: Idempotency;
  /** Attempts to guess a secret (decisions §12.5). */
  readonly guesses: GuessLimit;
}

const write = async <N extends EndpointName>(
  asked: Asked,
  handler: Handler<N>,
  { keys, guesses }: Writes,
  address: string,
): Promise<Rendered> => {
  const judge = judgeOf(asked, handler);
  // A key belongs to a user.
  const key = asked.spec.needsToken
    ? readKey(asked.surface.headers(asked.request.headers))
    : undefined;
  if (key !== undefined) return keys.execute(executionOf(asked, key, judge));
  const prepare = judge();
  const commit = async (): Promise<Rendered> => {
    const work = await prepare();
    return asked.app.store.write(work.run, asked.checked.company_id, work.beside);
  };
  const { spec, checked } = asked;
  return spec.guessable ? guesses.attempt(address, checked, commit) : commit();
};

/**
 * The handler of one route. `N` is a single endpoint name; the type of the table already ties handler and endpoint together.
 */
const serve = <N extends EndpointName>(
  app: App,
  name: N,
  handler: Handler<N>,
  writes: Writes,
  surface: Surface,
  texts: RowTexts,
) => {
  const spec = anyEndpoint(name);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = checkedFor(request);
    const { path, query: rawQuery } = splitUrl(request.url);
    const base_url = baseUrlOf(app, request);
    const called = { path, rawQuery, base_url };
    const asked: Asked = { app, name, surface, spec, request, checked, texts, ...called };
    const rendered = await (spec.method === 'GET'
      ? read(asked, handler)
      : write(asked, handler, writes, request.ip));
    if (spec.method !== 'GET') {
      app.webhooks.wake();
      app.mail.wake();
      if (name === 'erasures.create') app.erasures.wake();
    }
    // Fastify would add a content type to an empty string.
    const body = rendered.body === '' ? undefined : rendered.body;
    return reply.code(rendered.status).headers(rendered.headers).send(body);
  };
};

/**
 * The option that limits a route's body. Lists may be long although only their first 1,000 items count (failures S19), as may
 * the 1,000 records of a sync with their notes, the rows of an import, and the requests of a batch.
 */
const bodyLimitOf = (path: string) => {
  if (path.includes('/uploads')) return 'max-upload-body';
  return /\/(bulk_remove|sync|import|batch)$/.test(path) ? 'max-bulk-body' : 'max-body';
};

/** Mounts every endpoint of the contract in a separate Fastify scope. */
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
  const writes = { keys, guesses: guessLimit(app.options['enrolment-rate']) };
  const texts = rowTexts();
  const use = trackTokenUse(app);
  const checks: Checks = {
    app,
    plain: surface.plain,
    count: limits.count,
    use,
    allow,
  };
  server.addHook('onClose', () => {
    texts.clear();
    use.stop();
  });
  void server.register(async (scope) => {
    useJsonBodies(
      scope,
      ({ routeOptions }) => {
        const { endpoint } = routeOptions.config;
        return endpoint === undefined ? null : anyEndpoint(endpoint).items;
      },
      ({ routeOptions }) => routeOptions.config.endpoint === 'batch.send',
    );
    await compressLongAnswers(scope, app.options['compress-above']);
    limitBodyTime(scope, app);
    limitBodyMemory(scope, {
      per_token: app.options['bodies-per-token'],
      in_all: app.options['bodies-in-all'],
    });
    scope.addHook('onRequest', async (request, reply) => {
      const name = request.routeOptions.config.endpoint;
      if (name !== undefined) checkedOf.set(request, await check(checks, name, request, reply));
    });
    recheckSlow(scope, checks);
    const batch = serveBatch({
      app,
      keys,
      count: limits.count,
      allow,
      findRoute: findRouteOf(surface.names),
      bodyLimit: (path) => app.options[bodyLimitOf(path)],
      checkedOf: (request) => checkedFor(request),
      execution: async (request, name, caller, exists) => {
        const spec = anyEndpoint(name);
        const checked = await checkPlace(checks, name, request, caller, exists);
        const { path, query: rawQuery } = splitUrl(request.url);
        const { base_url, key } = request;
        const called = { path, rawQuery, base_url };
        const asked: Asked = { app, name, surface, spec, request, checked, texts, ...called };
        return executionOf(asked, key, judgeOf(asked, handlers[name] as Handler<typeof name>));
      },
    });
    for (const name of surface.names) {
      const { method, path } = anyEndpoint(name);
      scope.route({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { endpoint: name },
        bodyLimit: app.options[bodyLimitOf(path)],
        handler:
          name === 'batch.send'
            ? batch
            : serve(app, name, handlers[name] as Handler<typeof name>, writes, surface, texts),
      });
    }
  });
};

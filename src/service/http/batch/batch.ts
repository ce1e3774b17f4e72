/**
 * [ours] Executes many writes in one request (decisions §13). Each passes the checks of its own route and gets its own answer; a
 * refused one changes nothing for the others. They share the caller, one look-up of each project, one of all keys, and the
 * commit. They take effect in their order.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BATCH_PATH, batchEndpoints } from '../../../contract/rest/protocol/batch.ts';
import { anyEndpoint } from '../../../contract/rest/index.ts';
import { decodeQuery } from '../../../contract/rest/protocol/query.ts';
import type { App } from '../../app.ts';
import { invalid, methodNotAllowed, notFound, type FieldErrors } from '../../domain/problem.ts';
import type { RoutedName } from '../../routes/handler.ts';
import { projectExists } from '../../store/users.ts';
import type { AllowOf } from '../allow.ts';
import { checkBody } from '../body.ts';
import { JSON_TYPE, parseOr422, refusalOf, renderRefusal } from '../errors.ts';
import type { Execution, Idempotency, Rendered } from '../idempotency.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { baseUrlOf, splitUrl, type Checked, type Incoming } from '../incoming.ts';
import type { FindRoute } from './find-route.ts';

type Operation = ReturnType<typeof operationsOf>[number];

/** An operation of a batch, read as a request. `base_url` begins the absolute addresses in its response. */
interface Inside extends Incoming {
  readonly base_url: string;
  readonly key: string;
}

export interface BatchParts {
  readonly app: App;
  readonly keys: Idempotency;
  readonly count: RateLimit['count'];
  readonly allow: AllowOf;
  readonly findRoute: FindRoute;
  /** The largest body of a request to this path, in bytes. */
  readonly bodyLimit: (path: string) => number;
  readonly checkedOf: (request: FastifyRequest) => Checked;
  /** Runs the checks of the operation's own route. @throws Refusal */
  readonly execution: (
    request: Inside,
    name: RoutedName,
    caller: Omit<Checked, 'params'>,
    exists: typeof projectExists,
  ) => Promise<Execution>;
}

/** Judges the batch as a whole. @throws Refusal 422 */
const operationsOf = (body: unknown) => {
  const object = typeof body === 'object' && body !== null ? body : {};
  const { operations } = parseOr422(batchEndpoints['batch.send'].body, object);
  const errors: Record<string, readonly string[]> = {};
  const seen = new Map<string, number>();
  for (const [index, { path, idempotency_key }] of operations.entries()) {
    if (splitUrl(path).path === BATCH_PATH)
      errors[`operations.${index}.path`] = ['must not be a batch'];
    const first = seen.get(idempotency_key);
    if (first === undefined) seen.set(idempotency_key, index);
    else errors[`operations.${index}.idempotency_key`] = [`is also the key of operation ${first}`];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors satisfies FieldErrors);
  return operations;
};

/** Asks once for each project. */
const askedOnce = (): typeof projectExists => {
  const asked = new Map<number, Promise<boolean>>();
  return (db, place) => {
    const answer = asked.get(place.project_id) ?? projectExists(db, place);
    asked.set(place.project_id, answer);
    return answer;
  };
};

/** Headers of the whole answer, which an operation does not repeat. */
const SHARED = new Set(['Content-Type', 'Cache-Control']);

/** Bodies are JSON already, so the answer is put together as text. */
const bodyOf = (answers: readonly Rendered[]): string => {
  const texts = answers.map(({ status, headers, body }) => {
    const own = Object.entries(headers).filter(([name]) => !SHARED.has(name));
    const rest = body === '' ? '' : `,"body":${body}`;
    return `{"status":${status},"headers":${JSON.stringify(Object.fromEntries(own))}${rest}}`;
  });
  return `{"operations":[${texts.join(',')}]}`;
};

type Begun = { readonly execution: Execution } | { readonly answer: Rendered };

export const serveBatch = (parts: BatchParts) => {
  const { app, count, allow, findRoute } = parts;

  /** @throws Refusal */
  const begin = async (
    { method, path, idempotency_key: key, if_match, body }: Operation,
    request: FastifyRequest,
    base_url: string,
    exists: typeof projectExists,
  ): Promise<Execution> => {
    const { path: address, query } = splitUrl(path);
    const route = findRoute(method, address);
    if (route === null) {
      const methods = allow(address);
      throw methods.length === 0 ? notFound() : methodNotAllowed(methods);
    }
    const { name, params } = route;
    const spec = anyEndpoint(name);
    if (name === 'batch.send' || spec.extension)
      throw invalid({ path: ['is not an address of the reference: send this request alone'] });
    const execution = await parts.execution(
      {
        method,
        url: path,
        headers: if_match === undefined ? {} : { 'if-match': if_match },
        params,
        query: decodeQuery(query),
        body,
        base_url,
        key,
      },
      name,
      parts.checkedOf(request),
      exists,
    );
    checkBody(body, spec.items, parts.bodyLimit(spec.path));
    return execution;
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = parts.checkedOf(request);
    const base_url = baseUrlOf(app, request);
    const operations = operationsOf(request.body);
    const exists = askedOnce();
    const refused = (error: unknown): Rendered => renderRefusal(refusalOf(error, request));
    const begun = await Promise.all(
      operations.map(async (operation, index): Promise<Begun> => {
        try {
          // The request itself was counted as its first operation.
          if (index > 0) reply.headers(count(caller.token.hash, caller));
          return { execution: await begin(operation, request, base_url, exists) };
        } catch (error) {
          return { answer: refused(error) };
        }
      }),
    );
    const executed = begun.flatMap((one) => ('execution' in one ? [one.execution] : []));
    const ends = [...(await parts.keys.executeAll(executed))];
    const answers = begun.map((one): Rendered => {
      if ('answer' in one) return one.answer;
      const end = ends.shift();
      return end?.status === 'fulfilled' ? end.value : refused(end?.reason);
    });
    app.webhooks.wake();
    app.mail.wake();
    return reply
      .code(207)
      .headers({ 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' })
      .send(bodyOf(answers));
  };
};

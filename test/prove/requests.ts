/**
 * Random requests for every route, generated from the route table: bodies are arbitrary, or valid with one place spoiled;
 * queries use the route's own names with any value. test/service/fuzz.long.test.ts is the short form, in `npm run test:all`;
 * `npm run prove` runs the long one.
 */
import fc from 'fast-check';
import { z } from 'zod';
import type { Endpoint } from '../../src/contract/rest/protocol/endpoint.ts';
import { errorBody } from '../../src/contract/rest/protocol/errors.ts';
import { exampleOf } from '../../src/service/http/openapi/examples.ts';
import { anything, bodies } from './bodies.ts';
import { anyCharacter } from '../support/any-character.ts';
import type { Answer, Client } from '../support/service.ts';

const STATUSES = [200, 201, 204, 207, 304, 400, 403, 404, 410, 412, 413, 415, 422];

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;

/** The paths of all places in a value. */
const placesIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))]
    : [path];

/** The same value with the part at `path` replaced. */
const spoil = (value: unknown, path: readonly string[], by: unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? spoil(one, rest, by) : (one as unknown)));
  const object = value as Json;
  return { ...object, [key]: spoil(object[key], rest, by) };
};

const bodiesOf = (spec: Endpoint): fc.Arbitrary<unknown> => {
  if (spec.body.def.type === 'undefined') return bodies;
  const example = exampleOf(schemaOf(spec.body));
  const spoiled = fc
    .tuple(fc.constantFrom(...placesIn(example)), anything)
    .map(([path, by]) => spoil(example, path, by));
  return fc.oneof(
    { weight: 2, arbitrary: bodies },
    { weight: 1, arbitrary: fc.constant(example) },
    { weight: 4, arbitrary: spoiled },
  );
};

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const ids = fc.oneof(
  fc.integer({ min: 1, max: 270 }).map(String),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }).map(encoded),
);

const queriesOf = (spec: Endpoint): fc.Arbitrary<string> => {
  const { properties = {} } = schemaOf(spec.query) as { readonly properties?: Json };
  const names = ['page', 'filters[query]', 'filters[created_at]', 'x', ...Object.keys(properties)];
  const pair = fc.tuple(
    fc.constantFrom(...names),
    fc.oneof(fc.integer().map(String), fc.string({ unit: anyCharacter, maxLength: 20 })),
  );
  return fc
    .array(pair, { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'));
};

const withoutTrigger = (body: unknown): unknown => {
  const { trigger } = (body ?? {}) as { readonly trigger?: unknown };
  return typeof trigger === 'object' && trigger !== null
    ? { ...(body as Json), trigger: { ...trigger, event_type: 'never' } }
    : body;
};

export interface FuzzRequest {
  readonly path: string;
  readonly body: unknown;
  readonly key: string | null;
}

/** Requests to one endpoint in the company and project of `client`. */
export const requestsTo = (spec: Endpoint, client: Client): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      id: ids,
      second: ids,
      query: fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: queriesOf(spec) },
      ),
      body: bodiesOf(spec),
      keyed: fc.boolean(),
    })
    .map(({ id, second, query, body, keyed }) => {
      const path = spec.path
        .replace('{project_id}', String(client.project_id))
        .replace('{company_id}', String(client.company_id))
        .replace(/\{(attachment_id|vendor_id)\}/, () => second)
        .replace(/\{\w+\}/g, () => id);
      const key = keyed && spec.method !== 'GET' ? second.slice(0, 255) : null;
      // Never a valid trigger: a proof must not make the service send to invented addresses.
      const harmless = spec.path.endsWith('/triggers') ? withoutTrigger(body) : body;
      return { path: query === '' ? path : `${path}?${query}`, body: harmless, key };
    });

/** Sends it. Returns what is wrong with the response; null if nothing. */
export const judge = async (
  spec: Endpoint,
  client: Client,
  { path, body, key }: FuzzRequest,
): Promise<{ readonly answer: Answer; readonly wrong: string | null }> => {
  const answer = await client.ask(spec.method, path, {
    ...(spec.method === 'GET' ? {} : { body }),
    headers: key === null ? {} : { 'idempotency-key': key },
  });
  const at = `${spec.method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (!STATUSES.includes(answer.status)) return { answer, wrong: `not a status to expect: ${at}` };
  if (answer.status === 204 || answer.status === 304) return { answer, wrong: null };
  if (answer.status === 207) {
    const operations: unknown = answer.json?.operations;
    const statuses = Array.isArray(operations)
      ? operations.map(({ status }) => Number(status))
      : [];
    if (!statuses.every((status) => STATUSES.includes(status)))
      return { answer, wrong: `not the status of an operation: ${at}` };
  }
  const shape = answer.status >= 400 ? errorBody : spec.reply;
  const { error } = shape.safeParse(answer.json);
  return { answer, wrong: error ? `not the shape: ${at} ${error.message}` : null };
};

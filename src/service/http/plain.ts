/**
 * What of the contract is served. With `--plain` nothing of ours exists: what carries our mark is left out here, in one
 * place, and everything behind works as always. Endpoints by `extension`; fields by `.meta(ours)`, read from the
 * schemas; headers by name. So the app is tested against the API of the reference and nothing more.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { anyEndpoint, endpointNames, type EndpointName } from '../../contract/rest/index.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Surface {
  readonly plain: boolean;
  readonly names: readonly EndpointName[];
  /** A request's headers as far as they count. */
  headers(given: IncomingHttpHeaders): IncomingHttpHeaders;
  /** A request's body as far as it counts. */
  body(name: EndpointName, value: unknown): unknown;
  /** An answer as it goes out. */
  reply(name: EndpointName, value: unknown): unknown;
  document(openapi: Json): Json;
}

/** Lower case: requests and answers of the extension alone (decisions §1.5, §1.7, §9.4). */
const HEADERS: ReadonlySet<string> = new Set([
  'idempotency-key',
  'idempotency-token',
  'if-match',
  'if-none-match',
  'etag',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isOurs = (schema: unknown): boolean => isObject(schema) && schema['x-extension'] === true;

/** Of the document: the schemas that have a name. */
const COMPONENT = '#/components/schemas/';
const named = (schema: Json, components: Json): unknown => {
  const { $ref } = schema;
  return typeof $ref === 'string' ? components[$ref.slice(COMPONENT.length)] : schema;
};

/** A value without the fields that its JSON Schema marks as ours. */
const withoutOurs = (given: unknown, value: unknown, components: Json = {}): unknown => {
  const schema = isObject(given) ? named(given, components) : given;
  if (!isObject(schema)) return value;
  const either = listOf(schema['anyOf']);
  if (either.length > 0)
    return either.reduce((left, one) => withoutOurs(one, left, components), value);
  if (Array.isArray(value))
    return value.map((one) => withoutOurs(schema['items'], one, components));
  if (!isObject(value) || !isObject(schema['properties'])) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isOurs(properties[name]))
      .map(([name, one]) => [name, withoutOurs(properties[name], one, components)]),
  );
};

/** A JSON Schema, or anything that holds some, without what is marked as ours. */
const schemaWithoutOurs = (value: unknown, components: Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => schemaWithoutOurs(one, components));
  if (!isObject(value)) return value;
  const gone = isObject(value['properties'])
    ? Object.entries(value['properties']).flatMap(([name, one]) => (isOurs(one) ? [name] : []))
    : [];
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (gone.length > 0 && key === 'required')
        return [key, listOf(one).filter((name) => !gone.includes(String(name)))];
      if (gone.length > 0 && key === 'properties' && isObject(one))
        return [
          key,
          schemaWithoutOurs(
            Object.fromEntries(Object.entries(one).filter(([name]) => !gone.includes(name))),
            components,
          ),
        ];
      // An example shows what its schema has.
      if (key === 'example' && isObject(value['schema']))
        return [key, withoutOurs(value['schema'], one, components)];
      return [key, schemaWithoutOurs(one, components)];
    }),
  );
};

const isOurHeader = (parameter: unknown): boolean =>
  isObject(parameter) &&
  parameter['in'] === 'header' &&
  HEADERS.has(String(parameter['name']).toLowerCase());

const plainResponse = (response: unknown): unknown =>
  !isObject(response) || !isObject(response['headers'])
    ? response
    : {
        ...response,
        headers: Object.fromEntries(
          Object.entries(response['headers']).filter(([name]) => !HEADERS.has(name.toLowerCase())),
        ),
      };

const plainOperation = (operation: Json): Json => ({
  ...operation,
  parameters: listOf(operation['parameters']).filter((one) => !isOurHeader(one)),
  responses: Object.fromEntries(
    Object.entries(isObject(operation['responses']) ? operation['responses'] : {})
      .filter(([status]) => status !== '412' && status !== '304')
      .map(([status, response]) => [status, plainResponse(response)]),
  ),
});

/** The schemas that something else of the document leads to. */
const usedSchemas = (paths: unknown, schemas: Json): Json => {
  const used = new Map<string, unknown>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (used.has(name)) continue;
      used.set(name, schemas[name]);
      follow(schemas[name]);
    }
  };
  follow(paths);
  return Object.fromEntries(used);
};

/** By address or, of `webhooks`, by name. */
const plainOperations = (given: unknown) =>
  Object.entries(isObject(given) ? given : {}).flatMap(([path, operations]) => {
    const kept = Object.entries(isObject(operations) ? operations : {}).flatMap(
      ([method, operation]) =>
        isObject(operation) && !listOf(operation['tags']).includes('extension')
          ? [[method, plainOperation(operation)] as const]
          : [],
    );
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : [];
  });

const plainDocument = (openapi: Json): Json => {
  const paths = plainOperations(openapi['paths']);
  const used = new Set(
    paths.flatMap(([, operations]) => Object.values(operations).flatMap((one) => one['tags'])),
  );
  const components = isObject(openapi['components']) ? openapi['components'] : {};
  const schemas = isObject(components['schemas']) ? components['schemas'] : {};
  const document = schemaWithoutOurs(
    {
      ...openapi,
      info: {
        ...(isObject(openapi['info']) ? openapi['info'] : {}),
        title: 'Spotter (plain)',
        description: 'The API of the reference.',
      },
      tags: listOf(openapi['tags']).filter((tag) => isObject(tag) && used.has(tag['name'])),
      paths: Object.fromEntries(paths),
      webhooks: Object.fromEntries(plainOperations(openapi['webhooks'])),
      components,
    },
    schemas,
  ) as Readonly<Record<'paths' | 'webhooks', unknown>> & {
    readonly components: Json & { readonly schemas: Json };
  };
  const kept = usedSchemas([document.paths, document.webhooks], document.components.schemas);
  return { ...document, components: { ...document.components, schemas: kept } };
};

const schemasOf = (part: 'body' | 'reply') => {
  const made = new Map<EndpointName, unknown>();
  return (name: EndpointName): unknown => {
    if (!made.has(name)) {
      const schema = anyEndpoint(name)[part];
      const io = part === 'body' ? 'input' : 'output';
      made.set(name, z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
    }
    return made.get(name);
  };
};

const whole: Surface = {
  plain: false,
  names: endpointNames,
  headers: (given) => given,
  body: (_name, value) => value,
  reply: (_name, value) => value,
  document: (openapi) => openapi,
};

const plain = (): Surface => {
  const bodies = schemasOf('body');
  const replies = schemasOf('reply');
  return {
    plain: true,
    names: endpointNames.filter((name) => !anyEndpoint(name).extension),
    headers: (given) =>
      Object.fromEntries(Object.entries(given).filter(([name]) => !HEADERS.has(name))),
    body: (name, value) => withoutOurs(bodies(name), value),
    reply: (name, value) => withoutOurs(replies(name), value),
    document: plainDocument,
  };
};

/** What this service serves: everything, or what the reference has (`--plain`). */
export const surfaceOf = (only: boolean): Surface => (only ? plain() : whole);

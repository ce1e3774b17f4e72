/**
 * Reference mode (`--plain`): serves only the API of the reference, so that the app can be tested against it. This file strips
 * our extensions in one place and the code behind it is unaware. It drops endpoints by `extension`, fields by `.meta(ours)` in
 * the schemas, headers by name, and query parameters by `referenceQuery`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { anyEndpoint, endpointNames, type EndpointName } from '../../contract/rest/index.ts';
import type { Endpoint } from '../../contract/rest/protocol/endpoint.ts';
import { schemaOf } from './openapi/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Surface {
  readonly plain: boolean;
  readonly names: readonly EndpointName[];
  /** The request headers that this surface accepts. */
  headers(given: IncomingHttpHeaders): IncomingHttpHeaders;
  /** The schema of the query parameters that this surface accepts. */
  query(spec: Endpoint): z.ZodType;
  /** The request body with the fields that this surface accepts. */
  body(name: EndpointName, value: unknown): unknown;
  /** The response as this surface sends it. */
  reply(name: EndpointName, value: unknown): unknown;
  document(openapi: Json): Json;
}

/** Headers of the extension only, in lower case (decisions §1.5, §1.7, §9.4). */
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

/** Resolves a `$ref` to a named schema of the document. */
const COMPONENT = '#/components/schemas/';
const named = (schema: Json, components: Json): unknown => {
  const { $ref } = schema;
  return typeof $ref === 'string' ? components[$ref.slice(COMPONENT.length)] : schema;
};

/** Removes the fields that the JSON Schema marks as extensions from a value. */
const withoutOurs = (given: unknown, value: unknown, components: Json = {}): unknown => {
  const schema = isObject(given) ? named(given, components) : given;
  if (!isObject(schema)) return value;
  const either = listOf(schema['anyOf']);
  if (either.length > 0)
    return either.reduce((left, one) => withoutOurs(one, left, components), value);
  if (Array.isArray(value))
    return value.map((one) => withoutOurs(schema['items'], one, components));
  if (!isObject(value)) return value;
  const { properties, additionalProperties: others } = schema;
  if (!isObject(properties))
    return isObject(others)
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, withoutOurs(others, one, components)]),
        )
      : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isOurs(properties[name]))
      .map(([name, one]) => [name, withoutOurs(properties[name], one, components)]),
  );
};

/** Removes the extensions from a JSON Schema, or from any value that contains schemas. */
const schemaWithoutOurs = (value: unknown, components: Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => schemaWithoutOurs(one, components));
  if (!isObject(value)) return value;
  // Rows of a list that may be of another shape in our answers.
  const [only, ...others] = listOf(value['anyOf']).filter(
    (one) => !isObject(one) || !isOurs(named(one, components)),
  );
  if (listOf(value['anyOf']).length > 1 && others.length === 0)
    return schemaWithoutOurs(only, components);
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
      // An example must match its stripped schema.
      if (key === 'example' && isObject(value['schema']))
        return [key, withoutOurs(value['schema'], one, components)];
      return [key, schemaWithoutOurs(one, components)];
    }),
  );
};

/** A query parameter, or some of its values, may be an extension. */
const plainParameter = (parameter: unknown): unknown => {
  if (!isObject(parameter) || !isObject(parameter['schema'])) return parameter;
  const { 'x-extension-values': ours, ...schema } = parameter['schema'];
  const values = listOf(schema['enum']).filter((one) => !listOf(ours).includes(one));
  return { ...parameter, schema: 'enum' in schema ? { ...schema, enum: values } : schema };
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

const plainOperation = ({ 'x-permission': _, ...operation }: Json): Json => ({
  ...operation,
  parameters: listOf(operation['parameters'])
    .filter((one) => !isOurHeader(one) && !isOurs(one))
    .map(plainParameter),
  responses: Object.fromEntries(
    Object.entries(isObject(operation['responses']) ? operation['responses'] : {})
      .filter(([status]) => status !== '412' && status !== '304')
      .map(([status, response]) => [status, plainResponse(response)]),
  ),
});

/** The schemas that the rest of the document references, directly or not. */
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

/** Operations by path, or by name for `webhooks`. */
const plainOperations = (given: unknown) =>
  Object.entries(isObject(given) ? given : {}).flatMap(([path, operations]) => {
    const kept = Object.entries(isObject(operations) ? operations : {}).flatMap(
      ([method, operation]) =>
        isObject(operation) && !isOurs(operation)
          ? [[method, plainOperation(operation)] as const]
          : [],
    );
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : [];
  });

const withoutOurSchemes = (schemes: unknown): Json =>
  Object.fromEntries(
    Object.entries(isObject(schemes) ? schemes : {}).filter(([, scheme]) => !isOurs(scheme)),
  );

const plainDocument = (openapi: Json): Json => {
  const paths = plainOperations(openapi['paths']);
  const used = new Set(
    paths.flatMap(([, operations]) => Object.values(operations).flatMap((one) => one['tags'])),
  );
  const components = isObject(openapi['components']) ? openapi['components'] : {};
  const schemas = isObject(components['schemas']) ? components['schemas'] : {};
  const securitySchemes = withoutOurSchemes(components['securitySchemes']);
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
      security: listOf(openapi['security']).filter(
        (one) => isObject(one) && Object.keys(one).every((name) => name in securitySchemes),
      ),
      components: { ...components, securitySchemes },
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
      made.set(name, schemaOf(schema, io, false));
    }
    return made.get(name);
  };
};

const whole: Surface = {
  plain: false,
  names: endpointNames,
  headers: (given) => given,
  query: (spec) => spec.query,
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
    query: (spec) => spec.referenceQuery ?? spec.query,
    body: (name, value) => withoutOurs(bodies(name), value),
    reply: (name, value) => withoutOurs(replies(name), value),
    document: plainDocument,
  };
};

/** The surface of this service: everything, or only the reference (`--plain`). */
export const surfaceOf = (only: boolean): Surface => (only ? plain() : whole);

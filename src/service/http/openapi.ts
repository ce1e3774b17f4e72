/**
 * OpenAPI 3.1 from the schemas that validate (decisions §10): nothing is described twice. Additions of ours are tagged
 * `extension`.
 */
import { z } from 'zod';
import type { Endpoint } from '../../contract/rest/endpoint.ts';
import { anyEndpoint, endpointNames } from '../../contract/rest/index.ts';
import { webhookNotification } from '../../contract/rest/webhooks.ts';
import { components } from './components.ts';
import { exampleOf } from './examples.ts';
import { introduction, tagWords } from './openapi-words.ts';

type Json = Readonly<Record<string, unknown>>;

const nameOf = new Map([...components].map(([name, { schema, io }]) => [schema, { name, io }]));

/** @param named schemas that have a name stand as a reference to it, but not this one itself */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', named = true): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const known = nameOf.get(zodSchema as unknown as z.ZodType);
      if (!named || known?.io !== io || path.length === 0) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.$ref = `#/components/schemas/${known.name}`;
    },
  });
  return rest;
};

/** By its name where it has one. */
const placed = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const known = nameOf.get(schema);
  return known?.io === io ? { $ref: `#/components/schemas/${known.name}` } : schemaOf(schema, io);
};

const withExample = (schema: z.ZodType, io: 'input' | 'output'): Json => ({
  schema: placed(schema, io),
  example: exampleOf(schemaOf(schema, io, false)),
});

const integer = { type: 'integer', minimum: 1 } as const;

/** An id that the service reads as a number is one to a reader too; a v2.0 path takes its ids as texts. */
const pathParameters = (spec: Endpoint): Json[] => {
  const { properties = {} } = schemaOf(spec.params, 'output') as {
    properties?: Readonly<Record<string, Json>>;
  };
  return [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name]?.['type'] === 'string' ? { type: 'string' } : integer,
  }));
};

/** What a text of the query stands for (contract/rest/described.ts), and what it is where nobody says. */
const valueOf = (schema: Json): Json => {
  const { 'x-query': shape } = schema;
  return typeof shape === 'object' && shape !== null ? { ...shape } : schema;
};

interface Fields {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** One parameter for each value: `filters` is no value, each of its fields is one, `filters[created_at]`. */
const queryParameters = (query: z.ZodType): Json[] => {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as Fields;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inside = (schema as Fields).properties;
    if (inside)
      return Object.entries(inside).map(([field, one]) => ({
        name: `${name}[${field}]`,
        in: 'query',
        required: false,
        schema: valueOf(one),
      }));
    return [{ name, in: 'query', required: required.includes(name), schema: valueOf(schema) }];
  });
};

const headerParameters = (spec: Endpoint): Json[] => [
  { name: 'Service-Company-Id', in: 'header', required: true, schema: integer },
  ...(spec.method === 'GET'
    ? spec.cacheable
      ? [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }]
      : []
    : [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Extension: the same key and body are carried out once.',
          schema: { type: 'string', maxLength: 255 },
        },
        ...(spec.method === 'POST'
          ? []
          : [
              {
                name: 'If-Match',
                in: 'header',
                description: 'Extension: 412 when the record has another ETag.',
                schema: { type: 'string' },
              },
            ]),
      ]),
];

const header = (type: 'integer' | 'string', required = true): Json => ({
  required,
  schema: { type },
});

/** Decisions §1.7: show and update answers carry one, and lists that are not very long. */
const TAGGED = /\.(show|update|restore)$/;

const successHeaders = (name: string, spec: Endpoint): Json => ({
  ...(TAGGED.test(name) || spec.cacheable ? { ETag: header('string', TAGGED.test(name)) } : {}),
  ...(spec.paging === 'none' ? {} : { 'Per-Page': header('integer'), Total: header('integer') }),
  ...(spec.paging === 'link' ? { Link: header('string', false) } : {}),
});

const errors: Readonly<Record<string, string>> = {
  400: 'The request could not be read, or Service-Company-Id is missing',
  401: 'No valid token',
  403: 'Not your company',
  404: 'Not found, or not yours to see',
  422: 'A field is not valid: messages by dotted field name',
};

const errorResponses = (spec: Endpoint): Json => {
  const more: Record<string, string> = { ...errors };
  if (spec.method !== 'GET') {
    more['412'] = 'If-Match names another version';
    more['413'] = 'The body is too large';
    more['415'] = 'The body is not JSON';
  }
  if (spec.path.includes('/uploads')) more['410'] = 'The upload was deleted';
  more['default'] = 'Any other refusal: 405, 429 where a rate limit is set, 5xx';
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(more).map(([status, description]) => [status, { description, content }]),
  );
};

const operation = (name: string, spec: Endpoint): Json => ({
  operationId: name,
  summary: spec.summary,
  tags: [spec.tag, ...(spec.extension ? ['extension'] : [])],
  security: [{ token: [] }],
  parameters: [...pathParameters(spec), ...queryParameters(spec.query), ...headerParameters(spec)],
  ...(spec.body.def.type === 'undefined'
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': withExample(spec.body, 'input') },
        },
      }),
  responses: {
    [String(spec.status)]: {
      description: 'Done',
      headers: successHeaders(name, spec),
      ...(spec.status === 204
        ? {}
        : { content: { 'application/json': withExample(spec.reply, 'output') } }),
    },
    ...(spec.cacheable ? { 304: { description: 'Not changed since If-None-Match' } } : {}),
    ...errorResponses(spec),
  },
});

/** The body is the reference's to leave open: decisions §9.4. Its headers are those of Standard Webhooks. */
const notification = (): Json => ({
  post: {
    operationId: 'webhook_notification',
    summary: 'What a hook is told: what happened to which record, never the record itself',
    description:
      'Answer any 2xx within 5 seconds. Anything else, a redirect too, is tried again, with the same `webhook-id`.',
    tags: ['Webhooks'],
    // The receiver's address takes no token of ours: the signature proves the sender.
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      description: 'Extension: Standard Webhooks, by the `signing_secret` of the hook.',
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': withExample(webhookNotification, 'output') },
    },
    responses: { '2XX': { description: 'Heard' } },
  },
});

/** The whole document. */
export const openApiDocument = (): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of endpointNames) {
    const spec = anyEndpoint(name);
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(name, spec);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spotter',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpointNames.map((name) => anyEndpoint(name).tag)), 'extension'].map(
      (name) => ({ name, description: tagWords[name] ?? name }),
    ),
    paths,
    webhooks: { notification: notification() },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        [...components].map(([name, { schema, io }]) => [name, schemaOf(schema, io)]),
      ),
    },
  };
};

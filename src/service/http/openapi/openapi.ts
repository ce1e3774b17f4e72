/**
 * Builds the OpenAPI 3.1 document from the schemas that validate requests (decisions §10), so nothing is described twice. Our
 * additions are marked `x-extension`.
 */
import { z } from 'zod';
import { answerOf } from '../../../contract/rest/protocol/answered.ts';
import { ours, type Endpoint } from '../../../contract/rest/protocol/endpoint.ts';
import { permissionOf } from '../../../contract/rest/access/permissions.ts';
import { anyEndpoint, endpointNames, type EndpointName } from '../../../contract/rest/index.ts';
import { webhookNotification } from '../../../contract/rest/webhooks.ts';
import { components } from './components.ts';
import { exampleOf } from './examples.ts';
import { accountWords, introduction, pathWords, queryWords, tagWords } from './openapi-words.ts';

type Json = Readonly<Record<string, unknown>>;

interface JsonObject {
  properties?: Readonly<Record<string, Json>>;
  required?: readonly string[];
}

const nameOf = new Map([...components].map(([name, { schema, io }]) => [schema, { name, io }]));

/** Replaces fields that the app reads tolerantly with the schema of what the service sends. */
const showAnswers = (object: z.ZodObject, shown: JsonObject, named: boolean): void => {
  for (const [name, field] of Object.entries(object.shape as Record<string, z.ZodType>)) {
    const answer = answerOf(field);
    if (!answer) continue;
    const schema = named ? placed(answer, 'output') : schemaOf(answer, 'output', false);
    shown.properties = {
      ...shown.properties,
      [name]: { ...schema, ...z.globalRegistry.get(field) },
    };
    const others = (shown.required ?? []).filter((one) => one !== name);
    shown.required = answer instanceof z.ZodOptional ? others : [...others, name];
  }
};

/** @param named replaces every named schema inside this one with a reference */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output', named = true): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      if (io === 'output' && zodSchema instanceof z.ZodObject)
        showAnswers(zodSchema, jsonSchema as JsonObject, named);
      const known = nameOf.get(zodSchema as unknown as z.ZodType);
      if (!named || known?.io !== io || path.length === 0) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.$ref = `#/components/schemas/${known.name}`;
    },
  });
  return rest;
};

/** A reference if the schema has a name, else the schema itself. */
const placed = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const known = nameOf.get(schema);
  return known?.io === io ? { $ref: `#/components/schemas/${known.name}` } : schemaOf(schema, io);
};

const withExample = (schema: z.ZodType, io: 'input' | 'output'): Json => ({
  schema: placed(schema, io),
  example: exampleOf(schemaOf(schema, io, false)),
});

const integer = { type: 'integer', minimum: 1 } as const;

/** Ids that the service parses as numbers are documented as integers; a v2.0 path takes its ids as strings. */
const pathParameters = (spec: Endpoint): Json[] => {
  const { properties = {} } = schemaOf(spec.params, 'output') as {
    properties?: Readonly<Record<string, Json>>;
  };
  return [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathWords[name] ?? 'The record’s id',
    schema: properties[name]?.['type'] === 'string' ? { type: 'string' } : integer,
  }));
};

/** The documented type of a query value (contract/rest/protocol/described.ts); the schema itself if it has none. */
const valueOf = (schema: Json): Json => {
  const { 'x-query': shape, 'x-extension': _, ...rest } = schema;
  return typeof shape === 'object' && shape !== null ? { ...shape } : rest;
};

/** An extension among query parameters is marked on the parameter. */
const ourMark = (schema: Json): Json => (schema['x-extension'] === true ? ours : {});

interface Fields {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** One parameter per value. An object such as `filters` becomes one parameter per field: `filters[created_at]`. */
const queryParameters = (query: z.ZodType): Json[] => {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as Fields;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inside = (schema as Fields).properties;
    if (inside)
      return Object.entries(inside).map(([field, one]) => ({
        name: `${name}[${field}]`,
        in: 'query',
        required: false,
        description: queryWords[field] ?? 'Records that have one of these ids',
        ...ourMark(one),
        schema: valueOf(one),
      }));
    return [
      {
        name,
        in: 'query',
        required: required.includes(name),
        description: queryWords[name] ?? name,
        ...ourMark(schema),
        schema: valueOf(schema),
      },
    ];
  });
};

const headerParameters = (spec: Endpoint): Json[] =>
  spec.needsToken ? [companyParameter(spec), ...stateParameters(spec)] : [];

const companyParameter = (spec: Endpoint): Json => ({
  name: 'Service-Company-Id',
  in: 'header',
  required: spec.needsCompany,
  description: spec.needsCompany
    ? 'The company in which the request acts: one that the token’s user belongs to'
    : 'May be left out; one that is sent is checked',
  schema: integer,
});

const stateParameters = (spec: Endpoint): Json[] => [
  ...(spec.method === 'GET'
    ? spec.cacheable
      ? [
          {
            name: 'If-None-Match',
            in: 'header',
            description: 'Extension: 304 when the answer still has this ETag.',
            schema: { type: 'string' },
          },
        ]
      : []
    : spec.status === 207
      ? []
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

/** Decisions §1.7: responses of show and update carry an ETag, and so do lists that are not very long. */
const TAGGED = /\.(show|update|restore)$/;

const successHeaders = (name: string, spec: Endpoint): Json => ({
  ...(TAGGED.test(name) || spec.cacheable ? { ETag: header('string', TAGGED.test(name)) } : {}),
  ...(spec.paging === 'none' ? {} : { 'Per-Page': header('integer'), Total: header('integer') }),
  ...(spec.paging === 'link' ? { Link: header('string', false) } : {}),
});

const errors: Readonly<Record<string, string>> = {
  400: 'The request could not be read, or Service-Company-Id is missing',
  401: 'No valid token',
  403: 'Not your company, or not allowed to you',
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

const operation = (name: EndpointName, spec: Endpoint): Json => ({
  operationId: name,
  summary: spec.summary,
  tags: [spec.tag],
  ...(spec.extension ? { ...ours, 'x-badges': [{ name: 'extension' }] } : {}),
  'x-permission': permissionOf(name),
  ...(spec.needsToken ? {} : { security: [] }),
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
        : {
            content: {
              'application/json': withExample(answerOf(spec.reply) ?? spec.reply, 'output'),
            },
          }),
    },
    ...(spec.cacheable ? { 304: { description: 'Not changed since If-None-Match' } } : {}),
    ...errorResponses(spec),
  },
});

/** The reference leaves the body open: decisions §9.4. The headers are those of Standard Webhooks. */
const notification = (): Json => ({
  post: {
    operationId: 'webhook_notification',
    summary: 'What a hook is told: what happened to which record, never the record itself',
    description:
      'Answer any 2xx within 5 seconds. Anything else, a redirect too, is tried again, with the same `webhook-id`. `api_version` is a label: the body has this one shape.',
    tags: ['Webhooks'],
    // No bearer token is sent to the receiver: the signature proves the sender.
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
    // Either of the two: both are sent as a bearer.
    security: [{ token: [] }, { service_account: [] }],
    tags: [...new Set(endpointNames.map((name) => anyEndpoint(name).tag))].map((name) => ({
      name,
      description: tagWords[name] ?? name,
    })),
    paths,
    webhooks: { notification: notification() },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        service_account: {
          type: 'oauth2',
          ...ours,
          description: accountWords,
          flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } },
        },
      },
      schemas: Object.fromEntries(
        [...components].map(([name, { schema, io }]) => [name, schemaOf(schema, io)]),
      ),
    },
  };
};

/**
 * OpenAPI 3.1 from the schemas that validate (decisions §10): nothing is described twice. Additions of ours are tagged
 * `extension`.
 */
import { z } from 'zod';
import type { Endpoint } from '../../contract/rest/endpoint.ts';
import { errorBody } from '../../contract/rest/errors.ts';
import { endpointNames, endpoints } from '../../contract/rest/index.ts';
import { exampleOf } from './examples.ts';

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  });
  return rest;
};

const withExample = (schema: Json): Json => ({ schema, example: exampleOf(schema) });

const integer = { type: 'integer', minimum: 1 } as const;

/** On the wire every parameter is text; the ids and page numbers among them are integers to a reader. */
const isInteger = (name: string): boolean => /(^|_)id$|^page$|^per_page$/.test(name);

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

const queryParameters = (query: z.ZodType): Json[] => {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: isInteger(name) ? integer : schema,
    ...(name === 'filters' ? { style: 'deepObject', explode: true } : {}),
  }));
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

const header = (type: 'integer' | 'string'): Json => ({ schema: { type } });

/** Decisions §1.7: show and update answers carry one. */
const TAGGED = /\.(show|update|restore)$/;

const successHeaders = (name: string, spec: Endpoint): Json => ({
  ...(TAGGED.test(name) || spec.cacheable ? { ETag: header('string') } : {}),
  ...(spec.paging === 'none' ? {} : { 'Per-Page': header('integer'), Total: header('integer') }),
  ...(spec.paging === 'link' ? { Link: header('string') } : {}),
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
          content: { 'application/json': withExample(schemaOf(spec.body, 'input')) },
        },
      }),
  responses: {
    [String(spec.status)]: {
      description: 'Done',
      headers: successHeaders(name, spec),
      ...(spec.status === 204
        ? {}
        : { content: { 'application/json': withExample(schemaOf(spec.reply, 'output')) } }),
    },
    ...(spec.cacheable ? { 304: { description: 'Not changed since If-None-Match' } } : {}),
    ...errorResponses(spec),
  },
});

/** The whole document. */
export const openApiDocument = (): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of endpointNames) {
    const spec: Endpoint = endpoints[name];
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(name, spec);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spotter',
      version: '1.0.0',
      description:
        'Near misses, incidents and uploads of construction projects. Operations tagged `extension` are additions to the reference.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpointNames.map((name) => endpoints[name].tag)), 'extension'].map(
      (name) => ({ name }),
    ),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  };
};

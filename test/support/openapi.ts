/**
 * Checks every response that a test receives against the OpenAPI document of `/openapi.json`. An operation, status, body or
 * header that the document does not describe fails the test. Paths that are not operations (files, health, pages) are ignored.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/service/http/openapi/openapi.ts';
import { surfaceOf } from '../../src/service/http/plain.ts';

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required: boolean }>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A received response. `url` may carry a query. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks responses against one document. The returned function throws if a response does not match it. */
const checkerOf = (openapi: object): ((got: Received) => void) => {
  const document = openapi as { readonly paths: Paths; readonly components: object };
  // Each validator reads only a few bodies, so optimising its code costs more than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'spotter', components: document.components });

  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    literal: !path.endsWith('}'),
    operations,
  }));

  /** Keyed by the schema's content, because most operations share the schemas of their refusals. */
  const validators = new Map<string, ValidateFunction>();
  const made = new WeakMap<object, ValidateFunction>();
  const validatorFor = (schema: object): ValidateFunction => {
    const ready = made.get(schema);
    if (ready) return ready;
    const text = JSON.stringify(schema).replaceAll('"#/', '"spotter#/');
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
    validators.set(text, validator);
    made.set(schema, validator);
    return validator;
  };

  const operationFor = (method: string, path: string): Operation | undefined => {
    const found = routes
      .filter(({ pattern, operations }) => pattern.test(path) && operations[method])
      .sort((a, b) => Number(b.literal) - Number(a.literal));
    return found[0]?.operations[method];
  };

  const checkBody = (operation: Operation, described: Response, got: Received): void => {
    const schema = described.content?.['application/json']?.schema;
    const where = `${operation.operationId} answered ${got.status}`;
    if (!schema) {
      if (got.text !== '') throw new Error(`${where} with a body that OpenAPI does not describe`);
      return;
    }
    const validate = validatorFor(schema);
    let body: unknown;
    try {
      body = JSON.parse(got.text);
    } catch {
      throw new Error(`${where} with no JSON: ${got.text.slice(0, 200)}`);
    }
    if (!validate(body))
      throw new Error(
        `${where}: not as OpenAPI says: ${ajv.errorsText(validate.errors)} in ${got.text.slice(0, 300)}`,
      );
  };

  const check = (got: Received): void => {
    const method = got.method.toLowerCase();
    const path = new URL(got.url).pathname;
    const operation = operationFor(method, path);
    if (!operation) {
      if (got.status < 400 && path.startsWith('/rest/') && method !== 'head')
        throw new Error(`${got.method} ${path} answered ${got.status} and is not in OpenAPI`);
      return;
    }
    const status = operation.responses[String(got.status)] ? String(got.status) : 'default';
    const described = operation.responses[status];
    if (!described || (status === 'default' && got.status < 400))
      throw new Error(
        `${operation.operationId} answered ${got.status}, which OpenAPI does not name`,
      );
    for (const [name, { required }] of Object.entries(described.headers ?? {}))
      if (required && !got.headers.has(name))
        throw new Error(`${operation.operationId} answered without ${name}, which OpenAPI names`);
    checkBody(operation, described, got);
  };

  return check;
};

export const checkAnswer = checkerOf(openApiDocument());
/** For a service started with `--plain`. */
export const checkPlainAnswer = checkerOf(
  surfaceOf(true).document(openApiDocument() as Record<string, unknown>),
);

/**
 * Holds every answer that a test gets against the OpenAPI document: an operation that is not in it, a status it does not
 * name, a body or header it does not describe fails the test that asked. The document is the one that `/openapi.json`
 * serves; what is no operation of it (files, health, pages) is left alone.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/service/http/openapi.ts';
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

/** What a test received. `url` may carry a query. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks answers against one document. What it answers throws when an answer is not as the document says. */
export const checkerOf = (openapi: object): ((got: Received) => void) => {
  const document = openapi as { readonly paths: Paths; readonly components: object };
  // A validator reads a few bodies: making its code shorter takes longer than that.
  const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'spotter', components: document.components });

  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    literal: !path.endsWith('}'),
    operations,
  }));

  /** By what their schema says: most refusals of most operations say the same. */
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
/** Of a service started with `--plain`. */
export const checkPlainAnswer = checkerOf(
  surfaceOf(true).document(openApiDocument() as Record<string, unknown>),
);

/**
 * Describes one API endpoint as a value. The service mounts it, the host calls it and the OpenAPI page prints it, all from the
 * same schemas. Parameter names come from the path's type, so a misspelt parameter does not compile.
 */
import { z } from 'zod';
import { asQuery } from './described.ts';

/** `/a/{b}/c/{d}` -> 'b' | 'd' */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Paging headers of a list: `link` sends Per-Page, Total and Link; `counts` sends Per-Page and Total only (recycle bin). */
type PagingStyle = 'link' | 'counts' | 'none';

export interface Endpoint<
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  readonly path: Path;
  /** Parses the path's strings. An invalid value is a 404 (decisions §1.2). */
  readonly params: Params;
  /** Parses the decoded query (see query.ts). An invalid value is a 422 on its name. */
  readonly query: Query;
  /** The query without our additions, for the reference mode; null if it is the same. */
  readonly referenceQuery: z.ZodType | null;
  /** `z.undefined()` if the request has no body. */
  readonly body: Body;
  readonly reply: Reply;
  /** Success status. 204 has no body: `reply` is `z.undefined()`. */
  readonly status: 200 | 201 | 204 | 207;
  readonly paging: PagingStyle;
  /** [ours]: an addition to the reference, marked `x-extension` in the OpenAPI document. */
  readonly extension: boolean;
  readonly tag: string;
  readonly summary: string;
  /** True if the response may be a 304 to `If-None-Match`. Every list is cacheable. */
  readonly cacheable: boolean;
  /** The response shows a secret, only once. Code that stores the response must encrypt it. */
  readonly secret: boolean;
  /** True if the response shows a token or a client secret, so that the host never passes it to a window. */
  readonly hostOnly: boolean;
  /** False if the company header may be absent, because the caller does not know a company yet. A read only. */
  readonly needsCompany: boolean;
  /** False if callers have no token yet. */
  readonly needsToken: boolean;
  /** True if the body has a secret that is short enough to be guessed: attempts are limited (decisions §12.5). */
  readonly guessable: boolean;
  /** Name of the body's list that is validated item by item, so one bad item stops no other; null if there is none. */
  readonly items: string | null;
}

/** Requires a schema for every path parameter and forbids any other name. */
type ParamShape<Path extends string> = Record<ParamNames<Path>, z.ZodType>;

interface EndpointInput<Path extends string, Shape, Query, Body, Reply> {
  readonly method: Method;
  readonly path: Path;
  readonly params: Shape;
  readonly query?: Query;
  readonly referenceQuery?: z.ZodType;
  readonly body?: Body;
  readonly reply?: Reply;
  readonly status?: 200 | 201 | 204 | 207;
  readonly paging?: PagingStyle;
  readonly extension?: boolean;
  readonly cacheable?: boolean;
  readonly secret?: boolean;
  readonly hostOnly?: boolean;
  readonly needsCompany?: boolean;
  readonly needsToken?: boolean;
  readonly guessable?: boolean;
  readonly items?: string;
  readonly tag: string;
  readonly summary: string;
}

const none = z.object({});

/** Builds an endpoint. Defaults: no query, no body, status 200 with a reply and 204 without, not paged, not an extension. */
export const endpoint = <
  const Path extends string,
  Shape extends ParamShape<Path> & { [K in Exclude<keyof Shape, ParamNames<Path>>]: never },
  Query extends z.ZodType = typeof none,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodUndefined,
>(
  input: EndpointInput<Path, Shape, Query, Body, Reply>,
): Endpoint<Path, z.ZodObject<Shape>, Query, Body, Reply> => ({
  method: input.method,
  path: input.path,
  params: z.object(input.params) as z.ZodObject<Shape>,
  query: (input.query ?? none) as Query,
  referenceQuery: input.referenceQuery ?? null,
  body: (input.body ?? z.undefined()) as Body,
  reply: (input.reply ?? z.undefined()) as Reply,
  status: input.status ?? (input.reply ? 200 : 204),
  paging: input.paging ?? 'none',
  extension: input.extension ?? false,
  cacheable: input.cacheable ?? (input.method === 'GET' && input.reply instanceof z.ZodArray),
  secret: input.secret ?? false,
  hostOnly: input.hostOnly ?? false,
  needsCompany: input.needsCompany ?? true,
  needsToken: input.needsToken ?? true,
  guessable: input.guessable ?? false,
  items: input.items ?? null,
  tag: input.tag,
  summary: input.summary,
});

/**
 * Marks a field as an extension [ours], for `.meta()`. The OpenAPI page shows the mark; the reference mode of the service omits
 * the field.
 */
export const ours = { 'x-extension': true } as const;

/** The largest id that JSON numbers carry exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** An id in a JSON body or response. */
export const id = z.number().int().positive().max(MAX_ID);

/** An id in a path: `12`, never `012`, `1.0` or `1e3`. An invalid id is a 404 (decisions §1.2). */
export const pathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => value <= MAX_ID);

/** An id in a query, with the syntax of a path. An invalid id is a 422 on its name. */
export const queryId = z
  .string({ error: 'must be one positive integer' })
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .transform(Number)
  .refine((value) => value <= MAX_ID, 'is out of range')
  .meta(asQuery({ type: 'integer', minimum: 1, maximum: MAX_ID }));

/** A timestamp on the wire: RFC 3339 with a zone. */
export const dateTime = z.iso.datetime({ offset: true });

const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A timestamp in a body that is stored. Limited to years 0000 to 9999, because responses print it in UTC with four-digit years.
 */
export const keptMoment = dateTime.refine(
  (text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST),
  'must be a date and time of the years 0000 to 9999, in UTC',
);

/** `YYYY-MM-DD`. */
export const date = z.iso.date();

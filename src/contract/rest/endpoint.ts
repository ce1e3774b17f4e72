/**
 * One endpoint of the API as a value: the service mounts it, the host calls it, the OpenAPI page prints it, all
 * from the same schemas. The path's parameter names are read from the path's type, so a misspelt one does not compile.
 */
import { z } from 'zod';
import { asQuery } from './described.ts';

/** `/a/{b}/c/{d}` -> 'b' | 'd' */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** How a list is paged: `link` = Per-Page, Total, Link; `counts` = Per-Page and Total only (recycle bin); `none`. */
export type PagingStyle = 'link' | 'counts' | 'none';

export interface Endpoint<
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  readonly path: Path;
  /** Parses the path's strings. A value that does not parse is a 404 (decisions §1.2). */
  readonly params: Params;
  /** Parses the decoded query (see query.ts). A value that does not parse is a 422 on its name. */
  readonly query: Query;
  /** `z.undefined()` where there is none. */
  readonly body: Body;
  readonly reply: Reply;
  /** The success status. 204 has no body: `reply` is `z.undefined()`. */
  readonly status: 200 | 201 | 204;
  readonly paging: PagingStyle;
  /** [ours]: an addition to the reference, tagged `extension` in the OpenAPI document. */
  readonly extension: boolean;
  readonly tag: string;
  readonly summary: string;
  /** May the answer be a 304 to `If-None-Match`? Every list may. */
  readonly cacheable: boolean;
  /** The answer shows a secret, this once: whoever keeps it keeps it sealed. */
  readonly secret: boolean;
  /** The list of the body whose items are judged one by one, so that one bad item stops no other; null where there is none. */
  readonly items: string | null;
}

/** Every parameter of the path has a schema and no other name does. */
type ParamShape<Path extends string> = Record<ParamNames<Path>, z.ZodType>;

interface EndpointInput<Path extends string, Shape, Query, Body, Reply> {
  readonly method: Method;
  readonly path: Path;
  readonly params: Shape;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply?: Reply;
  readonly status?: 200 | 201 | 204;
  readonly paging?: PagingStyle;
  readonly extension?: boolean;
  readonly cacheable?: boolean;
  readonly secret?: boolean;
  readonly items?: string;
  readonly tag: string;
  readonly summary: string;
}

const none = z.object({});

/** Builds an endpoint; whatever is left out gets the plain default (no query, no body, 200, not paged, not ours). */
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
  body: (input.body ?? z.undefined()) as Body,
  reply: (input.reply ?? z.undefined()) as Reply,
  status: input.status ?? (input.reply ? 200 : 204),
  paging: input.paging ?? 'none',
  extension: input.extension ?? false,
  cacheable: input.cacheable ?? (input.method === 'GET' && input.reply instanceof z.ZodArray),
  secret: input.secret ?? false,
  items: input.items ?? null,
  tag: input.tag,
  summary: input.summary,
});

/** The mark of a field that is [ours], for `.meta()`: the OpenAPI page shows it, and a plain service leaves it out. */
export const ours = { 'x-extension': true } as const;

/** The largest id that JSON numbers carry exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** An id in a JSON body or answer: a positive integer. */
export const id = z.number().int().positive().max(MAX_ID);

/** An id in a path: `12`, never `012`, `1.0` or `1e3`. Anything else is a 404 (decisions §1.2). */
export const pathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => value <= MAX_ID);

/** An id in a query: as in a path, but a bad one is a 422 on its name. */
export const queryId = z
  .string({ error: 'must be one positive integer' })
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .transform(Number)
  .refine((value) => value <= MAX_ID, 'is out of range')
  .meta(asQuery({ type: 'integer', minimum: 1, maximum: MAX_ID }));

/** A moment on the wire: RFC 3339 with zone. */
export const dateTime = z.iso.datetime({ offset: true });

const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment of a body that is kept as a moment: answers tell it in UTC, where years have four digits. */
export const keptMoment = dateTime.refine(
  (text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST),
  'must be a date and time of the years 0000 to 9999, in UTC',
);

/** `YYYY-MM-DD`. */
export const date = z.iso.date();

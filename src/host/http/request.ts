/**
 * The only client of the REST API. It turns an endpoint's name and input into a request, and the response into a typed
 * `Result`. It knows a server, a token and a company (`Target`), but no session. Callers cannot choose a URL or a header. Works
 * the same against a server without our extensions.
 */
import { PER_PAGE_DEFAULT } from '../../contract/rest/protocol/paging.ts';
import type { Endpoint } from '../../contract/rest/protocol/endpoint.ts';
import {
  anyEndpoint,
  endpoints,
  type EndpointName,
  type Reply,
  type RequestInput,
} from '../../contract/rest/index.ts';
import { decodeQuery, encodeQuery } from '../../contract/rest/protocol/query.ts';
import { fail, fieldsOf, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { bytesOf, createKeptLists, type KeptLists } from './etag-cache.ts';
import type { LargeReplies } from './parse-in-worker.ts';
import {
  dataOf,
  isOtherRecord,
  judgeData,
  otherRecord,
  pagingOf,
  problemOfAnswer,
  serverTime,
  type Answer,
} from './reply.ts';
import type { Incoming, Outgoing, Transport } from './http-client.ts';

export interface Target {
  /** Origin and base path, without a trailing slash. */
  readonly base: string;
  readonly token: string;
  readonly company_id: number;
}

/** `RequestInput` of any endpoint, as received from a window and not yet validated. */
export interface LooseInput {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotency_key?: string | undefined;
  readonly if_match?: string | undefined;
  readonly if_none_match?: string | undefined;
}

export interface ApiReply {
  readonly status: number;
  readonly data?: unknown;
  readonly paging: Reply<EndpointName>['paging'];
  readonly etag: string | null;
  readonly replayed: boolean;
  readonly server_time: number | null;
}

export interface Api {
  /** For the window: any name and any input. Returns `bad_input` if the contract does not allow them. */
  request(
    target: Target,
    name: string,
    input: LooseInput,
    signal?: AbortSignal,
  ): Promise<Result<ApiReply>>;
  /**
   * Sends many writes in one request (decisions §13). Each gets its own result, as if it had been sent alone; `whole` is the
   * problem of the request, if that got no answer for each.
   */
  batch(target: Target, writes: readonly NamedWrite[]): Promise<BatchAnswer>;
  /** For the host: typed by the endpoint. */
  call<N extends EndpointName>(
    target: Target,
    name: N,
    input: RequestInput<N>,
    signal?: AbortSignal,
  ): Promise<Result<Reply<N>>>;
}

/** A write of a batch. `input` has an `idempotency_key`. */
export interface NamedWrite {
  readonly name: EndpointName;
  readonly input: LooseInput;
}

type BatchAnswer = { readonly results: readonly Result<ApiReply>[] } | RefusedBatch;

export interface RefusedBatch {
  readonly whole: Problem;
  /** Status of the answer; null if none arrived. */
  readonly status: number | null;
}

/** Maximum size of a response, in bytes. A larger one is `too_large`, and rest/protocol/every-page.ts then requests smaller pages. */
const BODY_MAX = 16 * 1024 * 1024;
const ERROR_MAX = 1024 * 1024;
/** Largest response, in bytes, that is parsed on this thread: some ten milliseconds at worst. Larger ones go to a worker. */
const SMALL = 64 * 1024;

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

const badInput = (messages: string[], fields: Record<string, string[]> = {}): Result<never> =>
  fail({ kind: 'bad_input', messages, fields });

/** Fills the parameters into `/a/{b}`. Refuses a parameter that could change the meaning of the path. */
const pathOf = (endpoint: Endpoint, params: LooseInput['params']): Result<string> => {
  const texts = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, String(value)] as const),
  );
  const judged = endpoint.params.safeParse(texts);
  if (!judged.success) return badInput(['path parameters'], fieldsOf(judged.error));
  const dots = Object.entries(texts).find(([, value]) => /^\.{1,2}$/.test(value));
  if (dots) return badInput(['path parameters'], { [dots[0]]: ['must not be dots'] });
  return ok(
    endpoint.path.replace(/\{([^{}]+)\}/g, (_, name: string) =>
      encodeURIComponent(texts[name] ?? ''),
    ),
  );
};

interface Prepared {
  readonly url: string;
  readonly body: string | undefined;
  readonly asked: { readonly page: number; readonly per_page: number };
}

const prepare = (endpoint: Endpoint, base: string, input: LooseInput): Result<Prepared> => {
  const path = pathOf(endpoint, input.params);
  if (!path.ok) return path;
  const query = encodeQuery(input.query ?? {});
  const asked = endpoint.query.safeParse(decodeQuery(query));
  if (!asked.success) return badInput(['query'], fieldsOf(asked.error));
  const body = endpoint.body.safeParse(input.body);
  if (!body.success) return badInput(['body'], fieldsOf(body.error));
  const { page = 1, per_page = PER_PAGE_DEFAULT } = asked.data as {
    page?: number;
    per_page?: number;
  };
  return ok({
    url: `${base}${path.value}${query === '' ? '' : `?${query}`}`,
    body: body.data === undefined ? undefined : JSON.stringify(body.data),
    asked: { page, per_page },
  });
};

const headersOf = (endpoint: Endpoint, target: Target, input: LooseInput, body: boolean) => {
  const headers: Record<string, string> = {
    ...(endpoint.needsToken
      ? {
          authorization: `Bearer ${target.token}`,
          // A new token finds its companies by `/me` without the header (decisions §4.3).
          ...(target.company_id > 0 ? { 'service-company-id': String(target.company_id) } : {}),
        }
      : {}),
    accept: 'application/json',
  };
  if (body) headers['content-type'] = 'application/json';
  if (input.idempotency_key && endpoint.method !== 'GET')
    headers['idempotency-key'] = input.idempotency_key;
  if (input.if_match) headers['if-match'] = input.if_match;
  if (input.if_none_match && endpoint.cacheable) headers['if-none-match'] = input.if_none_match;
  return headers;
};

/** Reads a whole response, enforcing the size limit while reading. */
const readBytes = async (incoming: Incoming, max: number): Promise<Result<Buffer>> => {
  const chunks: Uint8Array[] = [];
  const read = await incoming.read(max, (chunk) => chunks.push(chunk));
  return read.ok ? ok(Buffer.concat(chunks)) : read;
};

const textOf = ({ status, header }: Omit<Answer, 'text'>, bytes: Buffer): Answer => ({
  status,
  header,
  text: bytes.toString('utf8'),
});

export const readAnswer = async (incoming: Incoming, max: number): Promise<Result<Answer>> => {
  const bytes = await readBytes(incoming, max);
  return bytes.ok ? ok(textOf(incoming, bytes.value)) : bytes;
};

/** The longest ETag that a window may send back (`if_match` of contract/host.ts). */
const ETAG_MAX = 200;
/** Returns an ETag that can be sent back. An unusable one is treated as missing. */
const usableEtag = (etag: string | null): string | null =>
  etag !== null && etag.length <= ETAG_MAX && printable.test(etag) ? etag : null;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const UNPRINTABLE = 'a header value holds characters that HTTP does not carry';
const printable = /^[\x20-\x7e]*$/;

/** Response headers stored with a cached list, because a 304 may omit them. */
const LIST_HEADERS = ['content-type', 'per-page', 'total', 'link'];

type KeptList = NonNullable<ReturnType<KeptLists['get']>>;

/** Turns a 304 into the cached response. A 304 has no body, so its content type is ignored. */
const asBefore = ({ etag, headers }: KeptList, { header }: Incoming): Omit<Answer, 'text'> => ({
  status: 200,
  header: (name) => {
    const now = name === 'content-type' ? null : header(name);
    return now ?? headers[name] ?? (name === 'etag' ? etag : null);
  },
});

const keptHeaders = ({ header }: Pick<Answer, 'header'>): Record<string, string> =>
  Object.fromEntries(
    LIST_HEADERS.flatMap((name) => {
      const value = header(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );

/** A request in flight, with everything needed to handle its response. */
interface Asked {
  readonly name: EndpointName;
  readonly prepared: Prepared;
  readonly params: LooseInput['params'];
  /** True if the window sent its own ETag, so that a 304 is passed on to it. */
  readonly conditional: boolean;
  /** Cache key of a list: company, token and URL. Null if the response is not cached. */
  readonly place: string | null;
  /** The cached response to the same request. */
  readonly kept: KeptList | null;
}

type BatchReply = Reply<'batch.send'>['data'];

/** A write as an operation of a batch, in JSON. Its path has no base: the server's address may be below a path of a proxy. */
const operationOf = ({ name, input }: NamedWrite): Result<string> => {
  const endpoint = anyEndpoint(name);
  const prepared = prepare(endpoint, '', input);
  if (!prepared.ok) return prepared;
  if (!printable.test(input.if_match ?? '')) return badInput([UNPRINTABLE]);
  const { url, body } = prepared.value;
  const head = JSON.stringify({
    method: endpoint.method,
    path: url,
    idempotency_key: input.idempotency_key ?? '',
    ...(input.if_match ? { if_match: input.if_match } : {}),
  });
  return ok(body === undefined ? head : `${head.slice(0, -1)},"body":${body}}`);
};

/** The result of one write from its part of the answer. */
const resultOf = (
  { name, input }: NamedWrite,
  { status, headers, body }: BatchReply['operations'][number],
  whole: Omit<Answer, 'text'>,
  now: number,
): Result<ApiReply> => {
  const endpoint = anyEndpoint(name);
  const own = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
  const header = (key: string): string | null =>
    own.get(key) ?? (['date', 'content-type'].includes(key) ? whole.header(key) : null);
  if (!isSuccess(status)) {
    const text = body === undefined ? '' : JSON.stringify(body);
    return fail(problemOfAnswer(endpoint, { status, header, text }, now));
  }
  const isEmpty = endpoint.status === 204;
  const data = isEmpty ? ok(undefined) : judgeData(endpoint, status, body);
  if (!data.ok) return data;
  if (isOtherRecord(endpoint, input.params, data.value)) return fail(otherRecord(status));
  return ok({
    status,
    data: data.value,
    paging: null,
    etag: usableEtag(header('etag')),
    replayed: header('idempotency-replayed')?.toLowerCase() === 'true',
    server_time: serverTime({ header }),
  });
};

/** The answer to a batch of this many operations. */
const readBatch = async (
  incoming: Incoming,
  operations: number,
  now: number,
): Promise<Result<BatchReply>> => {
  const endpoint = anyEndpoint('batch.send');
  const success = isSuccess(incoming.status);
  const bytes = await readBytes(incoming, success ? BODY_MAX : ERROR_MAX);
  if (!bytes.ok) return bytes;
  const answer = textOf(incoming, bytes.value);
  if (!success) return fail(problemOfAnswer(endpoint, answer, now));
  const data = dataOf(endpoint, answer) as Result<BatchReply>;
  return data.ok && data.value.operations.length !== operations
    ? fail(otherRecord(incoming.status))
    : data;
};

const createBatch =
  (transport: Transport, clock: Clock): Api['batch'] =>
  async (target, writes) => {
    const own = writes.map(operationOf);
    const operations = own.flatMap((one) => (one.ok ? [one.value] : []));
    const unsent = own.flatMap((one) => (one.ok ? [] : [one]));
    if (operations.length === 0) return { results: unsent };
    let answered: Omit<Answer, 'text'> | null = null;
    const { method, path } = anyEndpoint('batch.send');
    const headers = headersOf(anyEndpoint('batch.send'), target, { params: {} }, true);
    const body = `{"operations":[${operations.join(',')}]}`;
    const sent = await transport.exchange<BatchReply>(
      { method, url: `${target.base}${path}`, headers, body, weight: body.length, packed: true },
      (incoming) => {
        answered = incoming;
        return readBatch(incoming, operations.length, clock.now());
      },
    );
    const whole = answered as Omit<Answer, 'text'> | null;
    if (!sent.ok || whole === null)
      return {
        whole: sent.ok ? { kind: 'bug', detail: 'no answer' } : sent.problem,
        status: whole?.status ?? null,
      };
    const parts = [...sent.value.operations];
    const results = own.map((one, at): Result<ApiReply> => {
      const write = writes[at];
      const part = one.ok ? parts.shift() : undefined;
      if (!one.ok) return one;
      return write && part
        ? resultOf(write, part, whole, clock.now())
        : fail(otherRecord(whole.status));
    });
    return { results };
  };

export const createApi = (transport: Transport, clock: Clock, large: LargeReplies): Api => {
  const lists = createKeptLists();

  /** Parses the body of a success. Caches a list with its ETag for the next request. */
  const dataFrom = async (
    { name, place }: Asked,
    incoming: Omit<Answer, 'text'>,
    bytes: Buffer,
    isNew: boolean,
  ): Promise<Result<unknown>> => {
    const data =
      bytes.length > SMALL
        ? await large.judge(name, incoming, bytes)
        : dataOf(anyEndpoint(name), textOf(incoming, bytes));
    const etag = incoming.header('etag');
    if (data.ok && isNew && place !== null && etag !== null && printable.test(etag))
      await lists.keep(place, etag, keptHeaders(incoming), bytes);
    return data;
  };

  const judge = async (asked: Asked, incoming: Incoming): Promise<Result<ApiReply>> => {
    const { name, prepared, params, conditional, kept } = asked;
    const endpoint = anyEndpoint(name);
    const success = isSuccess(incoming.status);
    const read = await readBytes(incoming, success ? BODY_MAX : ERROR_MAX);
    if (!read.ok) return read;
    const unchanged = incoming.status === 304;
    const before = unchanged ? kept : null;
    const answer = before === null ? incoming : asBefore(before, incoming);
    const common = {
      status: answer.status,
      etag: usableEtag(answer.header('etag')),
      replayed: answer.header('idempotency-replayed')?.toLowerCase() === 'true',
      server_time: serverTime(answer),
    };
    if (unchanged && conditional) return ok({ ...common, data: undefined, paging: null });
    if (!success && before === null)
      return fail(problemOfAnswer(endpoint, textOf(incoming, read.value), clock.now()));
    const bytes = before === null ? read.value : await bytesOf(before);
    const data = await dataFrom(asked, answer, bytes, before === null);
    if (!data.ok) return data;
    if (isOtherRecord(endpoint, params, data.value)) return fail(otherRecord(answer.status));
    const rows = Array.isArray(data.value) ? data.value.length : 0;
    return ok({
      ...common,
      data: data.value,
      paging: pagingOf(endpoint, answer, rows, prepared.asked),
    });
  };

  const request: Api['request'] = async (target, name, input, signal) => {
    if (!isEndpointName(name)) return badInput([`there is no endpoint "${name.slice(0, 100)}"`]);
    const endpoint = anyEndpoint(name);
    if (
      ![target.token, input.if_match ?? '', input.if_none_match ?? ''].every((v) =>
        printable.test(v),
      )
    )
      return badInput([UNPRINTABLE]);
    const prepared = prepare(endpoint, target.base, input);
    if (!prepared.ok) return prepared;
    const { url, body } = prepared.value;
    const conditional = endpoint.cacheable && input.if_none_match !== undefined;
    const place =
      endpoint.cacheable && endpoint.paging !== 'none' && !conditional
        ? `${target.company_id} ${target.token} ${url}`
        : null;
    const kept = place === null ? null : lists.get(place);
    const if_none_match = kept?.etag ?? input.if_none_match;
    const outgoing: Outgoing = {
      method: endpoint.method,
      url,
      headers: headersOf(endpoint, target, { ...input, if_none_match }, body !== undefined),
      ...(body === undefined ? {} : { body, weight: body.length }),
      signal,
      packed: true,
    };
    const { params } = input;
    const asked = { name, prepared: prepared.value, params, conditional, place, kept };
    const once = () => transport.exchange(outgoing, (incoming) => judge(asked, incoming));
    const first = await once();
    // A reset usually means that the server closed a kept-alive connection. Repeating a GET is safe.
    const stale = !first.ok && first.problem.kind === 'offline' && first.problem.reason === 'reset';
    return stale && endpoint.method === 'GET' ? once() : first;
  };

  return {
    request,
    batch: createBatch(transport, clock),
    call: async (target, name, input, signal) =>
      (await request(target, name, input, signal)) as Result<Reply<typeof name>>,
  };
};

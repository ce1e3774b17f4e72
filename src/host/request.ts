/**
 * The one client of the REST API: an endpoint's name and its input become a request, the answer becomes a typed
 * `Result`. It knows a server, a token and a company (`Target`) and nothing of sessions; the caller cannot name an
 * address or a header. Works the same against a server that lacks our additions.
 */
import { PER_PAGE_DEFAULT } from '../contract/rest/paging.ts';
import type { Endpoint } from '../contract/rest/endpoint.ts';
import {
  anyEndpoint,
  endpoints,
  type EndpointName,
  type Reply,
  type RequestInput,
} from '../contract/rest/index.ts';
import { decodeQuery, encodeQuery } from '../contract/rest/query.ts';
import { fail, fieldsOf, ok, type Result } from '../contract/problem.ts';
import type { Clock } from './clock.ts';
import { bytesOf, createKeptLists, type KeptLists } from './kept-lists.ts';
import type { LargeReplies } from './large-replies.ts';
import { dataOf, pagingOf, problemOfAnswer, serverTime, type Answer } from './reply.ts';
import type { Incoming, Outgoing, Transport } from './transport.ts';

/** Who is asked, as whom. */
export interface Target {
  /** Origin and base path, no trailing slash. */
  readonly base: string;
  readonly token: string;
  readonly company_id: number;
}

/** `RequestInput` of any endpoint, as it comes from a window: still to be judged. */
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
  /** For the window: a name and an input of any kind, refused with `bad_input` where the contract does not allow them. */
  request(
    target: Target,
    name: string,
    input: LooseInput,
    signal?: AbortSignal,
  ): Promise<Result<ApiReply>>;
  /** For the host's own use: typed. */
  call<N extends EndpointName>(
    target: Target,
    name: N,
    input: RequestInput<N>,
    signal?: AbortSignal,
  ): Promise<Result<Reply<N>>>;
}

/** Bytes of an answer. What is larger is `too_large`, and whoever reads a list asks for smaller pages (rest/every-page.ts). */
const BODY_MAX = 16 * 1024 * 1024;
const ERROR_MAX = 1024 * 1024;
/** Bytes of an answer that is judged here: some ten milliseconds at worst. Larger ones are judged beside this thread. */
const SMALL = 64 * 1024;

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

const badInput = (messages: string[], fields: Record<string, string[]> = {}): Result<never> =>
  fail({ kind: 'bad_input', messages, fields });

/** `/a/{b}` with its parameters put in; a parameter that could change the path's meaning is refused. */
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
    authorization: `Bearer ${target.token}`,
    'service-company-id': String(target.company_id),
    accept: 'application/json',
  };
  if (body) headers['content-type'] = 'application/json';
  if (input.idempotency_key && endpoint.method !== 'GET')
    headers['idempotency-key'] = input.idempotency_key;
  if (input.if_match) headers['if-match'] = input.if_match;
  if (input.if_none_match && endpoint.cacheable) headers['if-none-match'] = input.if_none_match;
  return headers;
};

/** Reads an answer whole, capped while it is read. */
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

/** The longest that a window may give back (`if_match` of contract/host.ts). */
const ETAG_MAX = 200;
/** An ETag that can be sent back; else the answer counts as one without. */
const usableEtag = (etag: string | null): string | null =>
  etag !== null && etag.length <= ETAG_MAX && printable.test(etag) ? etag : null;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const printable = /^[\x20-\x7e]*$/;

/** What is read of a list's headers: an answer that is kept needs them again. */
const LIST_HEADERS = ['content-type', 'per-page', 'total', 'link'];

type KeptList = NonNullable<ReturnType<KeptLists['get']>>;

/** "Not changed" as the answer that was given when it was. A 304 has no body, so its content type is of nothing. */
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

/** One request that is made: what it needs when it is answered. */
interface Asked {
  readonly name: EndpointName;
  readonly prepared: Prepared;
  /** The window knows a state by its ETag, and a 304 is an answer to it. */
  readonly conditional: boolean;
  /** Of a list: whose it is and from where. */
  readonly place: string | null;
  /** What was answered to the same before. */
  readonly kept: KeptList | null;
}

export const createApi = (transport: Transport, clock: Clock, large: LargeReplies): Api => {
  const lists = createKeptLists();

  /** The data of a success, and of a list what the next time is asked with. */
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
    const { name, prepared, conditional, kept } = asked;
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
      return badInput(['a header value holds characters that HTTP does not carry']);
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
    const asked = { name, prepared: prepared.value, conditional, place, kept };
    const once = () => transport.exchange(outgoing, (incoming) => judge(asked, incoming));
    const first = await once();
    // A kept-alive connection that the server closed meanwhile: reading again harms nothing.
    const stale = !first.ok && first.problem.kind === 'offline' && first.problem.reason === 'reset';
    return stale && endpoint.method === 'GET' ? once() : first;
  };

  return {
    request,
    call: async (target, name, input, signal) =>
      (await request(target, name, input, signal)) as Result<Reply<typeof name>>,
  };
};

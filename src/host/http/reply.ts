/**
 * Classifies responses. A success must have the right content type and match the contract's reply schema. A captive portal's
 * HTML with status 200 is not a success (failures A8). Everything else is a `Problem`.
 */
import { z } from 'zod';
import { errorBody } from '../../contract/rest/protocol/errors.ts';
import { PER_PAGE_MAX } from '../../contract/rest/protocol/paging.ts';
import type { Endpoint } from '../../contract/rest/protocol/endpoint.ts';
import type { Paging } from '../../contract/rest/protocol/paging.ts';
import { fail, fieldsOf, ok, type Problem, type Result } from '../../contract/problem.ts';

/** A response whose body was read completely. */
export interface Answer {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * Parses `Retry-After`, in seconds or as a date, clamped to an hour. Returns milliseconds, or null if it is missing or invalid
 * (failures A6).
 */
export const retryAfter = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,15}(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.min(at - now, RETRY_AFTER_MAX_MS));
};

export const looksLikeHtml = (contentType: string | null, text: string): boolean =>
  /\b(text\/html|application\/xhtml)/i.test(contentType ?? '') ||
  /^\s*(<!doctype html|<html)/i.test(text);

const isJson = (contentType: string | null): boolean =>
  /^\s*application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType ?? '');

interface Said {
  readonly messages: string[];
  readonly fields: Record<string, string[]>;
}

/** Common fields for an error sentence in other servers' responses (RFC 9457 among them). */
const otherBody = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ title: z.string() }).transform(({ title }) => title),
]);

/** Readable text of a body in a foreign format. Markup and unknown JSON yield ''. */
const wordsOf = (answer: Answer): string => {
  try {
    const { success, data } = otherBody.safeParse(JSON.parse(answer.text));
    return success ? data : '';
  } catch {
    return looksLikeHtml(answer.header('content-type'), answer.text) ? '' : answer.text;
  }
};

/** Extracts the messages of an error body (decisions §1.2). An unknown format is quoted, shortened, if it is readable text. */
const saidBy = (answer: Answer): Said => {
  try {
    const { errors } = errorBody.parse(JSON.parse(answer.text));
    if (Array.isArray(errors)) return { messages: errors, fields: {} };
    const messages = Object.entries(errors).flatMap(([name, texts]) =>
      texts.map((text) => `${name} ${text}`),
    );
    return { messages, fields: errors };
  } catch {
    const words = wordsOf(answer).trim().slice(0, 300);
    return { messages: words === '' ? [] : [words], fields: {} };
  }
};

const broken = (
  status: number,
  looks_like: Extract<Problem, { kind: 'broken_reply' }>['looks_like'],
  detail: string,
): Problem => ({ kind: 'broken_reply', status, looks_like, detail });

/** True if the body has the API's own error shape (decisions §1.2). Portals, proxies and gateways answer in other shapes. */
const isOurs = ({ header, text }: Answer): boolean => {
  if (!isJson(header('content-type'))) return false;
  try {
    return errorBody.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

/** A 401 that asks for a bearer token comes from an API, whatever its body (RFC 6750 §3). */
const asksForToken = ({ status, header }: Answer): boolean =>
  status === 401 && /^\s*bearer\b/i.test(header('www-authenticate') ?? '');

/** True for the error body of an S3-compatible store, which holds uploaded bytes. */
const isStores = ({ text }: Answer): boolean => /<Error>[^]*<Code>\w+<\/Code>/.test(text);

const foreign = (answer: Answer): Problem => {
  const { status, text, header } = answer;
  const html = looksLikeHtml(header('content-type'), text);
  return broken(status, html ? 'html' : 'garbage', `${status} that is not the API's`);
};

/** Statuses with the same meaning from any sender: `busy`, a 5xx, a redirect, a proxy that requires a login. */
const anyonesProblem = (answer: Answer, now: number): Problem | null => {
  const { status } = answer;
  if (status < 200) return broken(status, 'garbage', 'an answer that is no answer');
  if (status >= 300 && status < 400)
    return broken(status, 'redirect', (answer.header('location') ?? '').slice(0, 200));
  if (status === 511) return foreign(answer);
  if (status === 407)
    return { kind: 'offline', reason: 'proxy_sign_in', detail: 'a proxy asks who we are (407)' };
  // A date in `Retry-After` follows the server's clock, so compare it with the server's `Date`.
  const wait = retryAfter(answer.header('retry-after'), serverTime(answer) ?? now);
  // 408 and 425 invite a retry. Nothing was refused.
  if (status === 429 || status === 408 || status === 425)
    return { kind: 'busy', retry_after_ms: wait };
  if (status >= 500)
    return {
      kind: 'server_error',
      status,
      messages: saidBy(answer).messages,
      retry_after_ms: wait,
    };
  return null;
};

/** Converts a 4xx that is known to come from the API. */
const saidProblem = (answer: Answer): Problem => {
  const { status } = answer;
  const { messages, fields } = saidBy(answer);
  if (status === 401) return { kind: 'signed_out', detail: messages[0] ?? 'the token was refused' };
  if (status === 404 || status === 410) return { kind: 'gone', status, messages };
  if (status === 409 || status === 412) return { kind: 'conflict', status, messages };
  return { kind: 'refused', status, messages, fields };
};

/**
 * Converts a non-2xx response of the API to a problem. A 4xx counts only in the API's own error shape. A filter, gateway or
 * portal in between must not sign out, reject an item for good, or confirm a deletion. Anything else is a broken reply, and the
 * request is retried later.
 */
export const problemOfStatus = (answer: Answer, now: number): Problem =>
  anyonesProblem(answer, now) ??
  (isOurs(answer) || asksForToken(answer) ? saidProblem(answer) : foreign(answer));

/** Like `problemOfStatus`, for an address that serves bytes. A store has another error format and does not know our tokens. */
export const problemOfBytes = (answer: Answer, now: number): Problem => {
  const problem =
    anyonesProblem(answer, now) ??
    (isOurs(answer) || isStores(answer) ? saidProblem(answer) : foreign(answer));
  return problem.kind === 'signed_out'
    ? { kind: 'refused', status: answer.status, messages: [problem.detail], fields: {} }
    : problem;
};

/** True for requests that every server of this API supports: about one record, except for the recycle bin, and the main list. */
const isCommon = ({ path }: Endpoint): boolean =>
  !path.includes('recycle') && /\{(id|uuid)\}|\/near_misses$/.test(path);

/**
 * Like `problemOfStatus`, for one endpoint. Another implementation may lack an endpoint and say so in its own error shape, so a 404 in
 * another shape is `gone`, unconfirmed, for GETs that not every server has.
 */
export const problemOfAnswer = (endpoint: Endpoint, answer: Answer, now: number): Problem => {
  const mayLack = endpoint.method === 'GET' && !isCommon(endpoint);
  if (!mayLack || isOurs(answer) || ![404, 405, 410].includes(answer.status))
    return problemOfStatus(answer, now);
  const said = saidProblem(answer);
  return said.kind === 'gone' ? { ...said, unconfirmed: true } : said;
};

/** Parses a 2xx into the endpoint's data, or returns why it is not a success. */
export const dataOf = (endpoint: Endpoint, answer: Answer): Result<unknown> => {
  const { status, text } = answer;
  const contentType = answer.header('content-type');
  const wantsNothing = endpoint.status === 204;
  if (looksLikeHtml(contentType, text)) return fail(broken(status, 'html', 'an HTML page'));
  if (wantsNothing && text === '' && status === 204) return ok(undefined);
  if (!isJson(contentType))
    return fail(
      broken(status, 'garbage', `content type ${(contentType ?? 'missing').slice(0, 100)}`),
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return fail(broken(status, 'garbage', 'not JSON'));
  }
  if (Array.isArray(parsed) && parsed.length > PER_PAGE_MAX)
    return fail(broken(status, 'too_large', `more than ${PER_PAGE_MAX} rows`));
  return wantsNothing ? judgeRemoved(status, parsed) : judgeData(endpoint, status, parsed);
};

/** A server may answer a deletion with the removed record instead of a 204, or with several. Anything else is not its word. */
const judgeRemoved = (status: number, parsed: unknown): Result<unknown> => {
  const isRecord = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'id' in one;
  const shown = Array.isArray(parsed)
    ? parsed.length > 0 && parsed.every(isRecord)
    : isRecord(parsed);
  return shown
    ? ok(parsed)
    : fail(broken(status, 'wrong_shape', 'the answer to a deletion shows no record'));
};

/** Validates the parsed body of a 2xx. */
export const judgeData = (endpoint: Endpoint, status: number, parsed: unknown): Result<unknown> => {
  const judged = endpoint.reply.safeParse(parsed);
  if (judged.success) return ok(judged.data);
  const fields = Object.entries(fieldsOf(judged.error)).slice(0, 5);
  return fail(
    broken(status, 'wrong_shape', fields.map(([name, texts]) => `${name}: ${texts[0]}`).join('; ')),
  );
};

/** True if the response holds another record than requested: a proxy mixed up two responses. */
export const isOtherRecord = (
  { path }: Endpoint,
  params: Readonly<Record<string, string | number>>,
  data: unknown,
): boolean => {
  const name = /\{(id|attachment_id)\}(?:\/restore)?$/.exec(path)?.[1];
  return (
    name !== undefined &&
    typeof data === 'object' &&
    data !== null &&
    'id' in data &&
    String(data.id) !== String(params[name])
  );
};

export const otherRecord = (status: number): Problem =>
  broken(status, 'wrong_shape', 'the answer shows another record than was asked for');

const count = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;

/** Reads `Per-Page`, `Total` and `Link` of a list (decisions §2.2). Without them, a full page means that another may follow. */
export const pagingOf = (
  endpoint: Endpoint,
  answer: Pick<Answer, 'header'>,
  rows: number,
  asked: { readonly page: number; readonly per_page: number },
): Paging | null => {
  if (endpoint.paging === 'none') return null;
  const per_page = count(answer.header('per-page'));
  const total = count(answer.header('total'));
  const link = answer.header('link');
  let has_next = rows >= (per_page ?? asked.per_page);
  if (total !== null) has_next = asked.page * (per_page ?? asked.per_page) < total;
  if (link !== null) has_next = /;\s*rel="?next"?/i.test(link);
  return { per_page, total, has_next };
};

/** The server's `Date` header, in milliseconds since the epoch. */
export const serverTime = (answer: Pick<Answer, 'header'>): number | null => {
  const at = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(at) ? null : at;
};

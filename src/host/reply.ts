/**
 * Judges an answer: a success is only what the contract's reply schema accepts, with the content type it should have
 * (failures A8: a captive portal's HTML with 200 is no success); everything else is a `Problem`.
 */
import { z } from 'zod';
import { errorBody } from '../contract/rest/errors.ts';
import { PER_PAGE_MAX } from '../contract/rest/paging.ts';
import type { Endpoint } from '../contract/rest/endpoint.ts';
import type { Paging } from '../contract/rest/paging.ts';
import { fail, fieldsOf, ok, type Problem, type Result } from '../contract/problem.ts';

/** An answer read whole. */
export interface Answer {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

const RETRY_AFTER_MAX_MS = 3_600_000;

/** `Retry-After` in seconds or as a date, clamped to an hour; null where there is none or it says nothing (failures A6). */
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

/** Where other makers of servers put their one sentence (RFC 9457 among them). */
const otherBody = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ title: z.string() }).transform(({ title }) => title),
]);

/** A body in no form of ours, as words for a person. Markup and code say nothing to one. */
const wordsOf = (answer: Answer): string => {
  try {
    const { success, data } = otherBody.safeParse(JSON.parse(answer.text));
    return success ? data : '';
  } catch {
    return looksLikeHtml(answer.header('content-type'), answer.text) ? '' : answer.text;
  }
};

/** What an error body says (decisions §1.2). A body in no known form is quoted, short, where it is words. */
export const saidBy = (answer: Answer): Said => {
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

/**
 * An answer that is no 2xx, as a problem. 401, 403 and 511 with an HTML page come from something between us and
 * the server (a portal, a proxy), not from the API, so they must neither sign out nor refuse an item for good.
 */
export const problemOfStatus = (answer: Answer, now: number): Problem => {
  const { status } = answer;
  const { messages, fields } = saidBy(answer);
  const html = looksLikeHtml(answer.header('content-type'), answer.text);
  if (status < 200) return broken(status, 'garbage', 'an answer that is no answer');
  if (status >= 300 && status < 400)
    return broken(status, 'redirect', (answer.header('location') ?? '').slice(0, 200));
  if (html && [401, 403, 511].includes(status)) return broken(status, 'html', 'an HTML page');
  // The API never says this: it is a proxy's, whatever its page looks like.
  if (status === 407)
    return { kind: 'offline', reason: 'proxy_sign_in', detail: 'a proxy asks who we are (407)' };
  if (status === 401) return { kind: 'signed_out', detail: messages[0] ?? 'the token was refused' };
  if (status === 404 || status === 410) return { kind: 'gone', status, messages };
  if (status === 409 || status === 412) return { kind: 'conflict', status, messages };
  // A date is one of the clock that wrote it, which may be another than this laptop's.
  const wait = retryAfter(answer.header('retry-after'), serverTime(answer) ?? now);
  // 408 and 425 ask for the same request again, later: nothing was refused.
  if (status === 429 || status === 408 || status === 425)
    return { kind: 'busy', retry_after_ms: wait };
  if (status >= 500) return { kind: 'server_error', status, messages, retry_after_ms: wait };
  return { kind: 'refused', status, messages, fields };
};

/** A question about one record, of which every server of this API answers those it has; the bin is not in all of them. */
const asksForRecord = ({ path }: Endpoint): boolean =>
  /\{(id|uuid)\}/.test(path) && !path.includes('recycle');

/**
 * The same of the API itself. Its own "not there" is JSON or says nothing; a page or a line of words comes from a proxy that does not
 * know the server for a while. No write may end by it: a deletion would count as done; and no record is gone for it. Other
 * questions may: a server of another make answers so where it lacks an address.
 */
export const problemOfAnswer = (endpoint: Endpoint, answer: Answer, now: number): Problem => {
  const { status, text } = answer;
  const contentType = answer.header('content-type');
  const notThere = [404, 405, 410].includes(status);
  const known = endpoint.method !== 'GET' || asksForRecord(endpoint);
  if (!known || !notThere || text.trim() === '' || isJson(contentType))
    return problemOfStatus(answer, now);
  const html = looksLikeHtml(contentType, text);
  return broken(status, html ? 'html' : 'garbage', `${status} that is not the API's`);
};

/** A 2xx as the endpoint's data, or why it is no success. */
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
  // A server may say 200 with the record instead. Half of one, or nothing where 204 was due, is somebody else's answer.
  if (wantsNothing) return ok(undefined);
  const judged = endpoint.reply.safeParse(parsed);
  if (judged.success) return ok(judged.data);
  const fields = Object.entries(fieldsOf(judged.error)).slice(0, 5);
  return fail(
    broken(status, 'wrong_shape', fields.map(([name, texts]) => `${name}: ${texts[0]}`).join('; ')),
  );
};

const count = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;

/** `Per-Page`, `Total` and `Link` of a list (decisions §2.2). Where a server sends none, a full page means another may follow. */
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

/** The server's `Date`, milliseconds since the epoch. */
export const serverTime = (answer: Pick<Answer, 'header'>): number | null => {
  const at = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(at) ? null : at;
};

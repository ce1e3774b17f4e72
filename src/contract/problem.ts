/**
 * Expected failures as data. Every call across a boundary returns a `Result` and nothing throws across a carrier. The list of
 * problems is closed, so a screen that forgets one does not compile.
 */
import { z } from 'zod';

const fields = z.record(z.string(), z.array(z.string()));

/** Input errors that a person can correct. The window has a sentence for each. */
export const inputFaults = [
  'address_missing',
  'address_unreadable',
  'address_scheme',
  'address_login',
  'address_policy',
  'address_query',
  'address_unprotected',
  'code_unreadable',
  'code_refused',
  'code_unsupported',
  'sign_in_unsupported',
  'sign_in_browser',
  'sign_in_late',
  'sign_in_denied',
  'sign_in_refused',
  'sign_in_unknown',
  'company_unknown',
  'project_unknown',
  'copies_elsewhere',
  'copy_unknown',
  'copy_damaged',
  'copy_failed',
  'file_pdf',
  'file_text',
  'file_archive',
  'file_short_heif',
  'file_avi',
  'file_unknown',
  'file_empty',
  'file_too_large',
  'file_cut_short',
  'file_begun_anew',
  'file_known',
] as const;
export type InputFault = (typeof inputFaults)[number];

/** The closed list of expected failures. `detail` is for diagnostics; the words a user reads come from the window. */
export const problemSchema = z.discriminatedUnion('kind', [
  /** No connection was made, or it broke before the response was complete. */
  z.object({
    kind: z.literal('offline'),
    reason: z.enum([
      'refused',
      'dns',
      'reset',
      'unreachable',
      'tls',
      'proxy',
      'proxy_away',
      'proxy_sign_in',
    ]),
    detail: z.string(),
  }),
  /** No byte arrived for too long. The outcome of a write is unknown. */
  z.object({ kind: z.literal('timeout'), after_ms: z.number() }),
  /** 401, or there is no token: the user must sign in. */
  z.object({ kind: z.literal('signed_out'), detail: z.string() }),
  /**
   * 403: the token is valid, but the server no longer allows this user anything in this company, not even asking who they are.
   */
  z.object({ kind: z.literal('no_access'), messages: z.array(z.string()) }),
  /** Permanent rejection: 400, 403, 413, 415, 422. `fields` uses the API's keys (`near_miss.incident_id`). */
  z.object({
    kind: z.literal('refused'),
    status: z.number().int(),
    messages: z.array(z.string()),
    fields,
  }),
  /** 409 or 412: the record changed since it was read. */
  z.object({
    kind: z.literal('conflict'),
    status: z.number().int(),
    messages: z.array(z.string()),
  }),
  /** 404 or 410. */
  z.object({
    kind: z.literal('gone'),
    status: z.number().int(),
    messages: z.array(z.string()),
    /**
     * True if the response did not have the API's error shape, so a gateway may have sent it. The session checks with
     * the server before it acts on it.
     */
    unconfirmed: z.literal(true).optional(),
  }),
  /**
   * The response was lost on a server without idempotency keys. `records`: the number of records that may be the
   * result. Only the user can decide (outbox promise 2).
   */
  z.object({ kind: z.literal('outcome_unknown'), records: z.number().int() }),
  /**
   * The server accepts no photos on near misses and no other destination is set. `chosen`: the user's setting keeps photos on
   * this laptop.
   */
  z.object({ kind: z.literal('no_photo_place'), chosen: z.boolean() }),
  /** 429. `retry_after_ms` is already clamped; null if the server sent none. */
  z.object({ kind: z.literal('busy'), retry_after_ms: z.number().nullable() }),
  /** Any 5xx. */
  z.object({
    kind: z.literal('server_error'),
    status: z.number().int(),
    messages: z.array(z.string()),
    retry_after_ms: z.number().nullable(),
  }),
  /** A response the contract does not accept: a captive portal's HTML with 200, garbage, a redirect, a body too large. */
  z.object({
    kind: z.literal('broken_reply'),
    status: z.number().int(),
    looks_like: z.enum(['html', 'redirect', 'garbage', 'wrong_shape', 'too_large', 'truncated']),
    detail: z.string(),
  }),
  z.object({ kind: z.literal('cancelled') }),
  /** No server is configured: the connect screen was never finished. */
  z.object({ kind: z.literal('not_connected') }),
  /** The OS keychain could not store or return the token. */
  z.object({
    kind: z.literal('vault'),
    state: z.enum(['absent', 'locked', 'asking', 'hung', 'denied', 'too_long']),
  }),
  /** The disk is full. Nothing was written; existing data is intact. */
  z.object({ kind: z.literal('no_space'), detail: z.string() }),
  /** The spooled original no longer has the bytes that were hashed at capture. */
  z.object({
    kind: z.literal('photo_damaged'),
    photo_id: z.string(),
    reason: z.enum(['missing', 'changed', 'unreadable']),
  }),
  /**
   * The window's request violates the contract. `fault` is set if a person's input caused it; otherwise the problem is for
   * diagnostics.
   */
  z.object({
    kind: z.literal('bad_input'),
    messages: z.array(z.string()),
    fields,
    fault: z.enum(inputFaults).optional(),
  }),
  /** A bug in Spotter, caught at the boundary. */
  z.object({ kind: z.literal('bug'), detail: z.string() }),
]);

export type Problem = z.infer<typeof problemSchema>;

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (problem: Problem): Result<never> => ({ ok: false, problem });

/** True if the server provably did not execute the request: it was never reached, or it rejected the request. */
export const notCarriedOut = (problem: Problem): boolean => {
  switch (problem.kind) {
    case 'offline':
      return ['refused', 'dns', 'proxy', 'proxy_away', 'proxy_sign_in'].includes(problem.reason);
    case 'refused':
    case 'signed_out':
    case 'no_access':
    case 'gone':
    case 'conflict':
    case 'busy':
    case 'bad_input':
    case 'not_connected':
    case 'vault':
      return true;
    default:
      return false;
  }
};

/** Formats a zod error like the API: dotted field names to messages, at most 20 issues. */
export const fieldsOf = (error: z.ZodError): Record<string, string[]> => {
  const out: Record<string, string[]> = {};
  for (const issue of error.issues.slice(0, 20)) {
    const name = issue.path.map(String).join('.') || 'input';
    (out[name] ??= []).push(issue.message);
  }
  return out;
};

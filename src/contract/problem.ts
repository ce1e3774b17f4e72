/**
 * What can go wrong, as data. Every call that crosses a boundary answers a `Result`: nothing throws across a
 * carrier, and the list of problems is closed, so that a screen that forgets one does not compile.
 */
import { z } from 'zod';

const fields = z.record(z.string(), z.array(z.string()));

/** What a person can put right in what was typed or chosen: the window has a sentence for each. */
export const inputFaults = [
  'address_missing',
  'address_unreadable',
  'address_scheme',
  'address_login',
  'address_query',
  'address_unprotected',
  'company_unknown',
  'project_unknown',
  'copies_elsewhere',
  'copy_unknown',
  'copy_damaged',
  'copy_failed',
  'file_pdf',
  'file_text',
  'file_gif',
  'file_archive',
  'file_avif',
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
  /** No connection could be made, or it broke before an answer was whole. */
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
  /** No byte for too long. The outcome of a write is unknown. */
  z.object({ kind: z.literal('timeout'), after_ms: z.number() }),
  /** 401, or there is no token: the user must sign in. */
  z.object({ kind: z.literal('signed_out'), detail: z.string() }),
  /** The server said no for good: 400, 403, 413, 415, 422. `fields` is keyed as the API does (`near_miss.incident_id`). */
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
  z.object({ kind: z.literal('gone'), status: z.number().int(), messages: z.array(z.string()) }),
  /**
   * Sent to a server without idempotency keys, and the answer was lost: that many records there may be this one. Only the
   * user can tell (outbox promise 2).
   */
  z.object({ kind: z.literal('unsure'), records: z.number().int() }),
  /**
   * The server takes no photos on near misses, and nothing says where else they go; `chosen`: by the user's own setting they
   * stay on this laptop.
   */
  z.object({ kind: z.literal('no_photo_place'), chosen: z.boolean() }),
  /** 429. `retry_after_ms` already clamped, null where the server named none. */
  z.object({ kind: z.literal('busy'), retry_after_ms: z.number().nullable() }),
  /** Any 5xx. */
  z.object({
    kind: z.literal('server_error'),
    status: z.number().int(),
    messages: z.array(z.string()),
    retry_after_ms: z.number().nullable(),
  }),
  /** An answer the contract does not accept: a captive portal's HTML with 200, garbage, a redirect, a body too large. */
  z.object({
    kind: z.literal('broken_reply'),
    status: z.number().int(),
    looks_like: z.enum(['html', 'redirect', 'garbage', 'wrong_shape', 'too_large', 'truncated']),
    detail: z.string(),
  }),
  z.object({ kind: z.literal('cancelled') }),
  /** There is no server to talk to yet: the connect screen was never finished. */
  z.object({ kind: z.literal('not_connected') }),
  /** The OS keychain could not keep or give the token. */
  z.object({
    kind: z.literal('vault'),
    state: z.enum(['absent', 'locked', 'asking', 'hung', 'denied', 'too_long']),
  }),
  /** The disk is full: nothing was written, what was there before is intact. */
  z.object({ kind: z.literal('no_space'), detail: z.string() }),
  /** The spooled original no longer has the bytes that were hashed at capture. */
  z.object({
    kind: z.literal('photo_damaged'),
    photo_id: z.string(),
    reason: z.enum(['missing', 'changed', 'unreadable']),
  }),
  /**
   * The window asked for something the contract does not allow. `fault` where a person typed or chose it; without one it is for
   * diagnostics.
   */
  z.object({
    kind: z.literal('bad_input'),
    messages: z.array(z.string()),
    fields,
    fault: z.enum(inputFaults).optional(),
  }),
  /** A bug of ours, caught at the boundary. */
  z.object({ kind: z.literal('bug'), detail: z.string() }),
]);

export type Problem = z.infer<typeof problemSchema>;

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (problem: Problem): Result<never> => ({ ok: false, problem });

/** The server cannot have carried it out: it was never reached, or it said no. */
export const notCarriedOut = (problem: Problem): boolean => {
  switch (problem.kind) {
    case 'offline':
      return ['refused', 'dns', 'proxy', 'proxy_away', 'proxy_sign_in'].includes(problem.reason);
    case 'refused':
    case 'signed_out':
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

/** A zod error as the API spells it: dotted field names to messages, at most 20 fields. */
export const fieldsOf = (error: z.ZodError): Record<string, string[]> => {
  const out: Record<string, string[]> = {};
  for (const issue of error.issues.slice(0, 20)) {
    const name = issue.path.map(String).join('.') || 'input';
    (out[name] ??= []).push(issue.message);
  }
  return out;
};

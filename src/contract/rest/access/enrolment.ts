/**
 * [ours] One-time codes that set up a laptop: an admin creates one, the laptop exchanges it for a token without having one
 * (decisions §12.5).
 */
import { z } from 'zod';
import { answeredByUs } from '../protocol/answered.ts';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';
import { level } from './levels.ts';
import { newAccessToken, tokenName } from './tokens.ts';

/** Capital letters and digits without look-alikes: no 0, 1, I, L and O. */
export const ENROLMENT_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const ENROLMENT_LENGTH = 10;

/** A code as it was typed, in capitals and without spaces and hyphens; null if it cannot be a code. */
export const readEnrolmentCode = (typed: string): string | null => {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  const isCode = [...code].every((letter) => ENROLMENT_ALPHABET.includes(letter));
  return isCode && code.length === ENROLMENT_LENGTH ? code : null;
};

const person = z.object({ id, name: z.string(), login: z.string() });

const enrolmentCode = z.object({
  id,
  /** The user whose token the code becomes. */
  user: person,
  /** The admin or the service account that made the code. */
  created_by: answeredByUs(z.object({ id, name: z.string() })),
  created_at: dateTime,
  expires_at: dateTime,
});
export type EnrolmentCode = z.infer<typeof enrolmentCode>;

/** The code itself, shown only once. */
const newEnrolmentCode = enrolmentCode.extend({ code: z.string() });
export type NewEnrolmentCode = z.infer<typeof newEnrolmentCode>;

const enrolled = newAccessToken.extend({
  user: person,
  company: z.object({ id, name: z.string() }),
  /** The user's level. The token gets no separate one. */
  user_level: level,
});
export type Enrolled = z.infer<typeof enrolled>;

const tag = 'Enrolment';
const base = '/rest/v1.0/companies/{company_id}/enrolment_codes';

export const enrolmentEndpoints = {
  'enrolment_codes.list': endpoint({
    method: 'GET',
    path: base,
    params: { company_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(enrolmentCode),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the codes that are not used yet',
  }),
  'enrolment_codes.create': endpoint({
    method: 'POST',
    path: base,
    params: { company_id: pathId },
    body: z.object({ enrolment_code: z.object({ user_id: id }) }),
    reply: newEnrolmentCode,
    status: 201,
    secret: true,
    extension: true,
    tag,
    summary: 'Create a code that sets up a laptop for a user',
  }),
  'enrolment_codes.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: { company_id: pathId, id: pathId },
    extension: true,
    tag,
    summary: 'Withdraw a code',
  }),
  'enrolments.create': endpoint({
    method: 'POST',
    path: '/rest/v1.0/enrolments',
    params: {},
    body: z.object({
      enrolment: z.object({
        code: z.string().max(100, 'must have at most 100 characters'),
        /** The name of the token, such as that of the laptop. */
        name: tokenName.optional(),
      }),
    }),
    reply: enrolled,
    status: 201,
    secret: true,
    hostOnly: true,
    needsToken: false,
    guessable: true,
    needsCompany: false,
    extension: true,
    tag,
    summary: 'Exchange a code for a token',
  }),
};

/** [ours] The log of administrative acts in a company (decisions §19.5). */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

const adminActs = [
  'user_added',
  'user_changed',
  'token_created',
  'token_revoked',
  'enrolment_code_created',
  'enrolment_code_withdrawn',
  'service_account_created',
  'service_account_deleted',
  'service_account_secret_rotated',
  'evidence_exported',
  'history_redacted',
  'webhook_secret_rotated',
  'signing_key_rotated',
  'retention_changed',
  'legal_hold_set',
  'legal_hold_released',
  'near_miss_anonymised',
  'near_miss_deleted',
  'person_erased',
  'person_copied',
] as const;
export type AdminActName = (typeof adminActs)[number];

const person = z.object({ id, name: z.string(), login: z.string() });

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.number())]);

const adminAct = z.object({
  id,
  at: dateTime,
  /** Null: somebody at the server, by a command. */
  user: person.nullable(),
  act: z.enum(adminActs),
  /** The user or service account that the act concerns. */
  about: person.nullable(),
  /** Ids, levels and choices; never a name or a text of a record: `level_from`, `near_miss_id`, `with_names`. */
  details: z.record(z.string(), value),
});
export type AdminAct = z.infer<typeof adminAct>;

export const adminActEndpoints = {
  'admin_acts.list': endpoint({
    method: 'GET',
    path: '/rest/v1.0/companies/{company_id}/admin_acts',
    params: { company_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(adminAct),
    paging: 'link',
    extension: true,
    tag: 'Evidence',
    summary: 'List administrative acts in the company, newest first',
  }),
};

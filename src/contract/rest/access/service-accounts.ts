/**
 * [ours] Service accounts: users that are programs (decisions §12.8). An account has a client id and a secret, and gets bearers for
 * them at `/oauth/token` (http/oauth/).
 */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';
import { level, projectIds } from './levels.ts';

const accountSecret = z.object({
  id,
  created_at: dateTime,
  /** Null: valid until the next one is made. */
  expires_at: dateTime.nullable(),
  /** Time of the last bearer given for it; null if none was. */
  last_used_at: dateTime.nullable(),
});

export const serviceAccount = z.object({
  id,
  name: z.string(),
  client_id: z.string(),
  level,
  project_ids: projectIds,
  created_at: dateTime,
  /** The newest first. While a secret is being replaced there are two. */
  secrets: z.array(accountSecret),
});
export type ServiceAccount = z.infer<typeof serviceAccount>;

/** The secret itself is shown only once. */
export const newServiceAccount = serviceAccount.extend({ client_secret: z.string() });
export type NewServiceAccount = z.infer<typeof newServiceAccount>;

const serviceAccountCreate = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(255, 'must have at most 255 characters'),
  /** `standard` unless given. */
  level: level.optional(),
  project_ids: projectIds.optional(),
});
export type ServiceAccountCreate = z.infer<typeof serviceAccountCreate>;

const serviceAccountSecret = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  /** End of the previous secret, which is valid until then; null if there is none. */
  previous_valid_until: dateTime.nullable(),
});
export type ServiceAccountSecret = z.infer<typeof serviceAccountSecret>;

const tag = 'Service accounts';
const base = '/rest/v1.0/companies/{company_id}/service_accounts';
const one = { company_id: pathId, id: pathId };

export const serviceAccountEndpoints = {
  'service_accounts.list': endpoint({
    method: 'GET',
    path: base,
    params: { company_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(serviceAccount),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the service accounts of the company',
  }),
  'service_accounts.create': endpoint({
    method: 'POST',
    path: base,
    params: { company_id: pathId },
    body: z.object({ service_account: serviceAccountCreate }),
    reply: newServiceAccount,
    status: 201,
    secret: true,
    hostOnly: true,
    extension: true,
    tag,
    summary: 'Create a service account and its first secret',
  }),
  'service_accounts.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: one,
    extension: true,
    tag,
    summary: 'Delete a service account and end its bearers',
  }),
  'service_account_secrets.create': endpoint({
    method: 'POST',
    path: `${base}/{id}/secret`,
    params: one,
    body: z.object({
      /** False ends the secret before, and its bearers, at once: for a secret that others have seen. */
      keep_previous: z.boolean().default(true),
    }),
    reply: serviceAccountSecret,
    status: 201,
    secret: true,
    hostOnly: true,
    extension: true,
    tag,
    summary: 'Give a service account a new secret',
  }),
};

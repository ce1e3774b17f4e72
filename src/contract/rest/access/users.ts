/** [ours] The users of a company: their levels and projects (decisions §12.4). */
import { z } from 'zod';
import { answeredByUs } from '../protocol/answered.ts';
import { endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';
import { level, projectIds } from './levels.ts';

export const companyUser = z.object({
  id,
  name: z.string(),
  login: z.string(),
  level: answeredByUs(level),
  project_ids: answeredByUs(projectIds),
  /** False: deactivated. The user's tokens have ended, the user's records stay. */
  active: answeredByUs(z.boolean()),
});
export type CompanyUser = z.infer<typeof companyUser>;

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters');

const companyUserCreate = z.object({
  login: z.string().trim().min(1, 'must not be empty').max(255, 'must have at most 255 characters'),
  /** Not needed for a login that belongs to another company already. */
  name: name.optional(),
  /** `standard` unless given. */
  level: level.optional(),
  project_ids: projectIds.optional(),
});
export type CompanyUserCreate = z.infer<typeof companyUserCreate>;

/** Absent fields stay unchanged. */
const companyUserUpdate = z.object({
  name: name.optional(),
  level: level.optional(),
  project_ids: projectIds.optional(),
  active: z.boolean().optional(),
});
export type CompanyUserUpdate = z.infer<typeof companyUserUpdate>;

const tag = 'Users';
const base = '/rest/v1.0/companies/{company_id}/users';
const one = { company_id: pathId, id: pathId };

export const userEndpoints = {
  'company_users.list': endpoint({
    method: 'GET',
    path: base,
    params: { company_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(companyUser),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the users of the company',
  }),
  'company_users.create': endpoint({
    method: 'POST',
    path: base,
    params: { company_id: pathId },
    body: z.object({ user: companyUserCreate }),
    reply: companyUser,
    status: 201,
    extension: true,
    tag,
    summary: 'Add a user to the company',
  }),
  'company_users.show': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    params: one,
    reply: companyUser,
    cacheable: true,
    extension: true,
    tag,
    summary: 'Show a user of the company',
  }),
  'company_users.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    params: one,
    body: z.object({ user: companyUserUpdate }),
    reply: companyUser,
    extension: true,
    tag,
    summary: 'Change the level or the projects of a user, deactivate or reactivate them',
  }),
};

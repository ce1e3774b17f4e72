/** Members of a project (reference: Project memberships; decisions §7). */
import { z } from 'zod';
import { answered } from './protocol/answered.ts';
import { endpoint, id, pathId, queryId } from './protocol/endpoint.ts';
import { firstIds, idArray } from './protocol/id-list.ts';
import { followedAt, followQuery, rowsOrDeleted } from './protocol/following.ts';
import { pagingQuery } from './protocol/paging.ts';

export const projectMembership = z.object({
  id,
  party_id: answered(id),
  project_id: answered(id),
  updated_at: followedAt,
});
export type ProjectMembership = z.infer<typeof projectMembership>;

/** Further ids of a bulk removal are ignored (reference: Limits). */
export const BULK_REMOVE_MAX = 1000;

/** A v2.0 path takes its ids as strings. */
const textId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .refine((value) => Number.isSafeInteger(Number(value)));

const tag = 'Project memberships';
const base = '/rest/v1.0/projects/{project_id}/project_memberships';

export const projectMembershipEndpoints = {
  'project_memberships.list': endpoint({
    method: 'GET',
    path: base,
    params: { project_id: pathId },
    query: followQuery({}),
    referenceQuery: z.object(pagingQuery),
    reply: rowsOrDeleted(projectMembership),
    paging: 'link',
    tag,
    summary: 'List the members of a project, inactive users and vendors included',
  }),
  'project_memberships.create': endpoint({
    method: 'POST',
    path: base,
    params: { project_id: pathId },
    body: z.object({ project_membership: z.object({ party_id: id }) }),
    reply: z.array(id),
    status: 201,
    tag,
    summary: 'Add a reference user to a project',
  }),
  'project_memberships.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: { project_id: pathId, id: pathId },
    query: z.object({ party_id: queryId }),
    tag,
    summary: 'Remove a reference user from a project',
  }),
  'project_memberships.bulk_add': endpoint({
    method: 'POST',
    path: `${base}/bulk_add`,
    params: { project_id: pathId },
    body: z.object({ party_ids: idArray }),
    reply: z.array(id),
    status: 201,
    tag,
    summary: 'Add many reference users; answers those that were added',
  }),
  'project_memberships.bulk_remove': endpoint({
    method: 'DELETE',
    path: '/rest/v2.0/companies/{company_id}/projects/{project_id}/project_memberships/bulk_remove',
    params: { company_id: textId, project_id: textId },
    body: z.object({ party_ids: firstIds(BULK_REMOVE_MAX) }),
    reply: z.object({
      data: z.object({ processed_ids: z.array(id), skipped_ids: z.array(id) }),
    }),
    status: 200,
    tag,
    summary: `Remove many reference users: the first ${BULK_REMOVE_MAX} ids`,
  }),
};

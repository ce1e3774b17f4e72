/**
 * [ours] The first calls of clients made for similar APIs: the companies and projects that a token may see (decisions §4.9). Its
 * users: access/users.ts.
 */
import { z } from 'zod';
import { company } from './companies.ts';
import { companyRecordKinds, companyRecordListQuery } from './company-records.ts';
import { endpoint, id, pathId, queryId } from './protocol/endpoint.ts';
import { pagingQuery } from './protocol/paging.ts';

export const visibleProject = companyRecordKinds.projects.shown.extend({
  company: z.object({ id, name: z.string() }),
});
export type VisibleProject = z.infer<typeof visibleProject>;

const tag = 'Workplaces';
const projects = '/rest/v1.0/projects';

export const workplaceEndpoints = {
  'companies.list': endpoint({
    method: 'GET',
    path: '/rest/v1.0/companies',
    params: {},
    query: z.object(pagingQuery),
    reply: z.array(company),
    paging: 'link',
    needsCompany: false,
    extension: true,
    tag,
    summary: 'List the companies of the token',
  }),
  'visible_projects.list': endpoint({
    method: 'GET',
    path: projects,
    params: {},
    query: companyRecordListQuery.safeExtend({ company_id: queryId }),
    reply: z.array(visibleProject),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the projects of a company',
  }),
  'visible_projects.show': endpoint({
    method: 'GET',
    path: `${projects}/{id}`,
    params: { id: pathId },
    query: z.object({ company_id: queryId.optional() }),
    reply: visibleProject,
    cacheable: true,
    extension: true,
    tag,
    summary: 'Show a project',
  }),
};

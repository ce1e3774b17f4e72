/** [ours] Companies and projects that a token may see (decisions §4.9). */
import * as rules from '../domain/company/workplaces.ts';
import type { HandlersOf } from './handler.ts';

export const workplaceHandlers: HandlersOf<
  'companies.list' | 'visible_projects.list' | 'visible_projects.show'
> = {
  'companies.list': ({ db, memberships, query }) =>
    rules.listCompanies(
      db,
      memberships.map(({ company_id }) => company_id),
      query,
    ),
  'visible_projects.list': (call) => rules.listProjects(call, call.query),
  'visible_projects.show': (call) =>
    rules.showProject(call, call.params.id, call.query.company_id ?? call.company_id),
};

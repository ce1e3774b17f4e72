/** Texts about projects for the rows and the detail of a user. */
import type { CompanyUser } from '../../../../contract/rest/access/users.ts';
import { sites } from '../../../state/session/sites.svelte.ts';
import { words } from '../../../words/company-words.ts';

/** The projects that may be given to a user: an admin has all of them. */
export const offeredProjects = (): readonly { readonly id: number; readonly name: string }[] =>
  sites.list().map(({ id, name }) => ({ id, name }));

export const projectsOf = ({ project_ids }: CompanyUser): string => {
  const t = words.users;
  if (!project_ids) return t.all_projects;
  const names = new Map(offeredProjects().map(({ id, name }) => [id, name]));
  return t.project_names(project_ids.map((id) => names.get(id) || t.project_number(id)));
};

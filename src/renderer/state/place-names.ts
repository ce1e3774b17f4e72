/** What a project and a company are called: by their name, or by their number where the server tells no names. */
import type { SessionView } from '../../contract/host.ts';
import { words } from '../words/words.ts';

export const projectName = (view: SessionView | null): string => {
  if (!view?.project) return '';
  return view.project.name || words.app.project_number(view.project.id);
};

export const companyName = (view: SessionView | null): string => {
  if (!view?.company) return '';
  return view.company.name || words.app.company_number(view.company.id);
};

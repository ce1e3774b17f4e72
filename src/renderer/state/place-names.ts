/** What a project, a company and an account are called: by their name, or by their number where the server tells no names. */
import type { SessionView } from '../../contract/host.ts';
import type { KnownAccount } from '../data/accounts.ts';
import { words } from '../words/words.ts';

export const projectName = (view: SessionView | null): string => {
  if (!view?.project) return '';
  return view.project.name || words.app.project_number(view.project.id);
};

export const companyName = (view: Pick<SessionView, 'company'> | null): string => {
  if (!view?.company) return '';
  return view.company.name || words.app.company_number(view.company.id);
};

/** `Northline (Maria Kovacs)`; where the server tells no names, by its address. */
export const accountName = (known: Omit<KnownAccount, 'account'>): string => {
  if (known.kind === 'this_laptop') return words.app.this_laptop;
  const company = companyName(known) || (known.address ?? '');
  const whose = known.user?.name || known.address?.replace(/^https?:\/\//u, '') || '';
  return whose === '' || whose === company ? company : `${company} (${whose})`;
};

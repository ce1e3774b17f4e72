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

/** Where near misses go: the sample data is named as such, beside which a firm of its own may stand on the same laptop. */
export const placeName = (view: Pick<SessionView, 'kind' | 'address'> | null): string => {
  if (view?.kind === 'this_laptop') return words.app.sample_data;
  return view?.kind === 'own_firm' ? words.app.this_laptop : (view?.address ?? '');
};

/** `Northline (Maria Kovacs)`; where the server tells no names, by its address. */
export const accountName = (known: Omit<KnownAccount, 'account'>): string => {
  if (known.kind === 'this_laptop') return words.app.sample_data;
  const company = companyName(known) || (known.address ?? '');
  const whose = known.user?.name || known.address?.replace(/^https?:\/\//u, '') || '';
  return whose === '' || whose === company ? company : `${company} (${whose})`;
};

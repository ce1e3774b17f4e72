/** Display names of projects, companies and accounts. Falls back to numbers if the server provides no names. */
import type { SessionView } from '../../../contract/host.ts';
import type { KnownAccount } from '../../data/near-misses/accounts.ts';
import { words } from '../../words/words.ts';

export const projectName = (view: SessionView | null): string => {
  if (!view?.project) return '';
  return view.project.name || words.app.project_number(view.project.id);
};

export const companyName = (view: Pick<SessionView, 'company'> | null): string => {
  if (!view?.company) return '';
  return view.company.name || words.app.company_number(view.company.id);
};

/** Destination of near misses. The sample data is labelled, because a local company may exist on the same laptop. */
export const placeName = (view: Pick<SessionView, 'kind' | 'address'> | null): string => {
  if (view?.kind === 'this_laptop') return words.app.sample_data;
  return view?.kind === 'local_company' ? words.app.this_laptop : (view?.address ?? '');
};

/** `Northline (Maria Kovacs)`; of the sample data only a user who is not its admin. Uses the server's address if the user's name is unknown. */
export const accountName = (known: Omit<KnownAccount, 'account'>): string => {
  if (known.kind === 'this_laptop') {
    const isAdmin = known.level === null || known.level === 'admin';
    return isAdmin ? words.app.sample_data : `${words.app.sample_data} (${known.user?.name ?? ''})`;
  }
  const company = companyName(known) || (known.address ?? '');
  const whose = known.user?.name || known.address?.replace(/^https?:\/\//u, '') || '';
  return whose === '' || whose === company ? company : `${company} (${whose})`;
};

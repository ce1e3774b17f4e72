/** [ours] A company's name (decisions §11.7). */
import { showCompany, updateCompany } from '../domain/company/companies.ts';
import type { HandlersOf } from './handler.ts';

export const companyHandlers: HandlersOf<'company.show' | 'company.update'> = {
  'company.show': ({ db, company_id }) => showCompany(db, company_id),
  'company.update': ({ db, company_id, body, if_match }) =>
    updateCompany(db, company_id, body.company, if_match),
};

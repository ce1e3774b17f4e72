/** [ours] Companies and projects that a token may see (decisions §4.9). */
import type { Company } from '../../../contract/rest/companies.ts';
import type { CompanyRecordQuery } from '../../../contract/rest/company-records.ts';
import type { VisibleProject } from '../../../contract/rest/workplaces.ts';
import type { Db } from '../../store/engine/db.ts';
import * as store from '../../store/users.ts';
import { listRecords, showRecord, type RecordsContext } from './company-records.ts';
import { contentTag } from '../etag.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { forbidden } from '../problem.ts';

export const listCompanies = (
  db: Db,
  ids: readonly number[],
  paged: Paged,
): Promise<Page<Company>> =>
  pageOf(paged, {
    count: () => Promise.resolve(ids.length),
    rows: (slice) => store.listCompanies(db, ids, slice),
    view: (rows) => rows.map((row) => ({ ...row, created_at: wireTime(row.created_at) })),
  });

/** The query names a company as an address would, with the same refusal (decisions §1.1). @throws Refusal 403 */
const requireCompany = ({ company_id }: RecordsContext, asked: number): void => {
  if (asked !== company_id)
    throw forbidden('The company in the query is not the one of Service-Company-Id.');
};

const viewerIn = async ({ db, company_id }: RecordsContext) => {
  const company = await store.findCompany(db, company_id);
  if (!company) throw new Error('a caller belongs to a company that is not there');
  const { id, name } = company;
  return (record: object) => ({ ...record, company: { id, name } }) as VisibleProject;
};

/** @throws Refusal 403 */
export const listProjects = async (
  context: RecordsContext,
  query: CompanyRecordQuery & { readonly company_id: number },
): Promise<Page<VisibleProject>> => {
  requireCompany(context, query.company_id);
  const { data, total } = await listRecords(context, 'projects', query);
  return { data: data.map(await viewerIn(context)), total };
};

/** @throws Refusal 403, 404 */
export const showProject = async (
  context: RecordsContext,
  id: number,
  company_id: number,
): Promise<{ readonly data: VisibleProject; readonly etag: string }> => {
  requireCompany(context, company_id);
  const record = await showRecord(context, 'projects', id);
  const data = (await viewerIn(context))(record.data);
  return { data, etag: contentTag(data) };
};

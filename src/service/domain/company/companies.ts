/** [ours] The name of a company (decisions §11.7). */
import type { Company, CompanyUpdate } from '../../../contract/rest/companies.ts';
import type { Db } from '../../store/engine/db.ts';
import { findCompany, renameCompany } from '../../store/users.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { notFound } from '../problem.ts';

/** A company and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: Company;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showCompany = async (db: Db, id: number): Promise<Tagged> => {
  const row = await findCompany(db, id);
  if (!row) throw notFound();
  const data = { id, name: row.name, created_at: wireTime(row.created_at) };
  return { data, etag: contentTag(data) };
};

/** @throws Refusal 404, 412 */
export const updateCompany = async (
  tx: Db,
  id: number,
  { name }: CompanyUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const had = await showCompany(tx, id);
  requireMatch(if_match, had.etag);
  if (name === undefined || name === had.data.name) return had;
  await renameCompany(tx, id, name);
  return showCompany(tx, id);
};

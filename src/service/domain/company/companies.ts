/** [ours] The name of a company and its notices to users (decisions §11.7). */
import type { CompanyDetails, CompanyUpdate } from '../../../contract/rest/companies.ts';
import type { Db } from '../../store/engine/db.ts';
import { findCompany, changeCompany } from '../../store/users.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { notFound } from '../problem.ts';

/** A company and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: CompanyDetails;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showCompany = async (db: Db, id: number): Promise<Tagged> => {
  const row = await findCompany(db, id);
  if (!row) throw notFound();
  const { name, help_contact, privacy_notice } = row;
  const data = { id, name, created_at: wireTime(row.created_at), help_contact, privacy_notice };
  return { data, etag: contentTag(data) };
};

/** @throws Refusal 404, 412 */
export const updateCompany = async (
  tx: Db,
  id: number,
  given: CompanyUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const had = await showCompany(tx, id);
  requireMatch(if_match, had.etag);
  if (contentTag({ ...had.data, ...given }) === had.etag) return had;
  await changeCompany(tx, id, given);
  return showCompany(tx, id);
};

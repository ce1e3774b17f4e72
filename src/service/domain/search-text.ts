/**
 * The text that `filters[query]` looks into (decisions §2.4). It is written with the near miss, so when a record that near misses
 * name gets another name, theirs are written anew: a list finds what it shows.
 */
import { foldAll } from '../store/fold.ts';
import type { Db } from '../store/db.ts';
import * as lists from '../store/near-miss-lists.ts';
import * as store from '../store/near-misses.ts';

/** What near misses name: a row of the company's, or their incident. */
export type NamedBy = lists.ForeignColumn | 'incident_id';

type Texts = Pick<
  lists.NearMissRow,
  | 'incident_title'
  | 'description_plain_text'
  | 'number'
  | 'incident_number'
  | 'affected_company_name'
  | 'affected_party_name'
  | 'affected_person_name'
  | 'managed_equipment_name'
  | 'work_activity_name'
  | 'harm_source_name'
>;

export const searchText = (row: Texts): string =>
  foldAll([
    row.incident_title,
    row.description_plain_text,
    row.number,
    `${row.incident_number}-${row.number}`,
    row.affected_company_name,
    row.affected_party_name,
    row.affected_person_name,
    row.managed_equipment_name,
    row.work_activity_name,
    row.harm_source_name,
  ]);

/** Near misses that are read and written together: a description may have 64 KiB. */
const PART = 200;

/** After a change of names, in its transaction: no version moves, for the near misses themselves did not change. */
export const refreshSearchTexts = async (
  tx: Db,
  company_id: number,
  column: NamedBy,
  ids: readonly number[],
): Promise<void> => {
  for (let after = 0; ;) {
    const rows = await lists.listNaming(tx, { company_id, column, ids, after, limit: PART });
    const last = rows.at(-1);
    if (!last) return;
    await store.writeSearchTexts(
      tx,
      company_id,
      rows.map((row) => ({ id: row.id, project_id: row.project_id, search: searchText(row) })),
    );
    after = last.id;
  }
};

/**
 * Builds the text that `filters[query]` searches (decisions §2.4). It is stored with the near miss. When a referenced record is
 * renamed, the texts of its near misses are rewritten, so that searches match the names shown.
 */
import {
  lookupFields,
  shownName,
  textFields,
  type LookupField,
  type ShownName,
  type TextField,
} from '../../contract/rest/near-miss-fields.ts';
import { foldAll } from '../store/engine/fold.ts';
import type { Db } from '../store/engine/db.ts';
import * as lists from '../store/near-misses/near-miss-lists.ts';
import * as store from '../store/near-misses/near-misses.ts';

/** The column by which a near miss references a record of the company or its incident. */
export type NamedBy = lists.ForeignColumn | 'incident_id';

type Texts = Pick<
  lists.NearMissRow,
  | 'incident_title'
  | 'description_plain_text'
  | 'number'
  | 'incident_number'
  | `${ShownName<LookupField>}_name`
  | TextField
>;

export const searchText = (row: Texts): string =>
  foldAll([
    row.incident_title,
    row.description_plain_text,
    row.number,
    `${row.incident_number}-${row.number}`,
    ...lookupFields.map((name) => row[`${shownName(name)}_name`]),
    ...textFields.map((name) => row[name]),
  ]);

/** Near misses per batch: a description may have 64 KiB. */
const PART = 200;

/** Runs in the transaction of a name change. Versions stay the same, because the near misses did not change. */
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

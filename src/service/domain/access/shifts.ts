/** [ours] Taking over a shift (decisions §12.3). */
import type { Shift } from '../../../contract/rest/access/shifts.ts';
import * as store from '../../store/access/shifts.ts';
import type { Db } from '../../store/engine/db.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

interface Row {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly login: string;
  readonly created_at: number;
  readonly ends_at: number;
}

const viewShift = (row: Row): Shift => ({
  id: row.id,
  user: { id: row.user_id, name: row.name, login: row.login },
  taken_over_at: wireTime(row.created_at),
  ends_at: wireTime(row.ends_at),
});

export const listShifts = (db: Db, where: Where, paged: Paged): Promise<Page<Shift>> =>
  pageOf(paged, {
    count: () => store.countShifts(db, where),
    rows: (slice) => store.listShifts(db, where, slice),
    view: (rows) => rows.map(viewShift),
  });

/** Several people may hold a shift at once, because the old one ends while the new one begins. */
export const takeOverShift = async (
  tx: Db,
  where: Where,
  user: { readonly id: number; readonly name: string; readonly login: string },
  times: { readonly now: number; readonly length: number },
): Promise<Shift> => {
  const { company_id, project_id } = where;
  const made = await store.insertShift(tx, {
    company_id,
    project_id,
    user_id: user.id,
    created_at: times.now,
    ends_at: times.now + times.length,
  });
  return viewShift({ ...made, name: user.name, login: user.login });
};

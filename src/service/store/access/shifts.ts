/** Stores who took over the shift of a project (decisions §12.3). */
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

const matching = (db: Db, { company_id, project_id }: Where) =>
  db
    .selectFrom('shifts as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('s.company_id', '=', company_id)
    .where('s.project_id', '=', project_id);

export const countShifts = (db: Db, where: Where): Promise<number> => countOf(matching(db, where));

export const listShifts = (db: Db, where: Where, slice: Slice) =>
  newestFirst(
    matching(db, where).select([
      's.id',
      's.user_id',
      's.created_at',
      's.ends_at',
      'u.name',
      'u.login',
    ]),
    slice,
    's',
  );

export const insertShift = async (
  tx: Db,
  row: Omit<Database['shifts'], 'id'>,
): Promise<Database['shifts']> => {
  const shift = { ...row, id: await takeIds(tx, 'shifts') };
  await tx.insertInto('shifts').values(shift).execute();
  return shift;
};

export const holdsShift = async (
  db: Db,
  { company_id, project_id }: Where,
  user_id: number,
  now: number,
): Promise<boolean> =>
  (await db
    .selectFrom('shifts')
    .select('id')
    .where('company_id', '=', company_id)
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .where('ends_at', '>', now)
    .executeTakeFirst()) !== undefined;

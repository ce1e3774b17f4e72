/** [ours] The log of administrative acts in SQL (decisions §19.5). Rows are only added. */
import type { Db } from '../engine/db.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import { takeIds } from '../engine/ids.ts';
import type { Database } from '../engine/schema.ts';

type Row = Database['admin_acts'];

export const insertAct = async (tx: Db, act: Omit<Row, 'id'>): Promise<void> => {
  const id = await takeIds(tx, 'admin_acts');
  await tx
    .insertInto('admin_acts')
    .values({ ...act, id })
    .execute();
};

const actsOf = (db: Db, company_id: number) =>
  db
    .selectFrom('admin_acts as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('users as s', 's.id', 'a.about_user_id')
    .where('a.company_id', '=', company_id);

export const countActs = (db: Db, company_id: number): Promise<number> =>
  countOf(db.selectFrom('admin_acts').where('company_id', '=', company_id));

export const listActs = (db: Db, company_id: number, slice: Slice) =>
  newestFirst(
    actsOf(db, company_id).select([
      'a.id',
      'a.created_at',
      'a.user_id',
      'a.act',
      'a.about_user_id',
      'a.details',
      'u.name as user_name',
      'u.login as user_login',
      's.name as about_name',
      's.login as about_login',
    ]),
    slice,
    'a',
  );

/** Every company, for an act of the operator that concerns all of them. */
export const companyIds = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('companies').select('id').orderBy('id').execute()).map(({ id }) => id);

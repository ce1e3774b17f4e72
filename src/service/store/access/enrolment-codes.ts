/** One-time codes that set up a laptop (decisions §12.5). */
import type { Db } from '../engine/db.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

const unused = (db: Db, company_id: number, now: number) =>
  db
    .selectFrom('enrolment_codes as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('users as a', 'a.id', 'c.created_by')
    .where('c.company_id', '=', company_id)
    .where('c.expires_at', '>', now);

export const countCodes = (db: Db, company_id: number, now: number): Promise<number> =>
  countOf(unused(db, company_id, now));

export const listCodes = (db: Db, company_id: number, now: number, slice: Slice) =>
  newestFirst(
    unused(db, company_id, now).select([
      'c.id',
      'c.user_id',
      'c.created_at',
      'c.expires_at',
      'u.name',
      'u.login',
      'c.created_by',
      'a.name as author',
    ]),
    slice,
    'c',
  );

/** Inserts a code and deletes the company's expired ones. */
export const insertCode = async (tx: Db, row: Database['enrolment_codes']): Promise<void> => {
  await tx
    .deleteFrom('enrolment_codes')
    .where('company_id', '=', row.company_id)
    .where('expires_at', '<=', row.created_at)
    .execute();
  await tx.insertInto('enrolment_codes').values(row).execute();
};

export const deleteCode = async (tx: Db, company_id: number, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('enrolment_codes')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Withdraws the codes that a user has not used yet. */
export const deleteCodesOf = async (tx: Db, company_id: number, user_id: number): Promise<void> => {
  await tx
    .deleteFrom('enrolment_codes')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .execute();
};

/** Withdraws the unused codes that a user made for anybody. */
export const deleteCodesBy = async (
  tx: Db,
  company_id: number,
  created_by: number,
): Promise<void> => {
  await tx
    .deleteFrom('enrolment_codes')
    .where('company_id', '=', company_id)
    .where('created_by', '=', created_by)
    .execute();
};

/** Uses a code: of two requests at once only one gets it. */
export const takeCode = (tx: Db, code_hash: string, now: number) =>
  tx
    .deleteFrom('enrolment_codes')
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .returning(['company_id', 'user_id'])
    .executeTakeFirst();

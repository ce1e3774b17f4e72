/** [ours] Legal holds of near misses in SQL (decisions §20.5). */
import type { Db } from '../engine/db.ts';
import type { Database } from '../engine/schema.ts';

interface Where {
  readonly company_id: number;
  readonly near_miss_id: number;
}

export const findHold = (db: Db, { company_id, near_miss_id }: Where) =>
  db
    .selectFrom('legal_holds as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.reason', 'l.created_at', 'u.id', 'u.name', 'u.login'])
    .where('l.company_id', '=', company_id)
    .where('l.near_miss_id', '=', near_miss_id)
    .executeTakeFirst();

/** Replaces a hold that there is. */
export const putHold = async (tx: Db, hold: Database['legal_holds']): Promise<void> => {
  const { reason, user_id, created_at } = hold;
  await tx
    .insertInto('legal_holds')
    .values(hold)
    .onConflict((on) =>
      on.columns(['company_id', 'near_miss_id']).doUpdateSet({ reason, user_id, created_at }),
    )
    .execute();
};

/** False if there is none. */
export const deleteHold = async (tx: Db, { company_id, near_miss_id }: Where): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('legal_holds')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', near_miss_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

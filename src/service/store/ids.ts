/**
 * Ids that only count up, one counter per kind over the whole service, taken in the transaction that uses them. Not
 * autoincrement: keys lead with company_id, and an id that two companies shared would blur who owns what.
 */
import type { Db } from './db.ts';

/** Takes `count` ids of a kind and answers the first; the others follow it. */
export const takeIds = async (tx: Db, name: string, count = 1): Promise<number> => {
  const row = await tx
    .insertInto('id_counters')
    .values({ name, last: count })
    .onConflict((on) =>
      on.column('name').doUpdateSet((eb) => ({ last: eb('id_counters.last', '+', count) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return row.last - count + 1;
};

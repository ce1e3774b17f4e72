/**
 * Ids that only count up, one counter per kind over the whole service, taken in the transaction that uses them. Not
 * autoincrement: keys lead with company_id, and an id that two companies shared would blur who owns what.
 */
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';

const take = prepared(
  (tx: Db, { name, count }: { readonly name: string; readonly count: number }) =>
    tx
      .insertInto('id_counters')
      .values({ name, last: count })
      .onConflict((on) =>
        on.column('name').doUpdateSet((eb) => ({ last: eb('id_counters.last', '+', count) })),
      )
      .returning('last'),
);

/** Takes `count` ids of a kind and answers the first; the others follow it. */
export const takeIds = async (tx: Db, name: string, count = 1): Promise<number> => {
  const [row] = await take(tx, { name, count });
  if (!row) throw new Error('an id counter answered nothing');
  return row.last - count + 1;
};

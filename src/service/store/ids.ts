/**
 * Ids that only count up, one counter per kind over the whole service. Not autoincrement: keys lead with company_id, and an
 * id that two companies shared would blur who owns what. On SQLite they are taken in the transaction that uses them. A
 * database that several writers share takes them apart from it (`takeApart`), for otherwise every writer would wait at the
 * counter for every other's commit; there an id whose transaction is undone is never used.
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

const apart = new WeakMap<Db, Db>();

/** From now on ids for `tx` are taken on another connection, where each is committed at once. */
export const takeApart = (tx: Db, counters: Db): void => {
  apart.set(tx, counters);
};

/** Takes `count` ids of a kind and answers the first; the others follow it. */
export const takeIds = async (tx: Db, name: string, count = 1): Promise<number> => {
  const [row] = await take(apart.get(tx) ?? tx, { name, count });
  if (!row) throw new Error('an id counter answered nothing');
  return row.last - count + 1;
};

/**
 * Ids that only count up, one counter per kind over the whole service. Not autoincrement: keys lead with company_id, and an
 * id that two companies shared would blur who owns what. On SQLite they are taken in the transaction that uses them. A
 * database that several writers share takes them apart from it (`takeApart`), for otherwise every writer would wait at the
 * counter for every other's commit; there an id whose transaction is undone is never used.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { gathered } from './gather.ts';
import { isSqlite, jsonRows, written } from './many.ts';
import { prepared } from './prepared.ts';

const apart = new WeakMap<Db, Db>();

/** From now on ids for `tx` are taken on another connection, where each is committed at once. */
export const takeApart = (tx: Db, counters: Db): void => {
  apart.set(tx, counters);
};

type Counted = { readonly name: string; readonly last: number };

/**
 * A database that is shared need not flush the counter: the log is in order, so whatever uses an id makes the counter durable too.
 * Said in the statement and for the statement alone, because behind a pooler the next statement on its connection may be anybody's.
 */
const unflushed = sql`set_config('synchronous_commit', 'off', true) is not null`;

const take = prepared((db: Db, { wanted }: { readonly wanted: string }) =>
  written(
    db,
    sql<Counted>`
      insert into id_counters (name, last)
      select name, last from ${jsonRows(db, wanted, { name: 'text', last: 'bigint' })}
      where ${isSqlite(db) ? sql`true` : unflushed}
      on conflict (name) do update set last = id_counters.last + excluded.last
      returning name, last`,
  ),
);

interface Wanted {
  readonly name: string;
  readonly count: number;
}

const takeAll = gathered(async (tx, wanted: readonly Wanted[]) => {
  const sums = new Map<string, number>();
  for (const { name, count } of wanted) sums.set(name, (sums.get(name) ?? 0) + count);
  // Always in one order: two processes that each held one counter would wait for each other.
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = await take(apart.get(tx) ?? tx, {
    wanted: JSON.stringify(sorted.map(([name, last]) => ({ name, last }))),
  });
  const next = new Map(rows.map(({ name, last }) => [name, last - (sums.get(name) ?? 0) + 1]));
  return wanted.map(({ name, count }) => {
    const first = next.get(name);
    if (first === undefined) throw new Error('an id counter answered nothing');
    next.set(name, first + count);
    return first;
  });
});

/** Takes `count` ids of a kind and answers the first; the others follow it. */
export const takeIds = (tx: Db, name: string, count = 1): Promise<number> =>
  takeAll(tx, { name, count });

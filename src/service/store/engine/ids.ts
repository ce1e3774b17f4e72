/**
 * Monotonic ids, with one counter per kind for the whole service. Autoincrement does not fit: keys lead with company_id, and
 * ids must be unique across companies. SQLite takes ids in the transaction that uses them. PostgreSQL takes them on another
 * connection (`takeApart`), otherwise every writer would wait at the counter for the others' commits. There, the ids of a
 * rolled-back transaction are never used.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { gathered } from './batch.ts';
import { isSqlite, jsonRows, written } from './bulk-sql.ts';
import { prepared } from './prepared.ts';

const apart = new WeakMap<Db, Db>();

/** From now on, takes ids for `tx` on another connection, which commits each one at once. */
export const takeApart = (tx: Db, counters: Db): void => {
  apart.set(tx, counters);
};

type Counted = { readonly name: string; readonly last: number };

/**
 * Skips the fsync of the counter on PostgreSQL. The write-ahead log is ordered, so the commit that uses an id also makes the
 * counter durable. `set_config` is local to the statement, because a pooler may give the connection to another client next.
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
  // A fixed lock order prevents deadlocks between processes that take several counters.
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

/** Takes `count` consecutive ids of a kind and returns the first. */
export const takeIds = (tx: Db, name: string, count = 1): Promise<number> =>
  takeAll(tx, { name, count });

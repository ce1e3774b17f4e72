/**
 * Stamps changes in the order in which they commit (decisions §14.1). A machine's clock cannot: two processes disagree, it may go
 * back, and a transaction that began earlier may commit later. The writes of a company run one after another, because each holds
 * the company's lock until it has committed. Under this lock a stamp is the current time, but at least one millisecond after every
 * stamp that committed before. A reader who has seen a stamp has therefore seen all smaller ones.
 */
import { sql } from 'kysely';
import { gathered } from './batch.ts';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';

/** The latest stamp of each company in a transaction. Its changes may share a stamp, because they commit together. */
const transactions = new WeakMap<Db, Map<number, number>>();

/** Call it when a transaction begins, and when it returns to a savepoint: the stamps since then were not kept. */
export const beginStamps = (tx: Db): void => {
  transactions.set(tx, new Map());
};

/** Takes the company's next stamp, and its lock if the transaction does not hold it yet. */
const move = prepared((tx: Db, { company_id, now }: Record<'company_id' | 'now', number>) =>
  tx
    .updateTable('companies')
    .set({
      changed_at: sql<number>`case when changed_at < ${now} then ${now} else changed_at + 1 end`,
    })
    .where('id', '=', company_id)
    .returning('changed_at'),
);

interface Change {
  readonly company_id: number;
  readonly now: number;
}

const takeStamps = gathered(async (tx, changes: readonly Change[]) => {
  const stamps = transactions.get(tx);
  if (stamps === undefined) throw new Error('a change was stamped outside a write');
  const latest = new Map<number, number>();
  for (const { company_id, now } of changes)
    latest.set(company_id, Math.max(now, latest.get(company_id) ?? 0));
  for (const [company_id, now] of latest) {
    if ((stamps.get(company_id) ?? -1) >= now) continue;
    const [row] = await move(tx, { company_id, now });
    if (row === undefined) throw new Error('a change of a company that is not there');
    stamps.set(company_id, row.changed_at);
  }
  return changes.map(({ company_id }) => stamps.get(company_id) ?? 0);
});

/** The stamp of a change in a write of this company: at least `now`. */
export const stampChange = (tx: Db, company_id: number, now: number): Promise<number> =>
  takeStamps(tx, { company_id, now });

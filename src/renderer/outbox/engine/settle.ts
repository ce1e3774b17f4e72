/**
 * Settles operations: ONE Dexie transaction writes the server's answer and the id mapping and removes the operation; then the
 * journal is updated. Concurrent settlements share a transaction, because a durable commit costs the same for one as
 * for fifty.
 * A tombstone stays until the journal has confirmed, so that a crash between the two is repaired later.
 */
import type { Deps, LinkRow, OutboxOperation, SpotterDb, TombstoneRow } from '../../data/db/db.ts';
import { tablesOfForgetting } from '../../data/near-misses/forget.ts';

/** Writes the outcome inside the transaction and returns the new id mappings. */
export type Write = (db: SpotterDb) => Promise<readonly LinkRow[]>;

interface Waiting {
  readonly operation: OutboxOperation;
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Deletes tombstones inside a transaction. Ids of one drain are adjacent, so they are deleted in ranges, and a range
 * costs as much as one key. Never deletes an id that is not listed.
 */
const dropStones = async (db: SpotterDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const over = new Set(ids);
  const [first = '', ...more] = [...over].sort();
  const range = (from: string, to: string) =>
    db.tombstones.where('operation_id').between(from, to, true, true);
  const runs: string[][] = [[]];
  for (const key of await range(first, more.at(-1) ?? first).primaryKeys())
    if (over.has(key)) runs.at(-1)?.push(key);
    else runs.push([]);
  const full = runs.filter((run) => run.length > 0);
  await Promise.all(full.map((run) => range(run[0] ?? '', run.at(-1) ?? '').delete()));
};

const MAX = 100;
/** The most operations per journal call; an operation brings at most one id mapping. */
const REPORTED_MAX = 200;

export interface Settler {
  /** Resolves after the commit. Rejects if the database refused; then the operation is still queued. */
  settle(operation: OutboxOperation, write: Write): Promise<void>;
  /** Resolves once the journal has every commit. */
  idle(): Promise<void>;
}

export const createSettler = ({ db, host, clock, history }: Deps): Settler => {
  let queue: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let reporting: Promise<void> | null = null;
  /** Committed, not yet confirmed by the journal. */
  const unacked: TombstoneRow[] = [];
  /** Confirmed by the journal. Their tombstones are deleted with the next commit, at no extra cost. */
  const acked: string[] = [];

  const commit = async (batch: readonly Waiting[]): Promise<TombstoneRow[]> =>
    db.transaction(
      'rw',
      [
        ...history.tables(db),
        ...tablesOfForgetting(db),
        db.photos,
        db.operations,
        db.links,
        db.tombstones,
        db.catalogs,
        db.tm_attachments,
        db.insurances,
        db.company_records,
        db.memberships,
        db.hooks,
        db.triggers,
        db.outcomes,
      ],
      async () => {
        // Delete the operations first, so that the writes see the lane without them.
        await db.operations.bulkDelete(batch.map(({ operation }) => operation.id));
        const stones: TombstoneRow[] = [];
        const inOrder = async (lane: readonly Waiting[]): Promise<void> => {
          for (const { operation, write } of lane)
            stones.push({ operation_id: operation.id, links: await write(db) });
        };
        // Lanes are independent, and the database answers concurrent requests in the time of one.
        const lanes = Map.groupBy(batch, ({ operation }) => operation.lane);
        await Promise.all([...lanes.values()].map(inOrder));
        await dropStones(db, acked.splice(0));
        const all = stones.flatMap(({ links }) => links);
        const operations = batch.map(({ operation }) => operation);
        await Promise.all([
          history.delivered(db, operations, clock.now()),
          db.links.bulkPut(all),
          db.tombstones.bulkPut(stones),
        ]);
        return stones;
      },
    );

  /**
   * Reports to the journal all operations that were committed during its last call: one fsync costs the same for one as
   * for many.
   */
  const report = async (): Promise<void> => {
    while (unacked.length > 0) {
      const stones = unacked.splice(0, REPORTED_MAX);
      const operation_ids = stones.map(({ operation_id }) => operation_id);
      const links = stones.flatMap((stone) => [...stone.links]);
      const answer = await host.call('journal.settle', { operation_ids, links });
      // On failure the tombstones stay, and `repairJournal` sends them again.
      if (answer.ok) acked.push(...operation_ids);
    }
    if (flushing !== null || acked.length === 0) return;
    await db.transaction('rw', db.tombstones, () => dropStones(db, acked.splice(0)));
  };

  const reportSoon = (): void => {
    reporting ??= report()
      .catch(() => {})
      .finally(() => {
        reporting = null;
        if (unacked.length > 0) reportSoon();
      });
  };

  const flushOne = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const stones = await commit(batch);
      unacked.push(...stones);
      reportSoon();
      for (const one of batch) one.resolve();
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One bad settlement must not fail the others.
      else for (const one of batch) await flushOne([one]);
    }
  };

  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX);
      queue = queue.slice(MAX);
      await flushOne(batch);
    }
    flushing = null;
  };

  return {
    settle: (operation, write) =>
      new Promise<void>((resolve, reject) => {
        queue.push({ operation, write, resolve, reject });
        flushing ??= flush();
      }),
    async idle() {
      await flushing;
      while (reporting !== null) await reporting;
    },
  };
};

/**
 * The end of an entry: ONE Dexie transaction writes what the server said, the id link, and removes the entry; then the
 * journal is told. Settlements that arrive together are written together, because a durable commit costs the same for
 * one as for fifty. A tombstone stays until the journal has answered, so that a crash between the two is finished later.
 */
import type { Deps, LinkRow, OutboxEntry, SpotterDb, TombstoneRow } from '../data/db.ts';

/** Writes the outcome inside the transaction and answers the ids it brought. */
export type Write = (db: SpotterDb) => Promise<readonly LinkRow[]>;

interface Waiting {
  readonly entry: OutboxEntry;
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inside a transaction: takes tombstones away by ranges. Those of a drain lie side by side, and a range costs what a single key
 * does; what lies between is somebody else's and stays.
 */
const dropStones = async (db: SpotterDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const over = new Set(ids);
  const [first = '', ...more] = [...over].sort();
  const range = (from: string, to: string) =>
    db.tombstones.where('entry_id').between(from, to, true, true);
  const runs: string[][] = [[]];
  for (const key of await range(first, more.at(-1) ?? first).primaryKeys())
    if (over.has(key)) runs.at(-1)?.push(key);
    else runs.push([]);
  const full = runs.filter((run) => run.length > 0);
  await Promise.all(full.map((run) => range(run[0] ?? '', run.at(-1) ?? '').delete()));
};

const MAX = 100;
/** Entries told to the journal at once: an entry brings at most one link. */
const TELL_MAX = 200;

export interface Settler {
  /** Resolves after the commit. Rejects where the database refused; the entry is then still there. */
  settle(entry: OutboxEntry, write: Write): Promise<void>;
  /** Until the journal knows of everything committed. */
  idle(): Promise<void>;
}

export const createSettler = ({ db, host, clock, history }: Deps): Settler => {
  let queue: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let telling: Promise<void> | null = null;
  /** Committed, not yet told to the journal. */
  const untold: TombstoneRow[] = [];
  /** Told to the journal; their tombstones go with the next commit, which costs nothing more. */
  const told: string[] = [];

  const commit = async (batch: readonly Waiting[]): Promise<TombstoneRow[]> =>
    db.transaction(
      'rw',
      [
        ...history.tables(db),
        db.near_misses,
        db.photos,
        db.entries,
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
        // The entries go first: what is written then sees the lane without them.
        await db.entries.bulkDelete(batch.map(({ entry }) => entry.id));
        const stones: TombstoneRow[] = [];
        const inOrder = async (lane: readonly Waiting[]): Promise<void> => {
          for (const { entry, write } of lane)
            stones.push({ entry_id: entry.id, links: await write(db) });
        };
        // Side by side: the database answers many questions in the time of one.
        const lanes = Map.groupBy(batch, ({ entry }) => entry.lane);
        await Promise.all([...lanes.values()].map(inOrder));
        await dropStones(db, told.splice(0));
        const all = stones.flatMap(({ links }) => links);
        const entries = batch.map(({ entry }) => entry);
        await Promise.all([
          history.delivered(db, entries, clock.now()),
          db.links.bulkPut(all),
          db.tombstones.bulkPut(stones),
        ]);
        return stones;
      },
    );

  /** What was committed while the journal wrote is told in one go: its fsync costs the same for one as for many. */
  const tell = async (): Promise<void> => {
    while (untold.length > 0) {
      const stones = untold.splice(0, TELL_MAX);
      const entry_ids = stones.map(({ entry_id }) => entry_id);
      const links = stones.flatMap((stone) => [...stone.links]);
      const answer = await host.call('journal.settle', { entry_ids, links });
      // Else the tombstones stay and `repairJournal` says it again.
      if (answer.ok) told.push(...entry_ids);
    }
    if (flushing !== null || told.length === 0) return;
    await db.transaction('rw', db.tombstones, () => dropStones(db, told.splice(0)));
  };

  const tellSoon = (): void => {
    telling ??= tell()
      .catch(() => {})
      .finally(() => {
        telling = null;
        if (untold.length > 0) tellSoon();
      });
  };

  const flushOne = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const stones = await commit(batch);
      untold.push(...stones);
      tellSoon();
      for (const one of batch) one.resolve();
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One bad settlement must not take the others with it.
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
    settle: (entry, write) =>
      new Promise<void>((resolve, reject) => {
        queue.push({ entry, write, resolve, reject });
        flushing ??= flush();
      }),
    async idle() {
      await flushing;
      while (telling !== null) await telling;
    },
  };
};

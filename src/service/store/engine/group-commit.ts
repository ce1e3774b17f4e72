/**
 * Group commit for both databases: writes that wait in one queue share a transaction, so one fsync serves many requests.
 * Savepoints keep a failed write from undoing the others. Writes run in order; concurrent (`beside`) writes run together and
 * their statements are batched (batch.ts). If the database aborts the transaction (deadlock, serialization failure), the whole
 * group is retried a bounded number of times.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { gather } from './batch.ts';
import { beginStamps } from './change-clock.ts';

/** Maximum number of writes in one commit. A whole batch fits (decisions §13.1). */
const GROUP_MAX = 128;
const TRIES = 8;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 400;

export interface Transactions {
  connection(run: (db: Db) => Promise<void>): Promise<void>;
  /** Begins a transaction and waits for its turn among the writes of this queue in every process. */
  begin(db: Db, queue: number): Promise<void>;
  commit(db: Db): Promise<void>;
  /** True if the transaction was rolled back and a retry may succeed. */
  mayRunAgain(error: unknown): boolean;
  /** True if the error lost the whole transaction, not only a statement. */
  isLost(error: unknown): boolean;
}

interface Waiting {
  readonly beside: boolean;
  readonly work: (tx: Db) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

/** Splits a group into units: a single exclusive write, or a run of consecutive concurrent writes. */
const unitsOf = (group: readonly Waiting[]): readonly (readonly Waiting[])[] => {
  const units: Waiting[][] = [];
  for (const member of group) {
    const last = units.at(-1);
    if (member.beside && last?.[0]?.beside === true) last.push(member);
    else units.push([member]);
  }
  return units;
};

/**
 * Waits for all members, because no statement may run after the savepoint is gone. A failed deferred write cannot be attributed
 * to a member, so it fails the whole unit. Each member then gets its own error when it runs alone.
 */
const attempt = async (tx: Db, unit: readonly Waiting[], on: Transactions) => {
  const { value: ends, unread } = await gather(tx, () =>
    Promise.allSettled(unit.map(({ work }) => work(tx))),
  );
  const failed = unit.flatMap((member, index) => {
    const end = ends[index];
    if (unread !== null) return [{ member, error: unread.error }];
    return end?.status === 'rejected' ? [{ member, error: end.reason as unknown }] : [];
  });
  const fatal = failed.find(({ error }) => on.mayRunAgain(error) || on.isLost(error));
  if (fatal) throw fatal.error;
  const settle: Settle[] = unit.map((member, index) => () => {
    const end = ends[index];
    if (end?.status === 'fulfilled') member.resolve(end.value as never);
  });
  return { failed, settle };
};

/**
 * A failure rolls back the whole unit, because its members share statements. The others then run again together, and each
 * failed member runs alone. Every round drops at least one member from the unit.
 */
const runUnit = async (
  tx: Db,
  unit: readonly Waiting[],
  on: Transactions,
): Promise<readonly Settle[]> => {
  await sql`savepoint member`.execute(tx);
  const { failed, settle } = await attempt(tx, unit, on);
  if (failed.length > 0) {
    await sql`rollback to savepoint member`.execute(tx);
    beginStamps(tx);
  }
  await sql`release savepoint member`.execute(tx);
  const [first] = failed;
  if (!first) return settle;
  if (unit.length === 1) return [() => first.member.reject(first.error)];
  const refused = new Set(failed.map(({ member }) => member));
  const rest = unit.filter((member) => !refused.has(member));
  const again: Settle[] = rest.length > 0 ? [...(await runUnit(tx, rest, on))] : [];
  for (const member of refused) again.push(...(await runUnit(tx, [member], on)));
  return again;
};

/** Thrown if some members of a unit failed that ran without a savepoint. */
class RefusedInPart extends Error {}

/**
 * A single unit first runs without a savepoint, because a rollback of the transaction undoes it. If only some members fail,
 * everything runs again with savepoints (`careful`).
 */
const runMembers = async (
  tx: Db,
  group: readonly Waiting[],
  on: Transactions,
  careful: boolean,
): Promise<readonly Settle[]> => {
  const units = unitsOf(group);
  const [only] = units;
  if (only && units.length === 1 && !careful) {
    const { failed, settle } = await attempt(tx, only, on);
    const [first] = failed;
    if (!first) return settle;
    throw only.length === 1 ? first.error : new RefusedInPart();
  }
  const settle: Settle[] = [];
  for (const unit of units) settle.push(...(await runUnit(tx, unit, on)));
  return settle;
};

/** Exponential backoff with jitter, so that two colliding processes do not collide again. */
const pause = (tried: number): Promise<void> => {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tried);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
};

const runOnce = async (
  on: Transactions,
  queue: number,
  group: readonly Waiting[],
  careful: boolean,
): Promise<readonly Settle[]> => {
  let settle: readonly Settle[] = [];
  await on.connection(async (db) => {
    try {
      await on.begin(db, queue);
      settle = await runMembers(db, group, on, careful);
      await on.commit(db);
    } catch (error) {
      // A member or the commit failed (disk full, I/O error): no write of the group takes effect.
      await sql`rollback`.execute(db).catch(() => undefined);
      throw error;
    }
  });
  return settle;
};

const runGroup = async (
  on: Transactions,
  queue: number,
  group: readonly Waiting[],
): Promise<void> => {
  let careful = false;
  for (let tried = 0; ; tried += 1)
    try {
      for (const done of await runOnce(on, queue, group, careful)) done();
      return;
    } catch (error) {
      if (error instanceof RefusedInPart) {
        careful = true;
        continue;
      }
      if (tried + 1 >= TRIES || !on.mayRunAgain(error)) {
        for (const member of group) member.reject(error);
        return;
      }
      await pause(tried);
    }
};

export interface Groups {
  write<T>(queue: number, work: (tx: Db) => Promise<T>, beside?: boolean): Promise<T>;
  /** Resolves when all queues are empty. */
  settled(): Promise<void>;
}

/** Queues run concurrently. The writes of one queue run in order. */
export const groupWrites = (on: Transactions): Groups => {
  const queues = new Map<number, Waiting[]>();
  const running = new Set<Promise<void>>();

  const drain = async (queue: number, waiting: Waiting[]): Promise<void> => {
    // Wait one turn of the event loop, so that requests that arrived together join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await runGroup(on, queue, waiting.splice(0, GROUP_MAX));
    queues.delete(queue);
  };

  return {
    write: <T>(queue: number, work: (tx: Db) => Promise<T>, beside = false) =>
      new Promise<T>((resolve, reject) => {
        const member = { beside, work, resolve: resolve as (value: never) => void, reject };
        const waiting = queues.get(queue);
        if (waiting) {
          waiting.push(member);
          return;
        }
        const fresh = [member];
        queues.set(queue, fresh);
        const run = drain(queue, fresh).finally(() => running.delete(run));
        running.add(run);
      }),
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};

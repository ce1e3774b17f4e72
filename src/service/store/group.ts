/**
 * Group commit, the same for both databases: writes of one queue that wait together run in one transaction, so that one fsync
 * serves many requests, and under a savepoint, so that a refused write undoes only itself. They run one after the other; writes
 * that may run beside each other do, and their statements are gathered (gather.ts). What the database itself gives up (a
 * deadlock, a serialisation failure) is run again as a whole, a bounded number of times.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { gather } from './gather.ts';

/** Writes that share one commit at most. */
const GROUP_MAX = 64;
const TRIES = 8;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 400;

/** What differs between databases. */
export interface Transactions {
  /** Gives a connection to `run` for as long as it takes. */
  connection(run: (db: Db) => Promise<void>): Promise<void>;
  /** Begins, and waits for its turn among the writes of this queue in every process. */
  begin(db: Db, queue: number): Promise<void>;
  commit(db: Db): Promise<void>;
  /** Nothing of the transaction happened, and it may well succeed if it is run again. */
  mayRunAgain(error: unknown): boolean;
  /** The transaction is lost, not only the statement. */
  isLost(error: unknown): boolean;
}

interface Waiting {
  readonly beside: boolean;
  readonly work: (tx: Db) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

/** Members that run beside each other: one that runs alone, or all of a row that may. */
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
 * Everybody's end is waited for: nobody's statement may come after the savepoint is gone. A write that nobody waited for was
 * somebody's: where it fails, all of the unit count as refused, and each is told its own when it runs alone.
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
 * What one refuses is undone for all of its unit, for they share their statements. Then those that were refused run again,
 * each by itself, and the others beside each other, until nobody is refused: at most once for each of them.
 */
const runUnit = async (
  tx: Db,
  unit: readonly Waiting[],
  on: Transactions,
): Promise<readonly Settle[]> => {
  await sql`savepoint member`.execute(tx);
  const { failed, settle } = await attempt(tx, unit, on);
  if (failed.length > 0) await sql`rollback to savepoint member`.execute(tx);
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

/** Some of a unit that ran without a savepoint were refused. */
class RefusedInPart extends Error {}

/**
 * One unit needs no savepoint at first: undoing it is undoing everything. When only some of it are refused, everything is run
 * again with one (`careful`).
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

/** Grows with every try, and is never the same for two processes that met. */
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
      // Refused, or the commit failed (disk full, I/O): nobody's write happened.
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
  /** Waits for everything that is under way. */
  settled(): Promise<void>;
}

/** Queues run beside each other; the writes of one run in order. */
export const groupWrites = (on: Transactions): Groups => {
  const queues = new Map<number, Waiting[]>();
  const running = new Set<Promise<void>>();

  const drain = async (queue: number, waiting: Waiting[]): Promise<void> => {
    // One turn of the loop lets the requests that arrived together join the first group.
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

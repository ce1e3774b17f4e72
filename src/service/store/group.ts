/**
 * Group commit, the same for both databases: writes of one queue that wait together run in one transaction, each under a
 * savepoint of its own, so that one fsync serves many requests and a refused write undoes only itself. What the
 * database itself gives up (a deadlock, a serialisation failure) is run again as a whole, a bounded number of times.
 */
import { sql } from 'kysely';
import type { Db } from './db.ts';

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
  readonly work: (tx: Db) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

const runMember = async (tx: Db, member: Waiting, on: Transactions): Promise<Settle> => {
  await sql`savepoint member`.execute(tx);
  try {
    const value = (await member.work(tx)) as never;
    await sql`release savepoint member`.execute(tx);
    return () => member.resolve(value);
  } catch (error) {
    if (on.mayRunAgain(error) || on.isLost(error)) throw error;
    await sql`rollback to savepoint member`.execute(tx);
    await sql`release savepoint member`.execute(tx);
    return () => member.reject(error);
  }
};

/** A write alone needs no savepoint: undoing it is undoing everything. */
const runAlone = async (tx: Db, member: Waiting): Promise<Settle> => {
  const value = (await member.work(tx)) as never;
  return () => member.resolve(value);
};

const runMembers = async (
  tx: Db,
  group: readonly Waiting[],
  on: Transactions,
): Promise<Settle[]> => {
  const [only] = group;
  if (only && group.length === 1) return [await runAlone(tx, only)];
  const settle: Settle[] = [];
  for (const member of group) settle.push(await runMember(tx, member, on));
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
): Promise<readonly Settle[]> => {
  let settle: readonly Settle[] = [];
  await on.connection(async (db) => {
    try {
      await on.begin(db, queue);
      settle = await runMembers(db, group, on);
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
  for (let tried = 0; ; tried += 1)
    try {
      for (const done of await runOnce(on, queue, group)) done();
      return;
    } catch (error) {
      if (tried + 1 >= TRIES || !on.mayRunAgain(error)) {
        for (const member of group) member.reject(error);
        return;
      }
      await pause(tried);
    }
};

export interface Groups {
  write<T>(queue: number, work: (tx: Db) => Promise<T>): Promise<T>;
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
    write: <T>(queue: number, work: (tx: Db) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const member = { work, resolve: resolve as (value: never) => void, reject };
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

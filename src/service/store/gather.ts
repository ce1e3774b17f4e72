/**
 * Statements of what runs beside each other, made into one: what all of them ask for in the same turn goes to the database
 * together, once, and each gets its own part of the answer. Of writes that share a transaction, and, where the database is a
 * journey away, of requests that have arrived together. The rules above see none of this: each is written for one record.
 */
import type { Db } from './db.ts';

/** Runs for all inputs at once, and answers each in its place. */
export type Many<In, Out> = (db: Db, inputs: readonly In[]) => Promise<readonly Out[]>;

interface Call {
  readonly input: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Gathering {
  readonly waiting: Map<Many<never, unknown>, Call[]>;
  /** Runs when nobody asks for more in this turn. */
  readonly whenAllWait: (run: () => void) => void;
  /** Writes of a transaction whose answers nobody reads. */
  readonly unread: Promise<unknown>[] | null;
}

const gatherings = new WeakMap<Db, Gathering>();

const flush = async (db: Db, many: Many<never, unknown>, calls: readonly Call[]): Promise<void> => {
  try {
    const answers = await many(db, calls.map(({ input }) => input) as never[]);
    for (const [index, { resolve }] of calls.entries()) resolve(answers[index] as never);
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
};

/** After everything that can go on without an answer has gone on: every write has come to its next question. */
const afterThisTurn = (run: () => void): void => {
  void Promise.resolve().then(() => process.nextTick(run));
};

/** A statement for one, made of a statement for many. Alone, and where nothing is gathered, it runs at once for its one. */
export const gathered =
  <In, Out>(many: Many<In, Out>): ((db: Db, input: In) => Promise<Out>) =>
  async (db, input) => {
    const gathering = gatherings.get(db);
    if (!gathering) return (await many(db, [input]))[0] as Out;
    const { waiting, whenAllWait } = gathering;
    const key = many as Many<never, unknown>;
    return new Promise<Out>((resolve, reject) => {
      const call = { input, resolve: resolve as (value: never) => void, reject };
      const calls = waiting.get(key);
      if (calls) {
        calls.push(call);
        return;
      }
      const fresh = [call];
      waiting.set(key, fresh);
      whenAllWait(() => {
        waiting.delete(key);
        void flush(db, key, fresh);
      });
    });
  };

/**
 * A write whose answer says nothing: whoever asked for it goes on, and the transaction waits for it before it ends. Only for what
 * comes last: a statement that is not gathered may overtake it.
 */
export const unread = async (db: Db, write: Promise<unknown>): Promise<void> => {
  const all = gatherings.get(db)?.unread;
  if (!all) return void (await write);
  // Until the transaction looks at it, nobody does.
  write.catch(() => undefined);
  all.push(write);
};

/** What `run` answers, and the first of its unread writes that failed. */
export interface Gathered<T> {
  readonly value: T;
  readonly unread: { readonly error: unknown } | null;
}

/** While `run` lasts, what is asked of this `db` in one turn is asked together. */
export const gather = async <T>(db: Db, run: () => Promise<T>): Promise<Gathered<T>> => {
  const all: Promise<unknown>[] = [];
  gatherings.set(db, { waiting: new Map(), whenAllWait: afterThisTurn, unread: all });
  try {
    const value = await run();
    const ends = await Promise.allSettled(all);
    const failed = ends.find((end) => end.status === 'rejected');
    return { value, unread: failed === undefined ? null : { error: failed.reason } };
  } finally {
    gatherings.delete(db);
  }
};

/** From now on what requests ask of this `db` is asked together, of all whose bytes the event loop hands out in one round. */
export const gatherRequests = (db: Db): void => {
  gatherings.set(db, {
    waiting: new Map(),
    whenAllWait: (run) => void setImmediate(run),
    unread: null,
  });
};

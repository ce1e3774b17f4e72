/**
 * Batches the queries of concurrent work, as a data loader does: calls made in one tick become one statement, and each caller
 * gets its own result. It batches writes that share a transaction and, on PostgreSQL, requests that arrive together. Domain
 * code is unaware of it and handles one record at a time.
 */
import type { Db } from './db.ts';

/** Runs for all inputs at once. Returns the results in the order of the inputs. */
export type Many<In, Out> = (db: Db, inputs: readonly In[]) => Promise<readonly Out[]>;

interface Call {
  readonly input: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Gathering {
  readonly waiting: Map<Many<never, unknown>, Call[]>;
  /** Schedules `run` for when no more calls can join the batch. */
  readonly whenAllWait: (run: () => void) => void;
  /** Deferred writes of a transaction; null outside one. */
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

/** Runs after the current promise callbacks, when every concurrent write has issued its next query. */
const afterThisTurn = (run: () => void): void => {
  void Promise.resolve().then(() => process.nextTick(run));
};

/** Turns a batch function into a function for one input. Outside `gather` and `gatherRequests` it runs immediately. */
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
 * Defers a write if its result is not needed. The caller continues, and the transaction waits for the write before it ends. Use
 * it only for a last write: a statement that is not batched may overtake it.
 */
export const unread = async (db: Db, write: Promise<unknown>): Promise<void> => {
  const all = gatherings.get(db)?.unread;
  if (!all) return void (await write);
  // Prevents an unhandled rejection until `gather` inspects the promise.
  write.catch(() => undefined);
  all.push(write);
};

/** The result of `run`, and the first deferred write that failed. */
export interface Gathered<T> {
  readonly value: T;
  readonly unread: { readonly error: unknown } | null;
}

/** Batches the queries on this `db` that fall in one tick, until `run` ends. */
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

/** From now on, batches the queries of all requests that arrive in one round of the event loop. */
export const gatherRequests = (db: Db): void => {
  gatherings.set(db, {
    waiting: new Map(),
    whenAllWait: (run) => void setImmediate(run),
    unread: null,
  });
};

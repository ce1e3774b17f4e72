/**
 * Statements of writes that run beside each other in one transaction, made into one: what all of them ask for in the same
 * turn goes to the database together, once, and each gets its own part of the answer. The rules above see none of this: each
 * is written for one record.
 */
import type { Db } from './db.ts';

/** Runs for all inputs at once, and answers each in its place. */
export type Many<In, Out> = (db: Db, inputs: readonly In[]) => Promise<readonly Out[]>;

interface Call {
  readonly input: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Waiting = Map<Many<never, unknown>, Call[]>;

const gatherings = new WeakMap<Db, Waiting>();

const flush = async (db: Db, many: Many<never, unknown>, calls: readonly Call[]): Promise<void> => {
  try {
    const answers = await many(db, calls.map(({ input }) => input) as never[]);
    for (const [index, { resolve }] of calls.entries()) resolve(answers[index] as never);
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
};

/** After everything that can go on without an answer has gone on: every write has come to its next question. */
const whenAllWait = (run: () => void): void => {
  void Promise.resolve().then(() => process.nextTick(run));
};

/** A statement for one, made of a statement for many. Alone, and outside `gather`, it runs at once for its one. */
export const gathered =
  <In, Out>(many: Many<In, Out>): ((db: Db, input: In) => Promise<Out>) =>
  async (db, input) => {
    const waiting = gatherings.get(db);
    if (!waiting) return (await many(db, [input]))[0] as Out;
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

/** While `run` lasts, what is asked of this `db` in one turn is asked together. */
export const gather = async <T>(db: Db, run: () => Promise<T>): Promise<T> => {
  gatherings.set(db, new Map());
  try {
    return await run();
  } finally {
    gatherings.delete(db);
  }
};

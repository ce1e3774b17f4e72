/**
 * A Dexie liveQuery as a rune (paced.ts): the value is read again whenever the rows it came from change, in this window or in
 * another, and whenever something reactive that the query was made from changes.
 */
import { paced, type Paced } from './paced.ts';

export interface Live<T> {
  /** Undefined until the first answer. */
  readonly value: T | undefined;
  /** The database could not be read. */
  readonly error: unknown;
  /** Settles when `value` shows what the database has by now. */
  readonly now: () => Promise<void>;
}

/**
 * @param make reads what the query depends on (synchronously, so that runes notice) and answers the query itself.
 * To be called while a component is set up.
 */
export const live = <T>(make: () => () => Promise<T>): Live<T> => {
  let value = $state.raw<T | undefined>(undefined);
  let error = $state.raw<unknown>(undefined);
  let reading: Paced | null = null;
  $effect(() => {
    const query = make();
    reading = paced(query, {
      next: (got) => {
        value = got;
        error = undefined;
      },
      error: (problem) => {
        error = problem;
      },
    });
    return reading.stop;
  });
  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    now: async () => reading?.now(),
  };
};

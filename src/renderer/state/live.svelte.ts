/**
 * A Dexie liveQuery as reactive state (throttle.ts). Runs again when its rows change, in any window, and when the reactive state
 * it depends on changes.
 */
import { throttled, type Throttled } from './throttle.ts';

export interface Live<T> {
  /** Undefined before the first result. */
  readonly value: T | undefined;
  /** Set if the database could not be read. */
  readonly error: unknown;
  /** Resolves once `value` reflects the database. */
  readonly now: () => Promise<void>;
}

/**
 * @param make reads the query's reactive dependencies synchronously, so that runes track them, and returns the query
 * Must be called during component setup.
 */
export const live = <T>(make: () => () => Promise<T>): Live<T> => {
  let value = $state.raw<T | undefined>(undefined);
  let error = $state.raw<unknown>(undefined);
  let reading: Throttled | null = null;
  $effect(() => {
    const query = make();
    reading = throttled(query, {
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

/**
 * A throttled liveQuery. While the queue drains, the database changes many times a second. Repeating a query over ten thousand
 * rows each time would freeze the window. So after an expensive result the query pauses for several times its duration, then
 * picks up the changes made meanwhile. A cheap query stays fully live.
 */
import { Dexie, liveQuery } from 'dexie';

/** A query that takes longer counts as expensive, in milliseconds. */
const CHEAP = 20;
/** Pause as a multiple of the query's duration, and its maximum in milliseconds, which bounds how stale a result gets. */
const REST = 5;
const REST_MAX = 3_000;

export interface Hearer<T> {
  readonly next: (value: T) => void;
  readonly error?: (problem: unknown) => void;
}

export interface Throttled {
  readonly stop: () => void;
  /** Queries at once, ignoring the pause. Resolves once the result was delivered, or if there will be none. */
  readonly now: () => Promise<void>;
}

/** Delivers the result now and after every change, until stopped. */
export const throttled = <T>(query: () => Promise<T>, hearer: Hearer<T>): Throttled => {
  let ended = false;
  let end: () => void = () => {};
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const heard = waiting;
    waiting = [];
    for (const done of heard) done();
  };

  const rest = (ms: number): void => {
    let [changed, over] = [false, false];
    const goOn = (): void => {
      if (!changed || !over) return;
      end();
      if (!ended) listen();
    };
    const note = (): void => {
      changed = true;
      goOn();
    };
    Dexie.on('storagemutated', note);
    const timer = setTimeout(() => {
      over = true;
      goOn();
    }, ms);
    end = () => {
      clearTimeout(timer);
      Dexie.on.storagemutated.unsubscribe(note);
    };
  };

  const listen = (): void => {
    let began = 0;
    const subscription = liveQuery(() => {
      began = performance.now();
      return query();
    }).subscribe({
      next: (value) => {
        const cost = performance.now() - began;
        if (cost > CHEAP) {
          subscription.unsubscribe();
          rest(Math.min(REST_MAX, cost * REST));
        }
        hearer.next(value);
        wake();
      },
      error: (problem: unknown) => {
        hearer.error?.(problem);
        wake();
      },
    });
    end = () => subscription.unsubscribe();
  };

  listen();
  return {
    stop: () => {
      ended = true;
      end();
      wake();
    },
    now: () =>
      new Promise((done) => {
        if (ended) return done();
        waiting.push(done);
        end();
        listen();
      }),
  };
};

/**
 * A liveQuery that takes a breath. While the queue empties the database changes many times a second, and a query over
 * ten thousand rows that is asked again at each change would leave the window no time for the person in front of it. So
 * after a costly answer the query rests for several times as long as it took; what changes meanwhile is read at the end
 * of the rest. A cheap one is as live as ever.
 */
import { Dexie, liveQuery } from 'dexie';

/** An answer that took longer is costly, milliseconds. */
const CHEAP = 20;
/** The rest, in times the cost; and in milliseconds at most: what is shown is never older. */
const REST = 5;
const REST_MAX = 3_000;

export interface Hearer<T> {
  readonly next: (value: T) => void;
  readonly error?: (problem: unknown) => void;
}

export interface Paced {
  readonly stop: () => void;
  /** Reads at once, whatever rests; settles when the answer was told, or there will be none. */
  readonly now: () => Promise<void>;
}

/** Tells the answer now and after every change, until it is stopped. */
export const paced = <T>(query: () => Promise<T>, hearer: Hearer<T>): Paced => {
  let ended = false;
  let end: () => void = () => {};
  let waiting: (() => void)[] = [];
  const told = (): void => {
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
        told();
      },
      error: (problem: unknown) => {
        hearer.error?.(problem);
        told();
      },
    });
    end = () => subscription.unsubscribe();
  };

  listen();
  return {
    stop: () => {
      ended = true;
      end();
      told();
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

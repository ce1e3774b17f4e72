/**
 * Logs a database outage in two lines, one at its start and one at its end. Otherwise every request, sweep and
 * webhook poll would log a full stack, three kilobytes a second.
 */
import type { LoggerOptions } from 'pino';
import { DatabaseUnavailable } from './store/engine/db.ts';

/** Milliseconds between checks during an outage. */
const LOOK_MS = 2_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

export interface OutageLog {
  readonly logMethod: LogMethod;
  /** Enables the detection of the end of an outage. @param answers resolves to true if the database responds */
  watch(answers: () => Promise<boolean>): void;
}

/**
 * @param now a monotonic clock, milliseconds
 * @param look_ms milliseconds between checks during an outage
 */
export const outageLog = (
  now: () => number = () => performance.now(),
  look_ms = LOOK_MS,
): OutageLog => {
  let outage: { readonly began: number; times: number; readonly over: () => void } | null = null;
  let answers: (() => Promise<boolean>) | null = null;

  const look = (): void => {
    const wait = (): void => void setTimeout(look, look_ms).unref();
    if (outage === null || answers === null) return;
    answers().then((well) => (well ? outage?.over() : wait()), wait);
  };

  return {
    logMethod(args, method) {
      const [first] = args as unknown as readonly unknown[];
      const error = first instanceof Object && 'err' in first ? first.err : null;
      if (!(error instanceof DatabaseUnavailable)) {
        method.apply(this, args);
        return;
      }
      if (outage !== null) {
        outage.times += 1;
        return;
      }
      const began = now();
      const over = (): void => {
        const seconds = Math.round((now() - began) / 1000);
        const times = outage?.times;
        outage = null;
        this.warn({ seconds, times }, 'the database answers again');
      };
      outage = { began, times: 1, over };
      this.error({ reason: error.message }, 'the database cannot be reached');
      look();
    },
    watch(asked) {
      answers = asked;
      look();
    },
  };
};

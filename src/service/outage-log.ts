/**
 * A database that is away is told in one line a minute, however many requests, sweeps and looks for webhooks meet it meanwhile: each of
 * them wrote its whole stack, three kilobytes a second.
 */
import type { LoggerOptions } from 'pino';
import { DatabaseUnavailable } from './store/db.ts';

const EVERY_MS = 60_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** @param now milliseconds that only grow */
export const oneLineAnOutage = (now: () => number = () => performance.now()): LogMethod => {
  let told = -Infinity;
  let unsaid = 0;
  return function (args, method) {
    const [first] = args as unknown as readonly unknown[];
    const error = first instanceof Object && 'err' in first ? first.err : null;
    if (!(error instanceof DatabaseUnavailable)) {
      method.apply(this, args);
      return;
    }
    unsaid += 1;
    if (now() - told < EVERY_MS) return;
    const times = unsaid;
    told = now();
    unsaid = 0;
    this.error({ times, reason: error.message }, 'the database cannot be reached');
  };
};

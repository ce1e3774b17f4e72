/**
 * Damaged pages that no request reads would be noticed when it is too late for a copy: every page is looked at soon after the
 * start and once a day (page-check-worker.ts), and `/healthz` tells what was found.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { ownProgram } from '../../disk/own-program.ts';
import type { Store } from './db.ts';
import type { Damage } from './page-check-worker.ts';

/** Whoever starts the service wants its first answers first. */
const FIRST = 5_000;
const DAY = 86_400_000;

/** What is wrong in the file, null where nothing is or `signal` ended the look. Rejects where nothing can be told. */
export const damagedPages = (path: string, signal: AbortSignal): Promise<Damage> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(null);
    const worker = new Worker(ownProgram('page-check-worker', import.meta.url), {
      workerData: path,
      execArgv: [],
    });
    worker.unref();
    const end = (): void => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    worker.once('message', (said: Damage) => resolve(said));
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', end);
      resolve(null);
    });
  });

/** Answers what ends it; a look under way is not waited for longer than its table takes. */
export const keepChecking = (store: Store, log: Logger): (() => void) => {
  const over = new AbortController();
  const look = (): void => {
    store.checkPages(over.signal).then(
      (damage) => {
        if (damage !== null) log.error({ damage }, 'pages of the database are damaged');
      },
      (error: unknown) => log.warn({ err: error }, 'the pages of the database were not looked at'),
    );
  };
  const first = setTimeout(look, FIRST).unref();
  const daily = setInterval(look, DAY).unref();
  return () => {
    clearTimeout(first);
    clearInterval(daily);
    over.abort();
  };
};

/**
 * Checks every page of the database soon after the start and then daily (page-check-worker.ts). Otherwise damage in pages that
 * no request reads would go unnoticed until no recent sound copy is left. `/healthz` reports the result.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { ownProgram } from '../../../../disk/own-program.ts';
import type { Store } from '../db.ts';
import type { Damage } from './page-check-worker.ts';

/** Delays the first check, so that it does not slow down the first requests. */
const FIRST = 5_000;
const DAY = 86_400_000;

/** The damage in the file; null if there is none or `signal` aborted. Rejects if the check cannot run. */
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

/** Starts the checks and returns a function that stops them. A running check stops at the end of its table. */
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

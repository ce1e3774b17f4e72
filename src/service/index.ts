/**
 * Starts the service and stops it again: lock, database, uploads, server, in this order, and back. Everything it needs
 * from outside (clock, options, log) comes in as arguments, so that a test runs the real thing.
 */
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import type { App } from './app.ts';
import { steadyClock } from './clocks.ts';
import { createUploads } from './files/uploads.ts';
import { buildServer } from './http/server.ts';
import { withDefaults, type Options } from './options.ts';
import { handlers } from './routes/index.ts';
import { keepCopies } from './store/copies.ts';
import { keepChecking } from './store/page-check.ts';
import { openStore } from './store/open.ts';
import { importWatch } from './store/import-lock.ts';
import { deleteKeysBefore } from './store/idempotency.ts';
import { joinDataDir, lockDataDir, openDataDir, type DataDirShare } from './store/lock.ts';
import { removeAllLeft } from './store/staging.ts';
import { databaseMoment, momentOf } from './store/webhook-queue.ts';
import type { Resolve } from './webhooks/guard.ts';
import { warnOfOtherKey } from './webhooks/same-key.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

export interface StartInput {
  /** What is left out takes the default of options.ts. */
  readonly options?: Partial<Options>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly log?: Logger;
  /** Runs before anybody is served. */
  readonly prepare?: (app: App) => Promise<void>;
  /** Names to addresses, for webhooks; the system's name servers when left out. */
  readonly resolve?: Resolve;
}

export interface Service {
  /** `http://127.0.0.1:3210`, no slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** Finishes running requests, then closes everything. */
  stop(): Promise<void>;
}

const HOUR = 3_600_000;

/** Keys of one transaction: others wait for it. */
const KEYS_PER_SWEEP = 200;

/** Deletes kept answers that are too old to count, now and every hour. Answers what ends it. */
const forgetOldKeys = (
  { store, steady, log }: Pick<App, 'store' | 'steady' | 'log'>,
  window: number,
): (() => Promise<void>) => {
  let stopped = false;
  const forget = async (): Promise<void> => {
    let deleted = 0;
    for (let gone = KEYS_PER_SWEEP; gone === KEYS_PER_SWEEP && !stopped; deleted += gone)
      gone = await store.write((tx) => deleteKeysBefore(tx, steady() - window, KEYS_PER_SWEEP));
    if (deleted > 0) log.info({ deleted }, 'idempotency keys swept');
  };
  // A failure is tried again in an hour: keys too old to count are never answered from anyway.
  let running = Promise.resolve();
  const run = (): void => {
    running = running
      .then(forget)
      .catch((error: unknown) => log.error({ err: error }, 'idempotency keys could not be swept'));
  };
  const timer = setInterval(run, HOUR).unref();
  run();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
};

const addressFor = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** @throws {DataDirBusy} when another process uses the data folder @throws {UnusableFolder} */
export const startService = async (input: StartInput = {}): Promise<Service> => {
  const options = withDefaults(input.options ?? {});
  const clock = input.clock ?? Date.now;
  const now = () => Math.floor(clock());
  const steady = steadyClock(clock);
  const log = input.log ?? pino({ level: 'silent' });
  for (const warning of await openDataDir(options['data-dir'])) log.warn(warning);
  // A second process is welcome where the database is shared.
  const folder: DataDirShare =
    options['database-url'] === ''
      ? { alone: true, open: () => undefined, leave: lockDataDir(options['data-dir']) }
      : joinDataDir(options['data-dir']);
  const undo: (() => unknown)[] = [folder.leave];
  try {
    if (options['database-url'] === '') await removeAllLeft(options['data-dir']);
    const store = await openStore(options, importWatch(options['data-dir']));
    undo.unshift(() => store.close());
    for (const warning of store.warnings) log.warn(warning);
    undo.unshift(forgetOldKeys({ store, steady, log }, options['idempotency-window']));
    const uploads = await createUploads({
      options,
      store,
      now,
      steady,
      log,
      alone: folder.alone,
    });
    folder.open();
    undo.unshift(() => uploads.stop());
    const { resolve } = input;
    // A clock that was given is everybody's who uses this database.
    const byDatabase = store.shared && input.clock === undefined;
    const moment = () => (byDatabase ? databaseMoment : momentOf(steady()));
    const webhooks = startWebhooks({
      options,
      store,
      now,
      steady,
      moment,
      log,
      // The latest moment that this database has seen lies ahead: the clock was put back while nothing ran.
      set_back: !byDatabase && uploads.now() > steady(),
      alone: !store.shared,
      ...(resolve ? { resolve } : {}),
    });
    undo.unshift(() => webhooks.stop());
    await warnOfOtherKey(store, webhooks.secrets, log);
    const app: App = { options, store, uploads, webhooks, now, steady, moment, log };
    await input.prepare?.(app);
    if (!store.shared) undo.unshift(keepChecking(store, log));
    // Only now: the first copy of a new database has what `prepare` puts into it.
    if (!store.shared && options['daily-copies'] > 0)
      undo.unshift(keepCopies(options['data-dir'], { kept: options['daily-copies'], now, log }));
    const server = buildServer(app, handlers);
    undo.unshift(() => server.close());
    await server.listen({ host: options.host, port: options.port });
    const { port } = server.server.address() as AddressInfo;
    const stop = async (): Promise<void> => {
      // A connection whose last answer has just gone out is idle now, and would hold the stop for its keep-alive time.
      const sweep = setInterval(() => server.server.closeIdleConnections(), 25);
      const late = setTimeout(() => server.server.closeAllConnections(), options['stop-timeout']);
      for (const step of undo) await step();
      clearInterval(sweep);
      clearTimeout(late);
    };
    let stopping: Promise<void> | undefined;
    return { url: addressFor(options.host, port), port, app, stop: () => (stopping ??= stop()) };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
};

/**
 * Starts the service and stops it: lock, database, uploads, server, in this order and reversed. Clock, options and
 * log are arguments, so that a test runs the real service.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import type { App } from './app.ts';
import { steadyClock, type Clock } from './clocks.ts';
import { ensureKey } from './domain/evidence/signing-keys.ts';
import { createUploads, type Uploads } from './files/uploads.ts';
import { buildServer } from './http/server.ts';
import { startMail } from './mail/mail.ts';
import { withDefaults, type Options } from './options.ts';
import { startErasures } from './erasures.ts';
import { startRetention } from './retention.ts';
import { handlers } from './routes/index.ts';
import { keepCopies } from './store/backup/copies.ts';
import { keepChecking } from './store/engine/sqlite/page-check.ts';
import { openStore } from './store/engine/open.ts';
import { importWatch } from './store/import-lock.ts';
import { deleteKeysBefore } from './store/idempotency.ts';
import { joinDataDir, lockDataDir, openDataDir, type DataDirShare } from './store/engine/lock.ts';
import { removeAllLeft } from './store/backup/staging.ts';
import { databaseMoment, momentOf } from './store/webhooks/webhook-queue.ts';
import type { Resolve } from './webhooks/guard.ts';
import { warnOfOtherKey } from './webhooks/same-key.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

export interface StartInput {
  /** Missing options use the defaults of options.ts. */
  readonly options?: Partial<Options>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly log?: Logger;
  /** Runs before the first request is accepted. */
  readonly prepare?: (app: App) => Promise<void>;
  /** Resolves names for webhooks; defaults to the system's name servers. */
  readonly resolve?: Resolve;
}

export interface Service {
  /** `http://127.0.0.1:3210`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** Finishes running requests, then closes everything. */
  stop(): Promise<void>;
}

const HOUR = 3_600_000;

/** Keys per transaction: small, because other writes wait for it. */
const KEYS_PER_SWEEP = 200;

/** Deletes expired idempotency keys now and every hour. Returns a function that stops it. */
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
  // A failed run is retried in an hour. That is safe, because expired keys are never used for a response.
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

/** Loads what sign-in needs only where a provider is configured. */
const providerOf = async (
  options: Options,
  steady: Clock,
  signer: Uploads['signer'],
): Promise<App['identity_provider']> =>
  options['sign-in-issuer'] === ''
    ? null
    : (await import('./sign-in/provider.ts')).createProvider(options, steady, signer);

const addressFor = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * @throws {DataDirBusy} when another process uses the data folder
 * @throws {UnusableFolder}
 */
export const startService = async (input: StartInput = {}): Promise<Service> => {
  const options = withDefaults(input.options ?? {});
  const clock = input.clock ?? Date.now;
  const now = () => Math.floor(clock());
  const steady = steadyClock(clock);
  const log = input.log ?? pino({ level: 'silent' });
  for (const warning of await openDataDir(options['data-dir'])) log.warn(warning);
  // With PostgreSQL several processes may share the database.
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
    // A clock given by the caller applies to everyone on this database.
    const byDatabase = store.shared && input.clock === undefined;
    const moment = () => (byDatabase ? databaseMoment : momentOf(steady()));
    const sending = {
      options,
      store,
      now,
      moment,
      log,
      // The latest moment stored in the database is in the future: the clock was set back while the service was
      // stopped.
      set_back: !byDatabase && uploads.now() > steady(),
      alone: !store.shared,
    };
    const webhooks = startWebhooks({
      ...sending,
      steady,
      ...(resolve ? { resolve } : {}),
    });
    undo.unshift(() => webhooks.stop());
    await warnOfOtherKey(store, webhooks.secrets, log);
    if (!options.plain) await store.write((tx) => ensureKey(tx, webhooks.secrets, now()));
    const mail = await startMail({ ...sending, signer: uploads.signer });
    undo.unshift(() => mail.stop());
    let isStopping = false;
    const stopping = () => isStopping;
    const identity_provider = await providerOf(options, steady, uploads.signer);
    const retention = startRetention({ store, log, now, webhooks, options });
    undo.unshift(() => retention.stop());
    const erasures = startErasures({ store, uploads, log, now, webhooks, options });
    undo.unshift(() => erasures.stop());
    const parts = {
      options,
      store,
      uploads,
      webhooks,
      mail,
      retention,
      erasures,
      identity_provider,
    };
    const app: App = { ...parts, now, steady, moment, log, stopping };
    await input.prepare?.(app);
    if (!store.shared) undo.unshift(keepChecking(store, log));
    // Started after `prepare`, so that the first copy of a new database includes its data.
    if (!store.shared && options['daily-copies'] > 0)
      undo.unshift(keepCopies(options['data-dir'], { kept: options['daily-copies'], now, log }));
    const server = buildServer(app, handlers);
    undo.unshift(() => server.close());
    await server.listen({ host: options.host, port: options.port });
    const { port } = server.server.address() as AddressInfo;
    const stop = async (): Promise<void> => {
      isStopping = true;
      if (options['stop-delay'] > 0) await sleep(options['stop-delay']);
      // A connection becomes idle only after its last response and would delay the stop by its keep-alive time.
      const sweep = setInterval(() => server.server.closeIdleConnections(), 25);
      const late = setTimeout(() => server.server.closeAllConnections(), options['stop-timeout']);
      for (const step of undo) await step();
      clearInterval(sweep);
      clearTimeout(late);
    };
    let stopped: Promise<void> | undefined;
    return { url: addressFor(options.host, port), port, app, stop: () => (stopped ??= stop()) };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
};

/**
 * Supervises the embedded service: starts it on demand, and restarts it with exponential backoff if it dies (failures A4). The
 * shell decides how to run it: a child process, or Electron's utilityProcess.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { LevelTokens } from '../../contract/service-line.ts';
import { wordsOf, type Log } from '../lib/log.ts';

export interface RunningService {
  readonly url: string;
  readonly token: string;
  /** Tokens of the sample data's users, one of each level. */
  readonly tokens?: LevelTokens | undefined;
  readonly company_id: number;
  readonly project_id: number;
  stop(): Promise<void>;
  /** Settles when the process has ended, for any reason. */
  readonly exited: Promise<unknown>;
}
/** @param stopped aborts the launch: the process must end and the promise must reject */
export type StartService = (stopped?: AbortSignal) => Promise<RunningService>;

export interface Embedded {
  /** Returns the running service. Starts it if necessary and waits at most `wait_ms` milliseconds. */
  running(wait_ms?: number): Promise<Result<RunningService>>;
  /** Runs `work` while the service is stopped and cannot be started, then starts it again. */
  without<T>(work: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Stops the service. Waits for a running `without` first. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const WAIT_MS = 20_000;
const STOPPING = 'the service on this laptop is being stopped';
const NONE = 'this app was started without a service of its own';

const notRunning = (detail: string): Result<never> =>
  fail({ kind: 'offline', reason: 'refused', detail });

export const createEmbedded = (
  start: StartService | null,
  report: (running: boolean, detail: string) => void,
  log: Log,
): Embedded => {
  let wanted = false;
  let service: RunningService | null = null;
  let starting: Promise<void> | null = null;
  let ending: Promise<void> | null = null;
  let launching = new AbortController();
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let held: Promise<unknown> | null = null;
  let lastFailure = 'the service on this laptop is not running';

  const later = (): void => {
    clearTimeout(timer);
    if (!wanted) return;
    timer = setTimeout(() => void begin(), pause);
    timer.unref();
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  const gone = (which: RunningService): void => {
    if (service !== which) return;
    service = null;
    lastFailure = 'the service on this laptop stopped';
    log({ level: 'warn', message: 'embedded service ended' });
    report(false, lastFailure);
    later();
  };

  const startOnce = async (launch: StartService): Promise<void> => {
    try {
      launching = new AbortController();
      const made = await launch(launching.signal);
      if (!wanted) return await made.stop();
      service = made;
      pause = FIRST_PAUSE_MS;
      made.exited.then(
        () => gone(made),
        () => gone(made),
      );
      report(true, made.url);
    } catch (error) {
      if (!wanted) return;
      lastFailure = wordsOf(error);
      log({ level: 'error', message: 'embedded service did not start', detail: lastFailure });
      report(false, lastFailure);
      later();
    }
  };

  const begin = (): Promise<void> => {
    if (!start || service || held) return Promise.resolve();
    starting ??= startOnce(start).finally(() => (starting = null));
    return starting;
  };

  const endIt = async (): Promise<void> => {
    wanted = false;
    clearTimeout(timer);
    launching.abort();
    await starting;
    const was = service;
    service = null;
    await was?.stop();
  };
  const end = (): Promise<void> => (ending ??= endIt().finally(() => (ending = null)));

  const running: Embedded['running'] = async (wait_ms = WAIT_MS) => {
    if (!start) return notRunning(NONE);
    if (held) await Promise.race([held, patience(wait_ms)]);
    if (held) return notRunning(lastFailure);
    // A caller must neither get a service that is stopping nor start a second one next to it.
    if (ending) return notRunning(STOPPING);
    if (!wanted) {
      wanted = true;
      void begin();
    }
    if (service) return ok(service);
    if (starting) await Promise.race([starting, patience(wait_ms)]);
    return service ? ok(service) : notRunning(lastFailure);
  };

  const without: Embedded['without'] = async (work) => {
    if (!start) return notRunning(NONE);
    const over = Promise.withResolvers<void>();
    held = over.promise;
    try {
      lastFailure = 'the service on this laptop is stopped for a moment';
      await end();
      report(false, lastFailure);
      return await work();
    } finally {
      held = null;
      wanted = true;
      void begin();
      over.resolve();
    }
  };

  return {
    running,
    without,
    stop: async () => {
      await held;
      await end();
    },
  };
};

const patience = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms).unref());

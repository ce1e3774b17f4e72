/**
 * Finds due deliveries of a queue and serves them with a bounded number of workers: webhooks by hook, mail by message. The queue
 * is in the database, and a worker takes an item by a lease there, so several processes may run this loop on one queue.
 */
import type { Logger } from 'pino';

export interface LoopParts<Key> {
  /** In log lines: `webhook`, `mail`. */
  readonly what: string;
  readonly log: Logger;
  /** Items served concurrently. */
  readonly workers: number;
  /** Longest time between polls, milliseconds. */
  readonly interval: number;
  readonly nameOf: (key: Key) => string;
  /** Items without a lease that are due, the most urgent first. */
  readonly listDue: (limit: number) => Promise<readonly Key[]>;
  /** Milliseconds until the next item is due; null if none is due later. */
  readonly nextDue: () => Promise<number | null>;
  /**
   * Takes the lease of an item, delivers it and records the outcome.
   * @param awaited true if other items wait for a worker
   */
  readonly serve: (key: Key, stopping: () => boolean, awaited: () => boolean) => Promise<void>;
  /** Runs at the start and every hour. */
  readonly hourly: (stopping: () => boolean) => Promise<void>;
  /** Runs once if the clock was set back, so that nothing waits for the old time. */
  readonly hurry: (() => Promise<void>) | null;
}

export interface Loop {
  /** Polls after a short debounce. Called when there may be new items. */
  wake(): void;
  /** Waits for running attempts and starts no others. */
  stop(): Promise<void>;
}

/** Debounce for wake-ups, milliseconds. */
const GATHER_MS = 10;
/** Milliseconds until the next poll after a failed one. */
const AFTER_FAILURE_MS = 2_000;
const HOUR_MS = 3_600_000;

/** Polls now, when woken, when a backoff ends, and every `interval` ms. */
export const startLoop = <Key>(parts: LoopParts<Key>): Loop => {
  const { what, log, nameOf } = parts;
  const serving = new Map<string, Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;
  let later: NodeJS.Timeout | undefined;
  let woken = false;
  const stopping = (): boolean => stopped;

  const begin = (key: Key): void => {
    const name = nameOf(key);
    const awaited = (): boolean => serving.size >= parts.workers;
    const work = parts
      .serve(key, stopping, awaited)
      .catch((error: unknown) => log.error({ err: error, [what]: name }, `${what} worker failed`))
      .finally(() => {
        serving.delete(name);
        wake();
      });
    serving.set(name, work);
  };

  /** Starts workers for due items. Returns the milliseconds until the next poll; a worker that ends also wakes the loop. */
  const look = async (): Promise<number> => {
    const free = parts.workers - serving.size;
    if (stopped || free <= 0) return parts.interval;
    const due = await parts.listDue(free + serving.size);
    for (const key of due.filter((one) => !serving.has(nameOf(one))).slice(0, free))
      if (!stopped) begin(key);
    return (await parts.nextDue()) ?? parts.interval;
  };

  /** Repeats while woken during a poll, because that poll misses later items. */
  const lookAround = async (): Promise<void> => {
    let wait = 0;
    while (woken) {
      woken = false;
      wait = await look().catch((error: unknown) => {
        log.error({ err: error }, `${what}: the queue could not be read`);
        return AFTER_FAILURE_MS;
      });
    }
    looking = null;
    clearTimeout(later);
    if (!stopped)
      later = setTimeout(wake, Math.max(Math.min(wait, parts.interval), GATHER_MS)).unref();
  };

  const wake = (): void => {
    if (stopped) return;
    soon ??= setTimeout(() => {
      soon = null;
      woken = true;
      looking ??= lookAround();
    }, GATHER_MS).unref();
  };

  let hours: Promise<void> = Promise.resolve();
  const runHourly = (): void => {
    hours = hours
      .then(() => parts.hourly(stopping))
      .catch((error: unknown) => log.error({ err: error }, `${what}: the hourly work failed`));
  };

  const ready = (parts.hurry?.() ?? Promise.resolve())
    .catch((error: unknown) => log.error({ err: error }, `${what}: waits for an older clock`))
    .finally(() => wake());
  const timer = setInterval(runHourly, HOUR_MS).unref();
  runHourly();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      if (soon) clearTimeout(soon);
      await ready;
      await looking;
      clearTimeout(later);
      await Promise.all(serving.values());
      await hours;
    },
  };
};

/**
 * Sends what the outbox holds (decisions §9.5). One hook is served by one worker at a time, oldest event first; a
 * bounded number of hooks at once; a hook that fails waits alone. All state is in the database: a process that
 * is killed leaves a lease that runs out, and whoever comes next sends the same event with the same id (failures S17).
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Secrets } from '../domain/webhook-ports.ts';
import { openHeaders, openSigningSecrets } from '../domain/webhook-secrets.ts';
import type { Db, Store } from '../store/db.ts';
import {
  after,
  claimHook,
  deleteDeliveriesBefore,
  holdHook,
  hurryHooks,
  listDueHooks,
  nextDue,
  releaseHook,
  takeNextEvents,
  type Moment,
  type PendingEvent,
} from '../store/webhook-queue.ts';
import { findHook, type HookKey, type HookRow } from '../store/webhooks.ts';
import { eventUlid, notificationOf, signedHeaders } from './notification.ts';
import { connections, send, type Connections, type Outcome, type SendRules } from './send.ts';
import { settle, type Attempt, type SettleRules } from './settle.ts';

export interface DispatchParts {
  readonly store: Store;
  readonly secrets: Secrets;
  /** The machine's clock: what a signature and a delivery say. */
  readonly now: () => number;
  /** By which a signing secret ends. */
  readonly steady: () => number;
  /** By which an endpoint is waited for and a lease ends: one clock for all who send from this database. */
  readonly moment: () => Moment;
  /** What the database says of waiting and leases comes from a clock that has been put back since. */
  readonly set_back: boolean;
  readonly alone: boolean;
  readonly log: Logger;
  readonly send: SendRules;
  /** Without the headers of Standard Webhooks [ours]. */
  readonly plain: boolean;
  readonly settle: SettleRules;
  /** Hooks served at once. */
  readonly workers: number;
  /** Milliseconds between looks at the outbox, when nobody calls and nothing waits for a moment. */
  readonly interval: number;
  /** Milliseconds that deliveries are kept. */
  readonly kept: number;
}

export interface Dispatcher {
  /** There may be something to send. */
  wake(): void;
  /** Lets running attempts end, and begins no others. */
  stop(): Promise<void>;
}

/**
 * Events that one hook is told in a row before others that wait for a worker here have their turn; where none does, it goes on for so many milliseconds,
 * and then another process may have it.
 */
const TURN = 50;
const TURN_MS = 500;
/**
 * Events whose telling is recorded together, in one durable write, and milliseconds after which no other is told before that. A killed process tells so
 * many again; a hook that was changed is sent what was read before for so long.
 */
export const TOGETHER = 50;
const TOGETHER_MS = 50;
/** Changes that come together are looked for once. */
const GATHER_MS = 10;
/** Milliseconds until the next look, after one that failed. */
const AFTER_FAILURE_MS = 2_000;
const DELIVERIES_PER_SWEEP = 500;

interface Job {
  readonly hook: HookRow;
  /** In order, one at least. */
  readonly events: readonly PendingEvent[];
}

const UNREADABLE =
  'Not sent: the headers or the signing secret of this hook were sealed with another key. Give the service the key they were sealed with, or create the hook again.';

/** One attempt, from the hook's row to the outcome. */
const attempt = async (
  { secrets, now, steady, plain, send: rules }: DispatchParts,
  hook: HookRow,
  event: PendingEvent,
  over: Connections,
): Promise<Outcome> => {
  const own = openHeaders(secrets, hook);
  const at = now();
  const signing = openSigningSecrets(secrets, hook, steady());
  if (own === null || signing === null)
    return { status: null, headers: {}, body: '', error: UNREADABLE };
  const body = notificationOf(event, event.trigger_api_version ?? hook.api_version);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Spotter-Webhooks/1',
  };
  const given = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const standard = Object.entries(headers).filter(([name]) => !given.has(name.toLowerCase()));
  return send(
    {
      url: hook.destination_url,
      headers: {
        ...Object.fromEntries(standard),
        ...own,
        ...(plain ? {} : signedHeaders(eventUlid(event), at, body, signing)),
      },
      body,
    },
    rules,
    over,
  );
};

/** Tells events one after the other until one fails, or what was told should be recorded. */
const tell = async (
  parts: DispatchParts,
  { hook, events }: Job,
  over: Connections,
  stopping: () => boolean,
): Promise<readonly Attempt[]> => {
  const { now, moment } = parts;
  const told: Attempt[] = [];
  const until = performance.now() + TOGETHER_MS;
  for (const event of events) {
    const started_at = now();
    const outcome = await attempt(parts, hook, event, over);
    told.push({ hook, event, outcome, started_at, completed_at: now(), moment: moment() });
    if (outcome.error !== null || stopping() || performance.now() >= until) break;
  }
  return told;
};

/** One hook's turn. @param awaited do other hooks wait for a worker? */
const serve = async (
  parts: DispatchParts,
  owner: string,
  key: HookKey,
  stopping: () => boolean,
  awaited: () => boolean,
): Promise<void> => {
  const { store, moment } = parts;
  // Longer than telling and recording can take: the last attempt begins within TOGETHER_MS.
  const lease = () => ({ owner, until: after(moment(), 2 * parts.send.timeout + 1000) });
  const nextJob = async (tx: Db, hook: HookRow | undefined): Promise<Job | null> => {
    const events = hook ? await takeNextEvents(tx, key, TOGETHER) : [];
    return hook && events.length > 0 ? { hook, events } : null;
  };
  const over = connections();
  try {
    let job = await store.write(
      async (tx) => nextJob(tx, await claimHook(tx, key, lease(), moment())),
      key.company_id,
    );
    const began = performance.now();
    let count = 0;
    while (job !== null) {
      const told = await tell(parts, job, over, stopping);
      count += told.length;
      const isOver = awaited() || performance.now() - began >= TURN_MS;
      const goOn = told.at(-1)?.outcome.error === null && !(count >= TURN && isOver) && !stopping();
      job = await store.write(async (tx) => {
        await settle(tx, told, parts.settle);
        if (!goOn || !(await holdHook(tx, key, lease()))) return null;
        return nextJob(tx, await findHook(tx, key));
      }, key.company_id);
    }
  } finally {
    over.end();
  }
  await store.write((tx) => releaseHook(tx, key, owner, moment()), key.company_id);
};

const nameOf = ({ company_id, id }: HookKey): string => `${company_id}/${id}`;

/** Looks at once, whenever it is woken, when something that waits is due, and every `interval` ms. */
export const startDispatcher = (parts: DispatchParts): Dispatcher => {
  const { store, log, now, moment } = parts;
  const owner = randomUUID();
  const serving = new Map<string, Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;
  let later: NodeJS.Timeout | undefined;
  let woken = false;

  const begin = (key: HookKey): void => {
    const name = nameOf(key);
    const awaited = (): boolean => serving.size >= parts.workers;
    const work = serve(parts, owner, key, () => stopped, awaited)
      .catch((error: unknown) => log.error({ err: error, hook: name }, 'webhook worker failed'))
      .finally(() => {
        serving.delete(name);
        wake();
      });
    serving.set(name, work);
  };

  /** Milliseconds until the next look, if nobody wakes it: whoever is served wakes it in the end. */
  const look = async (): Promise<number> => {
    const free = parts.workers - serving.size;
    if (stopped || free <= 0) return parts.interval;
    const due = await listDueHooks(store.read, moment(), free + serving.size);
    for (const key of due.filter((one) => !serving.has(nameOf(one))).slice(0, free))
      if (!stopped) begin(key);
    return (await nextDue(store.read, moment())) ?? parts.interval;
  };

  /** As often as it was woken meanwhile: what came after the look is not in it. */
  const lookAround = async (): Promise<void> => {
    let wait = 0;
    while (woken) {
      woken = false;
      wait = await look().catch((error: unknown) => {
        log.error({ err: error }, 'webhooks could not be looked for');
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

  const forget = async (): Promise<void> => {
    const before = now() - parts.kept;
    while (!stopped) {
      const gone = await store.write((tx) =>
        deleteDeliveriesBefore(tx, before, DELIVERIES_PER_SWEEP),
      );
      if (gone < DELIVERIES_PER_SWEEP) return;
    }
  };
  let forgetting: Promise<void> = Promise.resolve();
  const sweep = (): void => {
    forgetting = forget().catch((error: unknown) =>
      log.error({ err: error }, 'old deliveries could not be deleted'),
    );
  };

  let ready: Promise<unknown> = Promise.resolve();
  if (parts.set_back)
    ready = store
      .write((tx) => hurryHooks(tx, moment(), parts.alone))
      .catch((error: unknown) => log.error({ err: error }, 'webhooks wait for an older clock'))
      .finally(wake);

  const hourly = setInterval(sweep, 3_600_000).unref();
  wake();
  sweep();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(hourly);
      if (soon) clearTimeout(soon);
      await ready;
      await looking;
      clearTimeout(later);
      await Promise.all(serving.values());
      await forgetting;
    },
  };
};

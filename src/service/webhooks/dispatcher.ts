/**
 * Delivers the events of the outbox (decisions §9.5). One worker at a time serves a hook, oldest event first; the
 * number of workers is bounded, and a failing hook delays no other. All state is in the database: a killed process
 * leaves a lease that expires, and the next worker sends the same event with the same id (failures S17).
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { startLoop, type Loop } from '../delivery/loop.ts';
import type { Secrets } from '../domain/webhooks/webhook-ports.ts';
import { openHeaders, openSigningSecrets } from '../domain/webhooks/webhook-secrets.ts';
import type { Db, Store } from '../store/engine/db.ts';
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
} from '../store/webhooks/webhook-queue.ts';
import { findHook, type HookKey, type HookRow } from '../store/webhooks/webhooks.ts';
import { notificationOf, signedHeaders } from './notification.ts';
import { connections, send, type Connections, type Outcome, type SendRules } from './send.ts';
import { settle, type Attempt, type SettleRules } from './settle.ts';

export interface DispatchParts {
  readonly store: Store;
  readonly secrets: Secrets;
  /** The wall clock, for signatures and deliveries. */
  readonly now: () => number;
  /** The steady clock, for the expiry of signing secrets. */
  readonly steady: () => number;
  /** The queue's clock, for backoff and leases; shared by all processes that send from this database. */
  readonly moment: () => Moment;
  /** True if the clock was set back, so that stored leases and backoff times lie in the future. */
  readonly set_back: boolean;
  readonly alone: boolean;
  readonly log: Logger;
  readonly send: SendRules;
  /** Omits the headers of Standard Webhooks [ours]. */
  readonly plain: boolean;
  readonly settle: SettleRules;
  /** Hooks served concurrently. */
  readonly workers: number;
  /** Longest time between polls of the outbox, milliseconds. */
  readonly interval: number;
  /** Retention of deliveries, milliseconds. */
  readonly kept: number;
}

/**
 * A worker yields after this many events if other hooks wait for one. Otherwise it continues for this many
 * milliseconds, so that another process can take over.
 */
const TURN = 50;
const TURN_MS = 500;
/**
 * Limits for one batch: events recorded in one durable write, and milliseconds after which no further event is sent
 * before recording. After a kill this many events are sent again. A changed hook may still be served from its old row
 * for that long.
 */
export const TOGETHER = 50;
const TOGETHER_MS = 50;
const DELIVERIES_PER_SWEEP = 500;

interface Job {
  readonly hook: HookRow;
  /** In order, at least one. */
  readonly events: readonly PendingEvent[];
}

const UNREADABLE =
  'Not sent: the headers or the signing secret of this hook were sealed with another key. Give the service the key they were sealed with, or create the hook again.';

/** Makes one attempt, from the hook's row to its outcome. */
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
  const body = notificationOf(event, event.trigger_api_version ?? hook.api_version, plain);
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
        ...(plain ? {} : signedHeaders(event.ulid, at, body, signing)),
      },
      body,
    },
    rules,
    over,
  );
};

/** Sends events in order, until one fails or the batch is due for recording. */
const sendEvents = async (
  parts: DispatchParts,
  { hook, events }: Job,
  over: Connections,
  stopping: () => boolean,
): Promise<readonly Attempt[]> => {
  const { now, moment } = parts;
  const attempts: Attempt[] = [];
  const until = performance.now() + TOGETHER_MS;
  for (const event of events) {
    const started_at = now();
    const outcome = await attempt(parts, hook, event, over);
    attempts.push({ hook, event, outcome, started_at, completed_at: now(), moment: moment() });
    if (outcome.error !== null || stopping() || performance.now() >= until) break;
  }
  return attempts;
};

/** Serves one hook for a turn. @param awaited true if other hooks wait for a worker */
const serve = async (
  parts: DispatchParts,
  owner: string,
  key: HookKey,
  stopping: () => boolean,
  awaited: () => boolean,
): Promise<void> => {
  const { store, moment } = parts;
  // Longer than sending and recording can take: the last attempt starts within TOGETHER_MS.
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
      const attempts = await sendEvents(parts, job, over, stopping);
      count += attempts.length;
      const isOver = awaited() || performance.now() - began >= TURN_MS;
      const goOn =
        attempts.at(-1)?.outcome.error === null && !(count >= TURN && isOver) && !stopping();
      job = await store.write(async (tx) => {
        await settle(tx, attempts, parts.settle);
        if (!goOn || !(await holdHook(tx, key, lease()))) return null;
        return nextJob(tx, await findHook(tx, key));
      }, key.company_id);
    }
  } finally {
    over.end();
  }
  await store.write((tx) => releaseHook(tx, key, owner, moment()), key.company_id);
};

const forget = async (
  { store, now, kept }: DispatchParts,
  stopping: () => boolean,
): Promise<void> => {
  const before = now() - kept;
  while (!stopping()) {
    const gone = await store.write((tx) =>
      deleteDeliveriesBefore(tx, before, DELIVERIES_PER_SWEEP),
    );
    if (gone < DELIVERIES_PER_SWEEP) return;
  }
};

export const startDispatcher = (parts: DispatchParts): Loop => {
  const { store, log, moment, workers, interval } = parts;
  const owner = randomUUID();
  return startLoop<HookKey>({
    what: 'webhook',
    log,
    workers,
    interval,
    nameOf: ({ company_id, id }) => `${company_id}/${id}`,
    listDue: (limit) => listDueHooks(store.read, moment(), limit),
    nextDue: () => nextDue(store.read, moment()),
    serve: (key, stopping, awaited) => serve(parts, owner, key, stopping, awaited),
    hourly: (stopping) => forget(parts, stopping),
    hurry: parts.set_back ? () => store.write((tx) => hurryHooks(tx, moment(), parts.alone)) : null,
  });
};

/**
 * What an attempt's outcome changes, in one transaction: the delivery is recorded, the event leaves the outbox or stays, the
 * endpoint is paused, freed or disabled (decisions §9.5; failures S16). An event is tried for the window from its creation,
 * or from the moment its endpoint began to fail, whichever is later: a laptop that was closed for a week, or an
 * endpoint that was dead that long, does not make the first attempt the last.
 */
import type { Db } from '../store/db.ts';
import {
  after,
  deletePending,
  insertDeliveries,
  listOverdueEvents,
  type Moment,
  type PendingEvent,
} from '../store/webhook-queue.ts';
import { findHook, updateHook, type DeliveryRow, type HookRow } from '../store/webhooks.ts';
import { eventUlid } from './notification.ts';
import { backoff, retryAfter, type RetryRules } from './retry.ts';
import type { Outcome } from './send.ts';

export interface SettleRules {
  readonly retry: RetryRules;
  /** Milliseconds after which an event is given up. */
  readonly give_up: number;
}

export interface Attempt {
  /** As they were when it was sent. */
  readonly hook: HookRow;
  readonly event: PendingEvent;
  readonly outcome: Outcome;
  readonly started_at: number;
  readonly completed_at: number;
  /** When it was completed, by the clock of the queue: the next attempt is counted from it. */
  readonly moment: Moment;
}

/** Events that are given up in one statement. */
const TOGETHER = 500;
const GONE = 410;

const deliveryOf = (
  { hook, outcome, started_at, completed_at }: Attempt,
  event: PendingEvent,
  result: DeliveryRow['outcome'],
): Omit<DeliveryRow, 'id'> => ({
  company_id: hook.company_id,
  hook_id: hook.id,
  event_id: event.id,
  event_ulid: eventUlid(event),
  started_at,
  completed_at,
  response_status: outcome.status,
  response_headers: JSON.stringify(outcome.headers),
  response_error: outcome.error,
  response_body: outcome.body,
  outcome: result,
});

/** Of an event that was given up because of an attempt with another: nothing was sent, and it says so. */
const unsentOf = (attempt: Attempt, event: PendingEvent, why: string): Omit<DeliveryRow, 'id'> => ({
  ...deliveryOf(attempt, event, 'failed'),
  started_at: attempt.completed_at,
  response_status: null,
  response_headers: '{}',
  response_error: why,
  response_body: '',
});

/** Gives up everything that has waited since `created_before` or longer. */
const giveUpOthers = async (
  tx: Db,
  attempt: Attempt,
  created_before: number,
  why: string,
): Promise<void> => {
  const { hook } = attempt;
  for (;;) {
    const others = await listOverdueEvents(tx, hook, created_before, TOGETHER);
    if (others.length === 0) return;
    await insertDeliveries(
      tx,
      others.map((event) => unsentOf(attempt, event, why)),
    );
    await deletePending(
      tx,
      hook,
      others.map(({ id }) => id),
    );
  }
};

const settleGone = async (tx: Db, attempt: Attempt): Promise<void> => {
  const { hook, event, completed_at } = attempt;
  await insertDeliveries(tx, [deliveryOf(attempt, event, 'failed')]);
  await deletePending(tx, hook, [event.id]);
  await updateHook(tx, hook, { disabled_at: completed_at });
  await giveUpOthers(
    tx,
    attempt,
    Number.MAX_SAFE_INTEGER,
    'Not sent: the endpoint answered 410 and the hook was disabled.',
  );
};

const settleFailure = async (
  tx: Db,
  attempt: Attempt,
  now: HookRow,
  rules: SettleRules,
): Promise<void> => {
  const { hook, event, outcome, started_at, completed_at, moment } = attempt;
  const failures = now.failures + 1;
  const failing_since = now.failing_since ?? started_at;
  const give_up_at = Math.max(event.created_at, failing_since) + rules.give_up;
  const over = completed_at >= give_up_at;
  const asked = retryAfter(outcome.headers['retry-after'], completed_at);
  const wait = Math.max(backoff(failures, rules.retry), asked);
  await insertDeliveries(tx, [deliveryOf(attempt, event, over ? 'failed' : 'retried')]);
  await updateHook(tx, hook, {
    failures,
    failing_since,
    // The last attempt is made when the window ends, however long the endpoint asked us to wait.
    next_attempt_at: after(moment, over ? wait : Math.min(wait, give_up_at - completed_at)),
  });
  if (!over) return;
  await deletePending(tx, hook, [event.id]);
  const why = `Not sent: the endpoint has failed since ${new Date(failing_since).toISOString()}.`;
  await giveUpOthers(tx, attempt, completed_at - rules.give_up, why);
};

/** Records what was told, each well. */
const settleTold = async (tx: Db, told: readonly Attempt[], now: HookRow): Promise<void> => {
  await insertDeliveries(
    tx,
    told.map((one) => deliveryOf(one, one.event, 'ok')),
  );
  await deletePending(
    tx,
    now,
    told.map(({ event }) => event.id),
  );
  if (now.failures > 0)
    await updateHook(tx, now, { failures: 0, failing_since: null, next_attempt_at: 0 });
};

/** Records attempts with one hook, in order; none but the last may have failed. Call it in a transaction of its own. */
export const settle = async (
  tx: Db,
  attempts: readonly Attempt[],
  rules: SettleRules,
): Promise<void> => {
  const last = attempts.at(-1);
  const found = last && (await findHook(tx, last.hook));
  // Deleted meanwhile: there is nobody left to tell.
  if (!found) return;
  const told = attempts.filter(({ outcome }) => outcome.error === null);
  if (told.length > 0) await settleTold(tx, told, found);
  const { hook, event, outcome } = last;
  if (outcome.error === null) return;
  const now = told.length > 0 ? { ...found, failures: 0, failing_since: null } : found;
  if (now.version !== hook.version || now.lease_owner !== hook.lease_owner) {
    // The hook's owner has changed it, or another process sends now: what failed is no longer what will be tried.
    await insertDeliveries(tx, [deliveryOf(last, event, 'retried')]);
  } else if (outcome.status === GONE) {
    await settleGone(tx, last);
  } else {
    await settleFailure(tx, last, now, rules);
  }
};

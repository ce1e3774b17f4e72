/**
 * Applies the outcome of attempts in one transaction: records the delivery, removes or keeps the event, and pauses,
 * frees or disables the endpoint (decisions §9.5; failures S16). An event is tried for a window that starts at its
 * creation, or at the endpoint's first failure if that is later. A first attempt is therefore never the last, even
 * after a week of a closed laptop or a dead endpoint.
 */
import type { Db } from '../store/engine/db.ts';
import {
  after,
  deletePending,
  insertDeliveries,
  listOverdueEvents,
  type Moment,
  type PendingEvent,
} from '../store/webhooks/webhook-queue.ts';
import {
  findHook,
  updateHook,
  type DeliveryRow,
  type HookRow,
} from '../store/webhooks/webhooks.ts';
import { backoff, retryAfter, type RetryRules } from '../delivery/retry.ts';
import type { Outcome } from './send.ts';

export interface SettleRules {
  readonly retry: RetryRules;
  /** Milliseconds after which an event is given up. */
  readonly give_up: number;
}

export interface Attempt {
  /** The hook as it was when the event was sent. */
  readonly hook: HookRow;
  readonly event: PendingEvent;
  readonly outcome: Outcome;
  readonly started_at: number;
  readonly completed_at: number;
  /** Completion by the queue's clock; the next attempt is scheduled from it. */
  readonly moment: Moment;
}

/** Events given up per statement. */
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
  event_ulid: event.ulid,
  started_at,
  completed_at,
  response_status: outcome.status,
  response_headers: JSON.stringify(outcome.headers),
  response_error: outcome.error,
  response_body: outcome.body,
  outcome: result,
});

/**
 * The delivery of an event that was given up because an attempt for another event failed. It says that nothing was
 * sent.
 */
const unsentOf = (attempt: Attempt, event: PendingEvent, why: string): Omit<DeliveryRow, 'id'> => ({
  ...deliveryOf(attempt, event, 'failed'),
  started_at: attempt.completed_at,
  response_status: null,
  response_headers: '{}',
  response_error: why,
  response_body: '',
});

/** Gives up every pending event created at or before `created_before`. */
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
    // Cap the wait, so that the last attempt is made when the window ends, even if the endpoint asked for longer.
    next_attempt_at: after(moment, over ? wait : Math.min(wait, give_up_at - completed_at)),
  });
  if (!over) return;
  await deletePending(tx, hook, [event.id]);
  const why = `Not sent: the endpoint has failed since ${new Date(failing_since).toISOString()}.`;
  await giveUpOthers(tx, attempt, completed_at - rules.give_up, why);
};

const settleDelivered = async (
  tx: Db,
  delivered: readonly Attempt[],
  now: HookRow,
): Promise<void> => {
  await insertDeliveries(
    tx,
    delivered.map((one) => deliveryOf(one, one.event, 'ok')),
  );
  await deletePending(
    tx,
    now,
    delivered.map(({ event }) => event.id),
  );
  if (now.failures > 0)
    await updateHook(tx, now, { failures: 0, failing_since: null, next_attempt_at: 0 });
};

/** Records the attempts of one hook, in order; only the last may have failed. Call it in a separate transaction. */
export const settle = async (
  tx: Db,
  attempts: readonly Attempt[],
  rules: SettleRules,
): Promise<void> => {
  const last = attempts.at(-1);
  const found = last && (await findHook(tx, last.hook));
  // The hook was deleted meanwhile.
  if (!found) return;
  const delivered = attempts.filter(({ outcome }) => outcome.error === null);
  if (delivered.length > 0) await settleDelivered(tx, delivered, found);
  const { hook, event, outcome } = last;
  if (outcome.error === null) return;
  const now = delivered.length > 0 ? { ...found, failures: 0, failing_since: null } : found;
  if (now.version !== hook.version || now.lease_owner !== hook.lease_owner) {
    // The hook was changed, or another process now holds its lease, so the failure says nothing about the next
    // attempt.
    await insertDeliveries(tx, [deliveryOf(last, event, 'retried')]);
  } else if (outcome.status === GONE) {
    await settleGone(tx, last);
  } else {
    await settleFailure(tx, last, now, rules);
  }
};

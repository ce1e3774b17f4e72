/**
 * The dispatcher's queries. It claims a hook with a conditional update of the lease. If two processes try, one update matches
 * and the other finds the condition false, on either database and without waiting.
 */
import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Database } from '../engine/schema.ts';
import { takeIds } from '../engine/ids.ts';
import { insertMany } from '../engine/bulk-sql.ts';
import { maySendEvent } from '../near-misses/private-incidents.ts';
import type { DeliveryRow, HookKey, HookRow } from './webhooks.ts';

/** SQL for a time in milliseconds since the epoch. */
export type Moment = RawBuilder<number>;

/** This process's clock, for a database that no other process uses. */
export const momentOf = (milliseconds: number): Moment =>
  sql<number>`cast(${milliseconds} as bigint)`;

/**
 * PostgreSQL's clock. Processes that share the database would otherwise steal leases or miss due hooks because their clocks
 * differ.
 */
export const databaseMoment: Moment = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export const after = (moment: Moment, milliseconds: number): Moment =>
  sql<number>`${moment} + cast(${Math.round(milliseconds)} as bigint)`;

export type PendingEvent = Selectable<Database['events']> & {
  /** The version of the trigger; null if the trigger was deleted meanwhile. */
  readonly trigger_api_version: string | null;
  /** The client id of the service account that made the change; null for a person. */
  readonly client_id: string | null;
};

const hasPendingEvents = ({
  exists,
  selectFrom,
}: ExpressionBuilder<Database & { h: Database['webhook_hooks'] }, 'h'>) =>
  exists(
    selectFrom('webhook_pending as p')
      .select('p.event_id')
      .whereRef('p.company_id', '=', 'h.company_id')
      .whereRef('p.hook_id', '=', 'h.id'),
  );

/** Enabled hooks with undelivered events and no lease, least recently served first. */
export const listDueHooks = (db: Db, now: Moment, limit: number): Promise<HookKey[]> =>
  db
    .selectFrom('webhook_hooks as h')
    .select(['h.company_id', 'h.id'])
    .where('h.disabled_at', 'is', null)
    .where('h.next_attempt_at', '<=', now)
    .where('h.lease_until', '<=', now)
    .where(hasPendingEvents)
    .orderBy('h.lease_until')
    .orderBy('h.company_id')
    .orderBy('h.id')
    .limit(limit)
    .execute();

/** Milliseconds until the next enabled hook with undelivered events is due; null if none is due later. */
export const nextDue = async (db: Db, now: Moment): Promise<number | null> => {
  const moment = sql<number>`case when h.next_attempt_at > h.lease_until
    then h.next_attempt_at else h.lease_until end`;
  const found = await db
    .selectFrom('webhook_hooks as h')
    .select(sql<number | null>`min(${moment} - ${now})`.as('wait'))
    .where('h.disabled_at', 'is', null)
    .where(moment, '>', now)
    .where(hasPendingEvents)
    .executeTakeFirst();
  return found?.wait ?? null;
};

export interface Lease {
  readonly owner: string;
  readonly until: Moment;
}

/** Claims the hook for `owner`. Undefined if it is no longer due or another process was first. */
export const claimHook = (
  tx: Db,
  key: HookKey,
  lease: Lease,
  now: Moment,
): Promise<HookRow | undefined> =>
  tx
    .updateTable('webhook_hooks')
    .set({ lease_owner: lease.owner, lease_until: lease.until })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('disabled_at', 'is', null)
    .where('next_attempt_at', '<=', now)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst();

/** Extends a lease. False if another process has taken the hook over. */
export const holdHook = async (tx: Db, key: HookKey, lease: Lease): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_hooks')
    .set({ lease_until: lease.until })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const releaseHook = async (
  tx: Db,
  key: HookKey,
  owner: string,
  now: Moment,
): Promise<void> => {
  await tx
    .updateTable('webhook_hooks')
    .set({ lease_owner: null, lease_until: now })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('lease_owner', '=', owner)
    .execute();
};

/** Runs after the clock was set back: makes delayed hooks due now, and releases leases if no other process sends. */
export const hurryHooks = async (tx: Db, now: Moment, alone: boolean): Promise<void> => {
  await tx
    .updateTable('webhook_hooks')
    .set({ next_attempt_at: now })
    .where('next_attempt_at', '>', now)
    .execute();
  const leased = tx
    .updateTable('webhook_hooks')
    .set({ lease_owner: null, lease_until: now })
    .where('lease_until', '>', now);
  await (alone ? leased : leased.where('lease_owner', 'is', null)).execute();
};

const pendingOf = (db: Db, key: HookKey) =>
  db
    .selectFrom('webhook_pending as p')
    .innerJoin('events as e', (join) =>
      join.onRef('e.company_id', '=', 'p.company_id').onRef('e.id', '=', 'p.event_id'),
    )
    .leftJoin('webhook_triggers as t', (join) =>
      join
        .onRef('t.company_id', '=', 'p.company_id')
        .onRef('t.hook_id', '=', 'p.hook_id')
        .onRef('t.resource_name', '=', 'e.resource_name')
        .onRef('t.event_type', '=', 'e.event_type'),
    )
    .leftJoin('users as a', (join) =>
      join.onRef('a.id', '=', 'e.user_id').on('a.service_account', '=', 1),
    )
    .where('p.company_id', '=', key.company_id)
    .where('p.hook_id', '=', key.id)
    .selectAll('e')
    .select(['t.api_version as trigger_api_version', 'a.login as client_id'])
    .orderBy('p.event_id');

/**
 * The oldest undelivered events of the hook, in order. It drops events that the hook's `created_by` may not see: the record was
 * hidden since (decisions §4.5), or the hook changed hands.
 */
export const takeNextEvents = async (
  tx: Db,
  key: HookKey,
  limit: number,
): Promise<PendingEvent[]> => {
  for (;;) {
    const found = await pendingOf(tx, key)
      .innerJoin('webhook_hooks as h', (join) =>
        join.onRef('h.company_id', '=', 'p.company_id').onRef('h.id', '=', 'p.hook_id'),
      )
      .select(maySendEvent.as('sendable'))
      .limit(limit)
      .execute();
    const hidden = found.filter(({ sendable }) => !sendable).map(({ id }) => id);
    if (hidden.length > 0) await deletePending(tx, key, hidden);
    if (hidden.length < found.length || found.length === 0)
      return found.filter(({ sendable }) => sendable);
  }
};

/** Undelivered events created before a time, oldest first. */
export const listOverdueEvents = (
  db: Db,
  key: HookKey,
  created_before: number,
  limit: number,
): Promise<PendingEvent[]> =>
  pendingOf(db, key).where('p.created_at', '<=', created_before).limit(limit).execute();

/** False if no such event was pending. */
export const deletePending = async (
  tx: Db,
  key: HookKey,
  event_ids: readonly number[],
): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_pending')
    .where('company_id', '=', key.company_id)
    .where('hook_id', '=', key.id)
    .where('event_id', 'in', event_ids)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

const insertRows = insertMany('webhook_deliveries', {
  company_id: 'bigint',
  id: 'bigint',
  hook_id: 'bigint',
  event_id: 'bigint',
  event_ulid: 'text',
  started_at: 'bigint',
  completed_at: 'bigint',
  response_status: 'integer',
  response_headers: 'text',
  response_error: 'text',
  response_body: 'text',
  outcome: 'text',
});

export const insertDeliveries = async (
  tx: Db,
  rows: readonly Omit<DeliveryRow, 'id'>[],
): Promise<void> => {
  const first = await takeIds(tx, 'webhook_deliveries', rows.length);
  await insertRows(
    tx,
    rows.map((row, index) => ({ ...row, id: first + index })),
  );
};

/** Deletes up to `limit` deliveries that ended before a time. Returns how many it selected. */
export const deleteDeliveriesBefore = async (
  tx: Db,
  completed_before: number,
  limit: number,
): Promise<number> => {
  const old = await tx
    .selectFrom('webhook_deliveries')
    .select(['company_id', 'id'])
    .where('completed_at', '<', completed_before)
    .orderBy('completed_at')
    .limit(limit)
    .execute();
  for (const { company_id, id } of old)
    await tx
      .deleteFrom('webhook_deliveries')
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute();
  return old.length;
};

/** Counts for /metrics. `paused`: enabled hooks in backoff after a failed attempt. */
export const countWaiting = async (
  db: Db,
  now: Moment,
): Promise<{ readonly pending: number; readonly paused: number }> => {
  const pending = await db
    .selectFrom('webhook_pending')
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirst();
  const paused = await db
    .selectFrom('webhook_hooks')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('disabled_at', 'is', null)
    .where('failures', '>', 0)
    .where('next_attempt_at', '>', now)
    .executeTakeFirst();
  return { pending: Number(pending?.n ?? 0), paused: Number(paused?.n ?? 0) };
};

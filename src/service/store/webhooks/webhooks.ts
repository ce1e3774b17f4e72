/** Hooks, triggers and deliveries for their owners (decisions §9). The dispatcher's queries are in webhook-queue.ts. */
import type { Selectable, UpdateObject } from 'kysely';
import type { Db } from '../engine/db.ts';
import { followedList, bury, goneFrom, type Following } from '../engine/following.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

export type HookRow = Selectable<Database['webhook_hooks']>;
export type TriggerRow = Selectable<Database['webhook_triggers']>;
export type DeliveryRow = Selectable<Database['webhook_deliveries']>;

export interface HookKey {
  readonly company_id: number;
  readonly id: number;
}
interface HookPart {
  readonly company_id: number;
  readonly hook_id: number;
}
interface HookScope {
  readonly company_id: number;
  /** Null: the company's own hooks. */
  readonly project_id: number | null;
  readonly namespace: string;
}

const hooksOf = (db: Db, { company_id, project_id, namespace }: HookScope) =>
  db
    .selectFrom('webhook_hooks')
    .where('company_id', '=', company_id)
    .where('namespace', '=', namespace)
    .where('project_id', project_id === null ? 'is' : '=', project_id);

export const listHooks = (db: Db, scope: HookScope, slice: Slice): Promise<HookRow[]> =>
  newestFirst(hooksOf(db, scope).selectAll(), slice);

export const countHooks = (db: Db, scope: HookScope): Promise<number> =>
  countOf(hooksOf(db, scope));

const hookTombs = ({ company_id, project_id, namespace }: HookScope) => ({
  company_id,
  list: `webhook_hooks/${namespace}/${project_id ?? ''}`,
});

/** [ours] The list as a reader follows it. */
export const followHooks = (db: Db, scope: HookScope, following: Following) =>
  followedList(
    db,
    { records: hooksOf(db, scope), gone: goneFrom(hookTombs(scope), following) },
    following,
  );

export const listHooksById = (
  db: Db,
  scope: HookScope,
  ids: readonly number[],
): Promise<HookRow[]> =>
  hooksOf(db, scope)
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();

/** All hooks of a company, in every namespace. */
export const countCompanyHooks = (db: Db, company_id: number): Promise<number> =>
  countOf(db.selectFrom('webhook_hooks').where('company_id', '=', company_id));

export const findHook = (db: Db, { company_id, id }: HookKey): Promise<HookRow | undefined> =>
  db
    .selectFrom('webhook_hooks')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst();

export const insertHook = async (tx: Db, row: HookRow): Promise<void> => {
  await tx.insertInto('webhook_hooks').values(row).execute();
};

export const updateHook = async (
  tx: Db,
  { company_id, id }: HookKey,
  set: UpdateObject<Database, 'webhook_hooks'>,
): Promise<void> => {
  await tx
    .updateTable('webhook_hooks')
    .set(set)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

/** Moves the triggers that had the hook's old version to its new one. Triggers for other versions keep theirs. */
export const moveTriggers = async (
  tx: Db,
  { company_id, id }: HookKey,
  version: { readonly from: string; readonly to: string },
  updated_at: number,
): Promise<void> => {
  await tx
    .updateTable('webhook_triggers')
    .set({ api_version: version.to, updated_at })
    .where('company_id', '=', company_id)
    .where('hook_id', '=', id)
    .where('api_version', '=', version.from)
    .execute();
};

/** Deletes the hook with its triggers, pending events and deliveries. @param at the stamp of the change */
export const deleteHook = async (
  tx: Db,
  { company_id, id, ...scope }: HookKey & HookScope,
  at: number,
): Promise<void> => {
  for (const table of ['webhook_triggers', 'webhook_pending', 'webhook_deliveries'] as const)
    await tx
      .deleteFrom(table)
      .where('company_id', '=', company_id)
      .where('hook_id', '=', id)
      .execute();
  await tx
    .deleteFrom('webhook_hooks')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
  await bury(tx, hookTombs({ company_id, ...scope }), [id], at);
};

const triggersOf = (db: Db, { company_id, hook_id }: HookPart) =>
  db
    .selectFrom('webhook_triggers')
    .where('company_id', '=', company_id)
    .where('hook_id', '=', hook_id);

export const listTriggers = (db: Db, hook: HookPart, slice: Slice): Promise<TriggerRow[]> =>
  newestFirst(triggersOf(db, hook).selectAll(), slice);

export const countTriggers = (db: Db, hook: HookPart): Promise<number> =>
  countOf(triggersOf(db, hook));

const triggerTombs = ({ company_id, hook_id }: HookPart) => ({
  company_id,
  list: `webhook_triggers/${hook_id}`,
});

/** [ours] The list as a reader follows it. */
export const followTriggers = (db: Db, hook: HookPart, following: Following) =>
  followedList(
    db,
    { records: triggersOf(db, hook), gone: goneFrom(triggerTombs(hook), following) },
    following,
  );

export const listTriggersById = (
  db: Db,
  hook: HookPart,
  ids: readonly number[],
): Promise<TriggerRow[]> =>
  triggersOf(db, hook)
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();

export const hasTrigger = async (
  db: Db,
  hook: HookPart,
  what: Pick<TriggerRow, 'resource_name' | 'event_type'>,
): Promise<boolean> =>
  (await triggersOf(db, hook)
    .select('id')
    .where('resource_name', '=', what.resource_name)
    .where('event_type', '=', what.event_type)
    .executeTakeFirst()) !== undefined;

export const findTrigger = (db: Db, { company_id, id }: HookKey): Promise<TriggerRow | undefined> =>
  db
    .selectFrom('webhook_triggers')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst();

export const insertTrigger = async (tx: Db, row: TriggerRow): Promise<void> => {
  await tx.insertInto('webhook_triggers').values(row).execute();
};

/** @param at the stamp of the change */
export const deleteTrigger = async (
  tx: Db,
  { company_id, id, hook_id }: HookKey & HookPart,
  at: number,
): Promise<void> => {
  await bury(tx, triggerTombs({ company_id, hook_id }), [id], at);
  await tx
    .deleteFrom('webhook_triggers')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

export type DeliveryFilter = 'any' | 'successful' | 'failing';

const deliveriesOf = (db: Db, { company_id, hook_id }: HookPart, filter: DeliveryFilter) =>
  db
    .selectFrom('webhook_deliveries')
    .where('company_id', '=', company_id)
    .where('hook_id', '=', hook_id)
    .where(
      'outcome',
      'in',
      {
        any: ['ok', 'retried', 'failed'],
        successful: ['ok'],
        failing: ['retried', 'failed'],
      }[filter],
    );

/** Newest first. */
export const listDeliveries = (
  db: Db,
  hook: HookPart,
  filter: DeliveryFilter,
  slice: Slice,
): Promise<DeliveryRow[]> =>
  deliveriesOf(db, hook, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(slice.limit)
    .offset(slice.offset)
    .execute();

export const listDeliveryIds = async (
  db: Db,
  hook: HookPart,
  filter: DeliveryFilter,
  { limit, offset }: Slice,
): Promise<number[]> => {
  const page = deliveriesOf(db, hook, filter).select('id').orderBy('id', 'desc');
  return (await page.limit(limit).offset(offset).execute()).map(({ id }) => id);
};

export const listDeliveriesById = (
  db: Db,
  hook: HookPart,
  ids: readonly number[],
): Promise<DeliveryRow[]> =>
  deliveriesOf(db, hook, 'any')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();

export const countDeliveries = (db: Db, hook: HookPart, filter: DeliveryFilter): Promise<number> =>
  countOf(deliveriesOf(db, hook, filter));

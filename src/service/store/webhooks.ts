/** Hooks, triggers and deliveries as their owners see them (decisions §9). What the dispatcher asks is in webhook-queue.ts. */
import type { Selectable, UpdateObject } from 'kysely';
import type { Db } from './db.ts';
import { countOf, newestFirst, type Slice } from './newest-first.ts';
import type { Database } from './schema.ts';

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

/** All of a company's, whatever their namespace. */
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

/** A hook's new version is that of its triggers that had its old one; those made for another version keep theirs. */
export const moveTriggers = async (
  tx: Db,
  { company_id, id }: HookKey,
  version: { readonly from: string; readonly to: string },
): Promise<void> => {
  await tx
    .updateTable('webhook_triggers')
    .set({ api_version: version.to })
    .where('company_id', '=', company_id)
    .where('hook_id', '=', id)
    .where('api_version', '=', version.from)
    .execute();
};

/** With everything that hangs on it. */
export const deleteHook = async (tx: Db, { company_id, id }: HookKey): Promise<void> => {
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

export const deleteTrigger = async (tx: Db, { company_id, id }: HookKey): Promise<void> => {
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

/** The ids alone of a page, in its order. */
export const listDeliveryIds = async (
  db: Db,
  hook: HookPart,
  filter: DeliveryFilter,
  { limit, offset }: Slice,
): Promise<number[]> => {
  const page = deliveriesOf(db, hook, filter).select('id').orderBy('id', 'desc');
  return (await page.limit(limit).offset(offset).execute()).map(({ id }) => id);
};

/** The deliveries of these ids, in any order. */
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

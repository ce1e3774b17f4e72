/**
 * The record of what happened, in the transaction of the change, and with it one row of the outbox for every hook that
 * wants to hear of it (decisions §9.4): what is committed will be told, what is rolled back never was.
 */
import { sql } from 'kysely';
import { monotonicFactory } from 'ulid';
import type { WebhookEventType, WebhookResourceName } from '../../contract/rest/webhooks.ts';
import type { Db } from './db.ts';
import { gathered } from './gather.ts';
import { takeIds } from './ids.ts';
import { insertMany, jsonRows, written } from './many.ts';
import { prepared } from './prepared.ts';
import { isTold } from './private-incidents.ts';

export type EventInput = {
  readonly company_id: number;
  readonly project_id: number | null;
  readonly user_id: number;
  readonly event_type: WebhookEventType;
  readonly resource_name: WebhookResourceName;
  /** The record's id; of an upload, its uuid. */
  readonly resource_id: number | string;
  readonly created_at: number;
};

const insert = insertMany('events', {
  company_id: 'bigint',
  id: 'bigint',
  project_id: 'bigint',
  user_id: 'bigint',
  event_type: 'text',
  resource_name: 'text',
  resource_id: 'bigint',
  resource_uuid: 'text',
  ulid: 'text',
  created_at: 'bigint',
});

/** A company's hook hears of all its projects, a project's of that project alone. */
const enqueue = prepared((tx: Db, { events }: { readonly events: string }) =>
  written(
    tx,
    sql`
      insert into webhook_pending (company_id, hook_id, event_id, created_at)
      select e.company_id, h.id, e.id, e.created_at
      from ${jsonRows(tx, events, { company_id: 'bigint', id: 'bigint' })}
      join events e on e.company_id = r.company_id and e.id = r.id
      join webhook_triggers t on t.company_id = e.company_id
        and t.resource_name = e.resource_name and t.event_type = e.event_type
      join webhook_hooks h on h.company_id = t.company_id and h.id = t.hook_id
      where h.disabled_at is null and (h.project_id is null or h.project_id = e.project_id)
        and ${isTold}`,
  ),
);

/** Rises also while the clock goes back. */
const ulid = monotonicFactory();

interface Numbered {
  readonly id: number;
  readonly event: EventInput;
}

const insertNumbered = gathered(async (tx, numbered: readonly Numbered[]) => {
  const rows = numbered.map(({ id, event: { resource_id, ...event } }) => ({
    ...event,
    id,
    resource_id: typeof resource_id === 'number' ? resource_id : 0,
    resource_uuid: typeof resource_id === 'string' ? resource_id : null,
    ulid: ulid(event.created_at),
  }));
  const events = JSON.stringify(rows.map(({ company_id, id }) => ({ company_id, id })));
  // On their way at once: the second reads what the first wrote.
  await Promise.all([insert(tx, rows), enqueue(tx, { events })]);
  return [];
});

/** @param id taken after the change itself, or in the same turn of the company: of two changes of one record the later has the higher id */
export const insertEvent = async (tx: Db, event: EventInput, id?: number): Promise<void> => {
  await insertNumbered(tx, { id: id ?? (await takeIds(tx, 'events')), event });
};

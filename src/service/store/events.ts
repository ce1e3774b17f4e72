/**
 * Writes an event in the transaction of the change it records, and an outbox row for each subscribed hook (decisions §9.4). So
 * every committed change is delivered, and a change that is rolled back never is.
 */
import { sql } from 'kysely';
import { monotonicFactory } from 'ulid';
import type { WebhookEventType, WebhookResourceName } from '../../contract/rest/webhooks.ts';
import type { Db } from './engine/db.ts';
import { gathered } from './engine/batch.ts';
import { takeIds } from './engine/ids.ts';
import { insertMany, jsonRows, written } from './engine/bulk-sql.ts';
import { prepared } from './engine/prepared.ts';
import { maySendEvent } from './near-misses/private-incidents.ts';

export type EventInput = {
  readonly company_id: number;
  readonly project_id: number | null;
  readonly user_id: number;
  readonly event_type: WebhookEventType;
  readonly resource_name: WebhookResourceName;
  /** The record's id, or an upload's uuid. */
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

/** A company hook receives the events of all projects; a project hook only those of its project. */
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
        and ${maySendEvent}`,
  ),
);

/** Stays monotonic even if the clock goes backwards. */
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
  // Both are sent at once, in order: the second reads the rows of the first.
  await Promise.all([insert(tx, rows), enqueue(tx, { events })]);
  return [];
});

/**
 * @param id must be taken after the change, or in the same tick of the company's write: the later of two changes to a record
 * must have the higher id
 */
export const insertEvent = async (tx: Db, event: EventInput, id?: number): Promise<void> => {
  await insertNumbered(tx, { id: id ?? (await takeIds(tx, 'events')), event });
};

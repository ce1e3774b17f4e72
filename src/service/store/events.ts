/**
 * The record of what happened, in the transaction of the change, and with it one row of the outbox for every hook that
 * wants to hear of it (decisions §9.4): what is committed will be told, what is rolled back never was.
 */
import { monotonicFactory } from 'ulid';
import type { WebhookEventType, WebhookResourceName } from '../../contract/rest/webhooks.ts';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import { takeIds } from './ids.ts';

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

interface EventValues {
  readonly id: number;
  readonly company_id: number;
  readonly project_id: number | null;
  readonly user_id: number;
  readonly event_type: string;
  readonly resource_name: string;
  readonly resource_id: number;
  readonly resource_uuid: string | null;
  readonly ulid: string;
  readonly created_at: number;
}
type Values<T> = { readonly [K in keyof T]: T[K] };

const insert = prepared((tx: Db, event: Values<EventValues>) =>
  tx.insertInto('events').values({
    company_id: event.company_id,
    id: event.id,
    project_id: event.project_id,
    user_id: event.user_id,
    event_type: event.event_type,
    resource_name: event.resource_name,
    resource_id: event.resource_id,
    resource_uuid: event.resource_uuid,
    ulid: event.ulid,
    created_at: event.created_at,
  }),
);

type Heard = {
  readonly company_id: number;
  readonly resource_name: string;
  readonly event_type: string;
};

const findHearers = prepared((tx: Db, heard: Heard) =>
  tx
    .selectFrom('webhook_triggers as t')
    .innerJoin('webhook_hooks as h', (join) =>
      join.onRef('h.company_id', '=', 't.company_id').onRef('h.id', '=', 't.hook_id'),
    )
    .where('t.company_id', '=', heard.company_id)
    .where('t.resource_name', '=', heard.resource_name)
    .where('t.event_type', '=', heard.event_type)
    .where('h.disabled_at', 'is', null)
    .select(['h.id', 'h.project_id']),
);

/** A company's hook hears of all its projects, a project's of that project alone. */
const enqueue = async (tx: Db, event: EventInput, event_id: number): Promise<void> => {
  const { company_id, project_id, resource_name, event_type, created_at } = event;
  const hooks = await findHearers(tx, { company_id, resource_name, event_type });
  const rows = hooks
    .filter((hook) => hook.project_id === null || Number(hook.project_id) === project_id)
    .map(({ id }) => ({ company_id, hook_id: id, event_id, created_at }));
  if (rows.length > 0) await tx.insertInto('webhook_pending').values(rows).execute();
};

/** Rises also while the clock goes back. */
const ulid = monotonicFactory();

export const insertEvent = async (tx: Db, event: EventInput): Promise<void> => {
  const { resource_id } = event;
  // Taken after the change itself: of two changes of one record the later has the higher id.
  const id = await takeIds(tx, 'events');
  await insert(tx, {
    ...event,
    id,
    resource_id: typeof resource_id === 'number' ? resource_id : 0,
    resource_uuid: typeof resource_id === 'string' ? resource_id : null,
    ulid: ulid(event.created_at),
  });
  await enqueue(tx, event, id);
};

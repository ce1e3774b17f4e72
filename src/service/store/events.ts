/** The record of what happened, in the transaction of the change (decisions §9.4). */
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import { takeIds } from './ids.ts';

export type EventInput = {
  readonly company_id: number;
  readonly project_id: number | null;
  readonly user_id: number;
  readonly event_type: 'create' | 'update' | 'delete';
  /** One of decisions §9.3. */
  readonly resource_name:
    | 'Near Misses'
    | 'Incidents'
    | 'Project Insurances'
    | 'Time And Material Entry Attachments'
    | 'Project Memberships'
    | 'Company Uploads';
  readonly resource_id: number;
  readonly created_at: number;
};

const insert = prepared((tx: Db, event: EventInput & { readonly id: number }) =>
  tx.insertInto('events').values({
    company_id: event.company_id,
    id: event.id,
    project_id: event.project_id,
    user_id: event.user_id,
    event_type: event.event_type,
    resource_name: event.resource_name,
    resource_id: event.resource_id,
    created_at: event.created_at,
  }),
);

export const insertEvent = async (tx: Db, event: EventInput): Promise<void> => {
  await insert(tx, { ...event, id: await takeIds(tx, 'events') });
};

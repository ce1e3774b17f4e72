/** The record of what happened, in the transaction of the change (decisions §9.4). */
import type { Db } from './db.ts';
import { takeIds } from './ids.ts';

export interface EventInput {
  readonly company_id: number;
  readonly project_id: number | null;
  readonly user_id: number;
  readonly event_type: 'create' | 'update' | 'delete';
  /** One of decisions §9.3. */
  readonly resource_name: 'Near Misses' | 'Incidents' | 'Company Uploads';
  readonly resource_id: number;
  readonly created_at: number;
}

export const insertEvent = async (tx: Db, event: EventInput): Promise<void> => {
  const id = await takeIds(tx, 'events');
  await tx
    .insertInto('events')
    .values({ id, ...event })
    .execute();
};

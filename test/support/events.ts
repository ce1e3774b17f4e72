/** What the service recorded as having happened: the rows that webhooks are told from (decisions §9.4). */
import type { TestService } from './service.ts';

/** A mark in the events of one resource, and what came after it as `create 12`, oldest first. */
export const eventsSince = async (
  t: TestService,
  resource_name: string,
): Promise<() => Promise<string[]>> => {
  const read = () =>
    t.service.app.store.read
      .selectFrom('events')
      .select(['id', 'event_type', 'resource_id'])
      .where('resource_name', '=', resource_name)
      .orderBy('id')
      .execute();
  const before = (await read()).length;
  return async () =>
    (await read())
      .slice(before)
      .map(({ event_type, resource_id }) => `${event_type} ${resource_id}`);
};

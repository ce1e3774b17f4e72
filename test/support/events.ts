/** Reads the events that the service recorded, from which webhooks are delivered (decisions §9.4). */
import type { TestService } from './service.ts';

/**
 * Remembers the current end of one resource's events. The returned function lists the later ones as `create 12`, oldest first.
 */
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

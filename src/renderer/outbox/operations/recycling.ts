/** What sending to the recycle bin and taking out of it have in common: the record's id; and finding a record there. */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Recycling, UpdateNotes } from '../../entries/near-miss.ts';
import type { SendContext } from './operation.ts';

/** Where the record is on the server. `gone`: it never got there. */
export const placeOf = async (
  { key, project_id, server_id }: Recycling,
  { serverId }: Pick<SendContext, 'serverId'>,
): Promise<Result<{ readonly project_id: number; readonly id: number }>> => {
  const id = await serverId(key, server_id);
  return id === null ? fail({ kind: 'gone', status: 404, messages: [] }) : ok({ project_id, id });
};

/**
 * After a 404: is it in the recycle bin, so that it can be taken out again, or gone for good? Noted for the waiting
 * screen; where the server cannot be asked it stays open.
 */
export const noteRecycled = async (
  params: { readonly project_id: number; readonly id: number },
  { host, checkpoint }: Pick<SendContext<UpdateNotes>, 'host' | 'checkpoint'>,
): Promise<void> => {
  const found = await host.request('recycled_near_misses.show', { params });
  if (found.ok || found.problem.kind === 'gone') await checkpoint({ recycled: found.ok });
};

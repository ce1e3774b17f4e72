/** [ours] Taking over a project's shift, which lets a user answer every report of the project (decisions §12.3). */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

const shift = z.object({
  id,
  user: z.object({ id, name: z.string(), login: z.string() }),
  taken_over_at: dateTime,
  ends_at: dateTime,
});
export type Shift = z.infer<typeof shift>;

const tag = 'Shifts';
const base = '/rest/v1.0/projects/{project_id}/shifts';

export const shiftEndpoints = {
  'shifts.list': endpoint({
    method: 'GET',
    path: base,
    params: { project_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(shift),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List who took over the shift, and when',
  }),
  'shifts.create': endpoint({
    method: 'POST',
    path: base,
    params: { project_id: pathId },
    reply: shift,
    status: 201,
    extension: true,
    tag,
    summary: 'Take over the shift of the project',
  }),
};

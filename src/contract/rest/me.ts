/**
 * [ours] Who the token belongs to and what they may work on (decisions §4.3). The one endpoint that answers
 * without knowing the company yet: its `Service-Company-Id` is still required and checked.
 */
import { z } from 'zod';
import { endpoint, id } from './endpoint.ts';

export const me = z.object({
  user: z.object({ id, name: z.string(), login: z.string() }),
  companies: z.array(z.object({ id, name: z.string() })),
  /** `active` false: retired; what was written for it is still taken (decisions §11.3). */
  projects: z.array(
    z.object({ id, name: z.string(), company_id: id, active: z.boolean().optional() }),
  ),
});
export type Me = z.infer<typeof me>;

export const meEndpoints = {
  'me.show': endpoint({
    method: 'GET',
    path: '/rest/v1.0/me',
    params: {},
    reply: me,
    cacheable: true,
    extension: true,
    tag: 'Me',
    summary: 'The signed-in user, their companies and projects',
  }),
};

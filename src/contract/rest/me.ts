/**
 * [ours] The owner of the token and their companies and projects (decisions §4.3). A caller that does not know its company yet
 * leaves out `Service-Company-Id`.
 */
import { z } from 'zod';
import { level, projectIds } from './access/levels.ts';
import { accessToken } from './access/tokens.ts';
import { answeredByUs } from './protocol/answered.ts';
import { endpoint, id } from './protocol/endpoint.ts';

export const me = z.object({
  /** The fields of `user`, where clients of similar APIs look for them. */
  id: answeredByUs(id),
  login: answeredByUs(z.string()),
  name: answeredByUs(z.string()),
  user: z.object({ id, name: z.string(), login: z.string() }),
  /** `level` and `project_ids` (null: all projects) say what the caller may do there (decisions §12.2). */
  companies: z.array(
    z.object({
      id,
      name: z.string(),
      level: answeredByUs(level),
      project_ids: answeredByUs(projectIds),
    }),
  ),
  /** The token of this request. */
  token: answeredByUs(accessToken.pick({ id: true, name: true, expires_at: true })),
  /** `active: false` means retired; changes written for it are still accepted (decisions §11.3). */
  projects: z.array(
    z.object({ id, name: z.string(), company_id: id, active: answeredByUs(z.boolean()) }),
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
    needsCompany: false,
    extension: true,
    tag: 'Me',
    summary: 'The signed-in user, their companies and projects',
  }),
};

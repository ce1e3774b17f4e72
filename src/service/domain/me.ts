/** [ours] The caller's account and workplaces (decisions §4.3). */
import type { Me } from '../../contract/rest/me.ts';
import type { Db } from '../store/engine/db.ts';
import type { Membership, UsedToken } from '../store/access/tokens.ts';
import { listWorkplaces } from '../store/users.ts';
import { seesProject } from './access/access.ts';
import { contentTag } from './etag.ts';
import { wireTimeOrNull } from './near-misses/near-miss-view.ts';
import { tokenIdOf } from './tokens.ts';

/** The caller and the token of the request. */
export interface Caller {
  readonly user: { readonly id: number; readonly name: string; readonly login: string };
  readonly memberships: readonly Membership[];
  readonly token: UsedToken;
}

export const showMe = async (
  db: Db,
  { user, memberships, token }: Caller,
): Promise<{ readonly data: Me; readonly etag: string }> => {
  const standings = new Map(memberships.map((one) => [one.company_id, one]));
  const { companies, projects } = await listWorkplaces(db, [...standings.keys()]);
  const { id, login, name } = user;
  const data: Me = {
    id,
    login,
    name,
    user: { id, name, login },
    companies: companies.map(({ id, name }) => {
      const standing = standings.get(id);
      return {
        id,
        name,
        level: standing?.level,
        project_ids: standing?.project_ids?.slice() ?? null,
      };
    }),
    token: {
      id: tokenIdOf(token.hash),
      name: token.name,
      expires_at: wireTimeOrNull(token.expires_at),
    },
    projects: projects.flatMap(({ active, ...project }) => {
      const standing = standings.get(project.company_id);
      return standing && seesProject(standing, project.id)
        ? [{ ...project, active: active === 1 }]
        : [];
    }),
  };
  return { data, etag: contentTag(data) };
};

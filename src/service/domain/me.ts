/** [ours] Who is asking and where they may work (decisions §4.3). */
import type { Me } from '../../contract/rest/me.ts';
import type { Db } from '../store/db.ts';
import { listWorkplaces } from '../store/users.ts';
import { contentTag } from './etag.ts';

/** Who asks, and the ETag of what is said of them. */
export const showMe = async (
  db: Db,
  user: { readonly id: number; readonly name: string; readonly login: string },
): Promise<{ readonly data: Me; readonly etag: string }> => {
  const { companies, projects } = await listWorkplaces(db, user.id);
  const data: Me = {
    user: { id: user.id, name: user.name, login: user.login },
    companies: companies.map(({ id, name }) => ({ id, name })),
    projects: projects.map(({ active, ...project }) => ({ ...project, active: active === 1 })),
  };
  return { data, etag: contentTag(data) };
};

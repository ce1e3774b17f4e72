/** [ours] Who is asking and where they may work (decisions §4.3). */
import type { Me } from '../../contract/rest/me.ts';
import type { Db } from '../store/db.ts';
import { listWorkplaces } from '../store/users.ts';

export const showMe = async (
  db: Db,
  user: { readonly id: number; readonly name: string; readonly login: string },
): Promise<Me> => {
  const { companies, projects } = await listWorkplaces(db, user.id);
  return {
    user: { id: user.id, name: user.name, login: user.login },
    companies: companies.map(({ id, name }) => ({ id, name })),
    projects: projects.map(({ id, name, company_id }) => ({ id, name, company_id })),
  };
};

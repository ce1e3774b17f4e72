/** [ours] What an evidence pack needs besides the record: names of people to leave out, and the level of who asks (decisions §19.2). */
import type { Db } from '../engine/db.ts';

/** Names and logins of all users and people of the company, and the names of its parties. */
export const peopleNames = async (db: Db, company_id: number): Promise<string[]> => {
  const users = await db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .select(['u.name', 'u.login'])
    .where('cu.company_id', '=', company_id)
    .execute();
  const people = await db
    .selectFrom('people')
    .select(['name', 'login'])
    .where('company_id', '=', company_id)
    .execute();
  const parties = await db
    .selectFrom('parties')
    .select('name')
    .where('company_id', '=', company_id)
    .execute();
  return [
    ...[...users, ...people].flatMap(({ name, login }) => [name, login]),
    ...parties.map(({ name }) => name),
  ].filter((name) => name !== '');
};

/** Names of these people and parties. */
export const affectedNames = async (
  db: Db,
  company_id: number,
  ids: { readonly people: readonly number[]; readonly parties: readonly number[] },
): Promise<string[]> => {
  const names: string[] = [];
  for (const table of ['people', 'parties'] as const)
    for (const id of new Set(ids[table])) {
      const row = await db
        .selectFrom(table)
        .select('name')
        .where('company_id', '=', company_id)
        .where('id', '=', id)
        .executeTakeFirst();
      if (row) names.push(row.name);
    }
  return names;
};

/** True for users and service accounts that administer the company now. */
export const isAdmin = async (
  db: Db,
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
): Promise<boolean> =>
  (await db
    .selectFrom('company_users')
    .select('user_id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('level', '=', 'admin')
    .where('active', '=', 1)
    .executeTakeFirst()) !== undefined;

export const projectName = async (
  db: Db,
  where: { readonly company_id: number; readonly project_id: number },
): Promise<string> =>
  (
    await db
      .selectFrom('projects')
      .select('name')
      .where('company_id', '=', where.company_id)
      .where('id', '=', where.project_id)
      .executeTakeFirst()
  )?.name ?? '';

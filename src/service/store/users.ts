/** Users, their tokens (as hashes only), companies and projects. */
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';

interface TokenUser {
  readonly user: { readonly id: number; readonly login: string; readonly name: string };
  readonly company_ids: readonly number[];
}

const tokenUser = prepared((db: Db, where: { readonly token_hash: string }) =>
  db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('company_users as cu', 'cu.user_id', 'u.id')
    .select(['u.id', 'u.login', 'u.name', 'cu.company_id'])
    .where('t.token_hash', '=', where.token_hash),
);

export const findTokenUser = async (db: Db, token_hash: string): Promise<TokenUser | null> => {
  const rows = await tokenUser(db, { token_hash });
  const [first] = rows;
  if (!first) return null;
  return {
    user: { id: first.id, login: first.login, name: first.name },
    company_ids: rows.flatMap((row) => (row.company_id === null ? [] : [row.company_id])),
  };
};

export const insertToken = async (
  tx: Db,
  row: { readonly token_hash: string; readonly user_id: number; readonly created_at: number },
): Promise<void> => {
  await tx.insertInto('tokens').values(row).execute();
};

const project = prepared(
  (db: Db, where: { readonly company_id: number; readonly project_id: number }) =>
    db
      .selectFrom('projects')
      .select('id')
      .where('company_id', '=', where.company_id)
      .where('id', '=', where.project_id),
);

export const projectExists = async (
  db: Db,
  company_id: number,
  project_id: number,
): Promise<boolean> => (await project(db, { company_id, project_id })).length > 0;

/** Every company of a user and every project of those, by name. */
export const listWorkplaces = async (db: Db, user_id: number) => {
  const companies = await db
    .selectFrom('company_users as cu')
    .innerJoin('companies as c', 'c.id', 'cu.company_id')
    .select(['c.id', 'c.name'])
    .where('cu.user_id', '=', user_id)
    .orderBy('c.id')
    .execute();
  const projects = await db
    .selectFrom('company_users as cu')
    .innerJoin('projects as p', 'p.company_id', 'cu.company_id')
    .select(['p.id', 'p.name', 'p.company_id'])
    .where('cu.user_id', '=', user_id)
    .orderBy('p.id')
    .execute();
  return { companies, projects };
};

/** The first company and project that a login works in. */
export const findSeatByLogin = (db: Db, login: string) =>
  db
    .selectFrom('users as u')
    .innerJoin('company_users as cu', 'cu.user_id', 'u.id')
    .innerJoin('projects as p', 'p.company_id', 'cu.company_id')
    .select(['u.id as user_id', 'cu.company_id', 'p.id as project_id'])
    .where('u.login', '=', login)
    .orderBy('p.id')
    .executeTakeFirst();

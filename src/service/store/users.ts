/** Users, their tokens (as hashes only), companies and projects. */
import type { Db } from './db.ts';

interface TokenUser {
  readonly user: { readonly id: number; readonly login: string; readonly name: string };
  readonly company_ids: readonly number[];
}

export const findTokenUser = async (db: Db, token_hash: string): Promise<TokenUser | null> => {
  const rows = await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('company_users as cu', 'cu.user_id', 'u.id')
    .select(['u.id', 'u.login', 'u.name', 'cu.company_id'])
    .where('t.token_hash', '=', token_hash)
    .execute();
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

export const projectExists = async (
  db: Db,
  company_id: number,
  project_id: number,
): Promise<boolean> =>
  (await db
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', project_id)
    .executeTakeFirst()) !== undefined;

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

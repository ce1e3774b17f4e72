/** Users, companies and projects. What users may do: access/. */
import type { CompanyUpdate } from '../../contract/rest/companies.ts';
import { sql } from 'kysely';
import { sortKey } from '../../contract/text/fold.ts';
import type { Db } from './engine/db.ts';
import { gathered } from './engine/batch.ts';
import { takeIds } from './engine/ids.ts';
import { jsonRows, written } from './engine/bulk-sql.ts';
import { stampChange } from './engine/change-clock.ts';
import { newestFirst, type Slice } from './engine/newest-first.ts';
import { prepared } from './engine/prepared.ts';
import { countActiveAdmins, insertCompanyUser, type Standing } from './access/company-users.ts';

/** Values per `in` list: databases limit them. */
const LOGINS = 500;

export const userNames = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** The subset of these logins that belong to users of the company. */
export const findUserLogins = async (
  db: Db,
  company_id: number,
  logins: readonly string[],
): Promise<string[]> => {
  const found: string[] = [];
  for (let at = 0; at < logins.length; at += LOGINS) {
    const rows = await db
      .selectFrom('company_users as cu')
      .innerJoin('users as u', 'u.id', 'cu.user_id')
      .select('u.login')
      .where('cu.company_id', '=', company_id)
      .where('u.login', 'in', logins.slice(at, at + LOGINS))
      .execute();
    found.push(...rows.map(({ login }) => login));
  }
  return found;
};

/** Adds a user to the people that the company's forms offer (decisions §11.6). No-op if a person with this login exists. */
export const addUserToPeople = async (
  tx: Db,
  { company_id, user_id, now }: Readonly<Record<'company_id' | 'user_id' | 'now', number>>,
): Promise<void> => {
  const user = await tx
    .selectFrom('users as u')
    .select(['u.login', 'u.name'])
    .where('u.id', '=', user_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('people as p')
            .select('p.id')
            .where('p.company_id', '=', company_id)
            .whereRef('p.login', '=', 'u.login'),
        ),
      ),
    )
    .executeTakeFirst();
  if (!user) return;
  await tx
    .insertInto('people')
    .values({
      company_id,
      id: await takeIds(tx, 'people'),
      project_id: null,
      name: user.name,
      name_folded: sortKey(user.name),
      login: user.login,
      origin_id: null,
      active: 1,
      version: 1,
      created_at: now,
      updated_at: await stampChange(tx, company_id, now),
    })
    .execute();
};

/** Creates a user in one company. Returns the id. The first user of a company is its admin unless `standing` says otherwise. */
export const insertUser = async (
  tx: Db,
  user: {
    readonly login: string;
    readonly name: string;
    readonly company_id: number;
    readonly now: number;
  },
  standing?: Standing,
): Promise<number> => {
  const { login, name, company_id, now } = user;
  const id = await takeIds(tx, 'users');
  await tx.insertInto('users').values({ id, login, name, created_at: now }).execute();
  const level = (await countActiveAdmins(tx, company_id)) === 0 ? 'admin' : 'standard';
  await insertCompanyUser(
    tx,
    { company_id, user_id: id, now },
    standing ?? { level, project_ids: null, active: true },
  );
  await addUserToPeople(tx, { company_id, user_id: id, now });
  return id;
};

/** The name of the company's person with this login, as forms offer it. */
export const findPersonName = async (
  db: Db,
  company_id: number,
  login: string,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('people')
      .select('name')
      .where('company_id', '=', company_id)
      .where('login', '=', login)
      .executeTakeFirst()
  )?.name;

export const findCompany = (db: Db, id: number) =>
  db
    .selectFrom('companies')
    .select(['id', 'name', 'created_at', 'help_contact', 'privacy_notice'])
    .where('id', '=', id)
    .executeTakeFirst();

export const changeCompany = async (tx: Db, id: number, change: CompanyUpdate): Promise<void> => {
  await tx.updateTable('companies').set(change).where('id', '=', id).execute();
};

export const isMember = async (db: Db, company_id: number, user_id: number): Promise<boolean> =>
  (await db
    .selectFrom('company_users')
    .select('user_id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()) !== undefined;

export const companiesOfUser = async (db: Db, user_id: number): Promise<number[]> =>
  (
    await db
      .selectFrom('company_users')
      .select('company_id')
      .where('user_id', '=', user_id)
      .orderBy('company_id')
      .execute()
  ).map(({ company_id }) => company_id);

interface ProjectPlace {
  readonly company_id: number;
  readonly project_id: number;
}

const projects = prepared((db: Db, { places }: { readonly places: string }) =>
  written(
    db,
    sql<ProjectPlace>`
      select p.company_id, p.id as project_id
      from ${jsonRows(db, places, { company_id: 'bigint', project_id: 'bigint' })}
      join projects p on p.company_id = r.company_id and p.id = r.project_id`,
  ),
);

const placeOf = ({ company_id, project_id }: ProjectPlace): string => `${company_id} ${project_id}`;

export const projectExists = gathered(async (db, asked: readonly ProjectPlace[]) => {
  const places = new Map(asked.map((place) => [placeOf(place), place]));
  const rows = await projects(db, { places: JSON.stringify([...places.values()]) });
  const found = new Set(rows.map(placeOf));
  return asked.map((place) => found.has(placeOf(place)));
});

/** These companies and all their projects, in id order. */
export const listWorkplaces = async (db: Db, company_ids: readonly number[]) => {
  if (company_ids.length === 0) return { companies: [], projects: [] };
  const companies = await db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', 'in', [...company_ids])
    .orderBy('id')
    .execute();
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'name', 'company_id', 'active'])
    .where('company_id', 'in', [...company_ids])
    .orderBy('id')
    .execute();
  return { companies, projects };
};

export const listCompanies = (db: Db, ids: readonly number[], slice: Slice) =>
  newestFirst(
    db
      .selectFrom('companies')
      .select(['id', 'name', 'created_at'])
      .where('id', 'in', [...ids]),
    slice,
  );

/** The first company and project of a login. */
export const findSeatByLogin = (db: Db, login: string) =>
  db
    .selectFrom('users as u')
    .innerJoin('company_users as cu', 'cu.user_id', 'u.id')
    .innerJoin('projects as p', 'p.company_id', 'cu.company_id')
    .select(['u.id as user_id', 'cu.company_id', 'p.id as project_id'])
    .where('u.login', '=', login)
    .orderBy('p.id')
    .executeTakeFirst();

export const findOtherCompany = (db: Db, ids: readonly number[]) => {
  const companies = db.selectFrom('companies').select('name').orderBy('id').limit(1);
  return (ids.length > 0 ? companies.where('id', 'not in', ids) : companies).executeTakeFirst();
};

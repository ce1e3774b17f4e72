/** Users, their tokens (as hashes only), companies and projects. */
import { sql } from 'kysely';
import { sortKey } from '../../contract/fold.ts';
import type { Db } from './db.ts';
import { gathered } from './gather.ts';
import { takeIds } from './ids.ts';
import { jsonRows, written } from './many.ts';
import { prepared } from './prepared.ts';

/** Values of one `in`: databases limit them. */
const LOGINS = 500;

interface TokenUser {
  readonly user: { readonly id: number; readonly login: string; readonly name: string };
  readonly company_ids: readonly number[];
}

interface TokenRow {
  readonly token_hash: string;
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly company_id: number | null;
  readonly only_company_id: number | null;
}

const tokenUsers = prepared((db: Db, { hashes }: { readonly hashes: string }) =>
  written(
    db,
    sql<TokenRow>`
      select t.token_hash, u.id, u.login, u.name, cu.company_id, t.company_id as only_company_id
      from ${jsonRows(db, hashes, { token_hash: 'text' })}
      join tokens t on t.token_hash = r.token_hash
      join users u on u.id = t.user_id
      left join company_users cu on cu.user_id = u.id`,
  ),
);

const tokenUserOf = (rows: readonly TokenRow[]): TokenUser | null => {
  const [first] = rows;
  if (!first) return null;
  return {
    user: { id: first.id, login: first.login, name: first.name },
    company_ids: rows.flatMap(({ company_id, only_company_id }) =>
      company_id === null || (only_company_id !== null && only_company_id !== company_id)
        ? []
        : [company_id],
    ),
  };
};

export const findTokenUser = gathered(async (db, hashes: readonly string[]) => {
  const asked = [...new Set(hashes)].map((token_hash) => ({ token_hash }));
  const rows = Map.groupBy(
    await tokenUsers(db, { hashes: JSON.stringify(asked) }),
    ({ token_hash }) => token_hash,
  );
  return hashes.map((hash) => tokenUserOf(rows.get(hash) ?? []));
});

export const insertToken = async (
  tx: Db,
  row: {
    readonly token_hash: string;
    readonly user_id: number;
    readonly created_at: number;
    readonly company_id?: number | null;
    readonly name?: string | null;
  },
): Promise<void> => {
  await tx
    .insertInto('tokens')
    .values({ company_id: null, name: null, ...row })
    .execute();
};

/** Every token, oldest first; of those of one user when a login is given. */
export const listTokens = (db: Db, login?: string) => {
  const all = db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.token_hash', 't.company_id', 't.name', 't.created_at', 'u.login'])
    .orderBy('t.created_at')
    .orderBy('t.token_hash');
  return (login === undefined ? all : all.where('u.login', '=', login)).execute();
};

export const deleteToken = async (tx: Db, token_hash: string): Promise<void> => {
  await tx.deleteFrom('tokens').where('token_hash', '=', token_hash).execute();
};

export const findUserByLogin = (db: Db, login: string) =>
  db.selectFrom('users').select(['id', 'login']).where('login', '=', login).executeTakeFirst();

/** Of these logins, those of users of the company. */
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

/** A user of a company is a person of it, whom forms offer (decisions §11.6); whoever has the login already is that person. */
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
      updated_at: now,
    })
    .execute();
};

/** A user who belongs to one company. Answers the id. */
export const insertUser = async (
  tx: Db,
  user: {
    readonly login: string;
    readonly name: string;
    readonly company_id: number;
    readonly now: number;
  },
): Promise<number> => {
  const { login, name, company_id, now } = user;
  const id = await takeIds(tx, 'users');
  await tx.insertInto('users').values({ id, login, name, created_at: now }).execute();
  await tx.insertInto('company_users').values({ company_id, user_id: id }).execute();
  await addUserToPeople(tx, { company_id, user_id: id, now });
  return id;
};

export const findCompany = (db: Db, id: number) =>
  db
    .selectFrom('companies')
    .select(['id', 'name', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();

export const renameCompany = async (tx: Db, id: number, name: string): Promise<void> => {
  await tx.updateTable('companies').set({ name }).where('id', '=', id).execute();
};

export const isMember = async (db: Db, company_id: number, user_id: number): Promise<boolean> =>
  (await db
    .selectFrom('company_users')
    .select('user_id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()) !== undefined;

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
    .select(['p.id', 'p.name', 'p.company_id', 'p.active'])
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

/** A company that is none of these. */
export const findOtherCompany = (db: Db, ids: readonly number[]) => {
  const companies = db.selectFrom('companies').select('name').orderBy('id').limit(1);
  return (ids.length > 0 ? companies.where('id', 'not in', ids) : companies).executeTakeFirst();
};

/** Ends what was given out with --demo or --embedded before `from`, in ms since the epoch: tokens of no one company. */
export const deleteSeatTokens = async (tx: Db, user_id: number, from: number): Promise<void> => {
  await tx
    .deleteFrom('tokens')
    .where('user_id', '=', user_id)
    .where('company_id', 'is', null)
    .where('created_at', '<', from)
    .execute();
};

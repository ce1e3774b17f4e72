/** The users of a company, with their levels and projects (decisions §12.4). Service accounts are in service-accounts.ts. */
import { sql } from 'kysely';
import type { Level } from '../../../contract/rest/access/levels.ts';
import { stampChange } from '../engine/change-clock.ts';
import type { Db } from '../engine/db.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import { writeProjectIds } from './project-ids.ts';

const usersOf = (db: Db, company_id: number) =>
  db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .where('cu.company_id', '=', company_id)
    .where('u.service_account', '=', 0);

const columns = ['u.id', 'u.name', 'u.login', 'cu.level', 'cu.project_ids', 'cu.active'] as const;

export const countUsers = (db: Db, company_id: number): Promise<number> =>
  countOf(usersOf(db, company_id));

export const listUsers = (db: Db, company_id: number, slice: Slice) =>
  newestFirst(usersOf(db, company_id).select(columns), slice, 'u');

export type UserRow = Awaited<ReturnType<typeof listUsers>>[number];

export const findUser = (db: Db, company_id: number, id: number): Promise<UserRow | undefined> =>
  usersOf(db, company_id).select(columns).where('u.id', '=', id).executeTakeFirst();

/** True if the user also belongs to another company, whose users see the same name. */
export const isElsewhere = async (db: Db, company_id: number, user_id: number): Promise<boolean> =>
  (await db
    .selectFrom('company_users')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('company_id', '<>', company_id)
    .executeTakeFirst()) !== undefined;

export interface Standing {
  readonly level: Level;
  readonly project_ids: readonly number[] | null;
  readonly active: boolean;
}

const stored = ({ level, project_ids, active }: Standing) => ({
  level,
  project_ids: writeProjectIds(project_ids),
  active: active ? 1 : 0,
});

interface Member {
  readonly company_id: number;
  readonly user_id: number;
}

export const insertCompanyUser = async (
  tx: Db,
  { company_id, user_id, now }: Member & { readonly now: number },
  standing: Standing,
): Promise<void> => {
  const since = await stampChange(tx, company_id, now);
  await tx
    .insertInto('company_users')
    .values({ company_id, user_id, since, ...stored(standing) })
    .execute();
};

/** @param back when the user was reactivated; undefined if it was active or is not now */
export const updateCompanyUser = async (
  tx: Db,
  { company_id, user_id }: Member,
  standing: Standing,
  back: number | undefined,
): Promise<void> => {
  const since = back === undefined ? {} : { since: await stampChange(tx, company_id, back) };
  await tx
    .updateTable('company_users')
    .set({ ...stored(standing), ...since })
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .execute();
};

export const renameUser = async (tx: Db, id: number, name: string): Promise<void> => {
  await tx.updateTable('users').set({ name }).where('id', '=', id).execute();
};

/** Locks the company's row, so that two admins who demote each other at once are judged one after the other. */
export const lockCompany = async (tx: Db, company_id: number): Promise<void> => {
  await tx
    .updateTable('companies')
    .set({ names_version: sql`names_version` })
    .where('id', '=', company_id)
    .execute();
};

export const countActiveAdmins = (db: Db, company_id: number): Promise<number> =>
  countOf(usersOf(db, company_id).where('cu.level', '=', 'admin').where('cu.active', '=', 1));

export const findProjects = async (
  db: Db,
  company_id: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/**
 * Finds the users who may be mailed about a near miss: active users who may read it. Nobody is mailed about a private
 * incident (decisions §16.1).
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../engine/db.ts';

/** A condition on the member `cu` and the user `u`: reads near misses of this project by this author. */
export const readsNearMiss = (
  project_id: RawBuilder<unknown>,
  author_id: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`cu.active = 1 and u.service_account = 0
    and (cu.level <> 'reporter' or cu.user_id = ${author_id})
    and (cu.project_ids is null
      or cu.project_ids like '%,' || cast(${project_id} as text) || ',%')`;

/** `person_name`: of the company's person with the same login. */
export const listReaders = (
  db: Db,
  of: { readonly company_id: number; readonly project_id: number; readonly author_id: number },
) =>
  db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .leftJoin('people as pp', (join) =>
      join.onRef('pp.company_id', '=', 'cu.company_id').onRef('pp.login', '=', 'u.login'),
    )
    .leftJoin('mail_preferences as p', (join) =>
      join.onRef('p.company_id', '=', 'cu.company_id').onRef('p.user_id', '=', 'cu.user_id'),
    )
    .where('cu.company_id', '=', of.company_id)
    .where(
      readsNearMiss(sql`cast(${of.project_id} as bigint)`, sql`cast(${of.author_id} as bigint)`),
    )
    .select(['u.id', 'u.name', 'u.login', 'pp.name as person_name'])
    .select(['p.language', 'p.assigned', 'p.due', 'p.done', 'p.severe', 'p.weekly', 'p.comments'])
    .orderBy('u.id')
    .execute();

export type ReaderRow = Awaited<ReturnType<typeof listReaders>>[number];

/**
 * [ours] Tombstones of near misses (decisions §14.3, §20.4). Who never saw a near miss must not learn of its deletion, so each kind of
 * reader has a list: a reporter those that the reporter filed, others those of the project, and of each private incident that they see.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../engine/db.ts';
import { bury, inRange, type Following } from '../engine/following.ts';
import { isVisible } from './private-incidents.ts';

const projectList = (project_id: number): string => `near_misses/${project_id}`;
const authorList = (project_id: number, user_id: number): string =>
  `near_misses/${project_id}/by/${user_id}`;
const AUTHOR_LISTS = 'near_misses/%/by/%';

interface Deleted {
  readonly company_id: number;
  readonly project_id: number;
  readonly id: number;
  readonly incident_id: number;
  /** The incident is private. */
  readonly hidden: boolean;
  readonly author_id: number;
}

/** The author no longer sees the record as an own one. @param at the stamp of the change */
export const buryForAuthor = (tx: Db, one: Deleted, at: number): Promise<void> => {
  const { company_id, project_id, id, author_id } = one;
  return bury(tx, { company_id, list: authorList(project_id, author_id) }, [id], at);
};

/** @param at the stamp of the deletion */
export const buryNearMiss = async (tx: Db, one: Deleted, at: number): Promise<void> => {
  const { company_id, project_id, id, incident_id, hidden } = one;
  const list = projectList(project_id);
  await bury(tx, { company_id, list: hidden ? `${list}/${incident_id}` : list }, [id], at);
  await buryForAuthor(tx, one, at);
};

/** Statement of the deleted rows that this user saw, with the columns `id`, `at` and `gone` (1). */
export const deletedFrom = (
  scope: Readonly<Record<'company_id' | 'project_id' | 'user_id', number>> & {
    readonly own: boolean;
  },
  changed: Following,
): RawBuilder<unknown> => {
  const { company_id, project_id, user_id, own } = scope;
  const list = projectList(project_id);
  const lists = own
    ? sql`t.list = ${authorList(project_id, user_id)}`
    : sql`(t.list = ${list} or t.list in (
        select cast(${`${list}/`} as text) || hi.id from incidents hi
        where hi.company_id = ${company_id} and hi.project_id = ${project_id}
          and hi.private = 1 and ${isVisible('hi', user_id)}))`;
  return sql`
    select t.id, t.deleted_at as at, 1 as gone from tombstones t
    where t.company_id = ${company_id} and ${lists}
      and ${inRange('t.deleted_at', 't.id', changed)}`;
};

/** Deletes what links authors with near misses. Readers that were away longer begin again. */
export const forgetAuthorLists = async (
  tx: Db,
  company_id: number,
  deleted_before: number,
): Promise<void> => {
  await tx
    .deleteFrom('tombstones')
    .where('company_id', '=', company_id)
    .where('list', 'like', AUTHOR_LISTS)
    .where('deleted_at', '<', deleted_before)
    .execute();
};

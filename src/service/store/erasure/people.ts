/** [ours] Whom an erasure concerns, and what names them by id (decisions §21). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { isVisible } from '../near-misses/private-incidents.ts';

interface Member {
  readonly company_id: number;
  readonly user_id: number;
}

/** Users and service accounts of the company. */
export const listMembers = (db: Db, company_id: number) =>
  db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .where('cu.company_id', '=', company_id)
    .select(['u.id', 'u.name', 'u.login', 'u.service_account', 'cu.level', 'cu.active'])
    .orderBy('u.id')
    .execute();

/** @param table both have a name; only people have a login */
export const listPeople = async (
  db: Db,
  company_id: number,
  table: 'people' | 'parties',
): Promise<{ readonly id: number; readonly name: string; readonly login: string }[]> => {
  const login = table === 'people' ? sql<string>`login` : sql<string>`''`;
  return db
    .selectFrom(table)
    .select(['id', 'name', login.as('login')])
    .where('company_id', '=', company_id)
    .orderBy('id')
    .execute();
};

/** Names of tokens that count in this company. */
export const listTokenNames = async (db: Db, company_id: number) =>
  (
    await db
      .selectFrom('tokens as t')
      .innerJoin('company_users as cu', 'cu.user_id', 't.user_id')
      .select(['t.token_hash', 't.name'])
      .where('cu.company_id', '=', company_id)
      .where('t.name', 'is not', null)
      .where((eb) => eb.or([eb('t.company_id', 'is', null), eb('t.company_id', '=', company_id)]))
      .orderBy('t.token_hash')
      .execute()
  ).map(({ token_hash, name }) => ({ token_hash, name: name ?? '' }));

export const renameToken = async (tx: Db, token_hash: string, name: string): Promise<void> => {
  await tx.updateTable('tokens').set({ name }).where('token_hash', '=', token_hash).execute();
};

/** Number and project of a record, and whether a user sees its incident. */
export interface Shown {
  readonly number: string;
  readonly project_id: number;
  readonly visible: boolean;
}

/** 1 if the user sees the incident `i`. */
const asFlag = (user_id: number) =>
  sql<number>`case when ${isVisible('i', user_id)} then 1 else 0 end`.as('visible');

const BATCH = 500;

/** Of near misses. */
export const numbersOf = async (
  db: Db,
  { company_id, user_id }: Member,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Shown>> => {
  const found = new Map<number, Shown>();
  for (let at = 0; at < ids.length; at += BATCH)
    for (const row of await db
      .selectFrom('near_misses as n')
      .innerJoin('incidents as i', (on) =>
        on.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
      )
      .select(['n.id', 'n.project_id', 'n.number', 'i.number as incident_number'])
      .select(asFlag(user_id))
      .where('n.company_id', '=', company_id)
      .where('n.id', 'in', ids.slice(at, at + BATCH))
      .execute())
      found.set(row.id, {
        number: `${row.incident_number}-${row.number}`,
        project_id: row.project_id,
        visible: row.visible === 1,
      });
  return found;
};

/** Of incidents. */
export const incidentNumbers = async (
  db: Db,
  { company_id, user_id }: Member,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Shown>> => {
  const found = new Map<number, Shown>();
  for (let at = 0; at < ids.length; at += BATCH)
    for (const { id, number, project_id, visible } of await db
      .selectFrom('incidents as i')
      .select(['i.id', 'i.number', 'i.project_id'])
      .select(asFlag(user_id))
      .where('i.company_id', '=', company_id)
      .where('i.id', 'in', ids.slice(at, at + BATCH))
      .execute())
      found.set(id, { number: String(number), project_id, visible: visible === 1 });
  return found;
};

/** Legal holds with what their near misses name by id. */
export const listHeld = (db: Db, company_id: number) =>
  db
    .selectFrom('legal_holds as l')
    .innerJoin('near_misses as n', (on) =>
      on.onRef('n.company_id', '=', 'l.company_id').onRef('n.id', '=', 'l.near_miss_id'),
    )
    .innerJoin('incidents as i', (on) =>
      on.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .where('l.company_id', '=', company_id)
    .select(['n.id', 'n.incident_id', 'n.affected_person_id', 'n.affected_party_id', 'l.reason'])
    .select(['n.created_by', 'i.created_by as incident_created_by'])
    .orderBy('n.id')
    .execute();

/** True if the user wrote a comment on the near miss, or is in its history. */
export const tookPart = async (
  db: Db,
  { company_id, user_id }: Member,
  near_miss_id: number,
): Promise<boolean> => {
  const entry = db
    .selectFrom('near_miss_history')
    .select('user_id')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', near_miss_id)
    .where('user_id', '=', user_id);
  const comment = db
    .selectFrom('near_miss_comments')
    .select('created_by as user_id')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', near_miss_id)
    .where((eb) => eb.or([eb('created_by', '=', user_id), eb('removed_by', '=', user_id)]));
  return (await entry.union(comment).limit(1).execute()).length > 0;
};

/** Gives a user the pseudonym. What mail knows of the user goes. */
export const renameErased = async (
  tx: Db,
  { company_id, user_id }: Member,
  name: string,
  login: string,
): Promise<void> => {
  await tx.updateTable('users').set({ name, login }).where('id', '=', user_id).execute();
  for (const table of ['mail_preferences', 'mails'] as const)
    await tx
      .deleteFrom(table)
      .where('company_id', '=', company_id)
      .where('user_id', '=', user_id)
      .execute();
};

type Named =
  | { readonly user_id: number }
  | { readonly affected_person_id: number }
  | { readonly affected_party_id: number }
  | { readonly incident_id: number };

const naming = (company_id: number, named: Named) => {
  if (!('user_id' in named)) {
    const [[column, id] = ['id', 0]] = Object.entries(named);
    return sql<boolean>`${sql.ref(column)} = ${id}`;
  }
  const { user_id } = named;
  return sql<boolean>`(created_by = ${user_id}
    or incident_id in (select i.id from incidents i
      where i.company_id = ${company_id} and i.created_by = ${user_id})
    or id in (select h.near_miss_id from near_miss_history h
      where h.company_id = ${company_id} and h.user_id = ${user_id})
    or id in (select c.near_miss_id from near_miss_comments c
      where c.company_id = ${company_id} and (c.created_by = ${user_id} or c.removed_by = ${user_id})))`;
};

/** Near misses that show the name of somebody come again to readers of the lists, who drop what they keep of them. */
export const touchNaming = async (
  tx: Db,
  company_id: number,
  named: Named,
  at: number,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set({ updated_at: at, erased_at: at })
    .where('company_id', '=', company_id)
    .where(naming(company_id, named))
    .execute();
  if ('user_id' in named)
    await tx
      .updateTable('incidents')
      .set({ updated_at: at })
      .where('company_id', '=', company_id)
      .where('created_by', '=', named.user_id)
      .execute();
  if ('affected_party_id' in named)
    await tx
      .updateTable('project_memberships')
      .set({ updated_at: at })
      .where('company_id', '=', company_id)
      .where('party_id', '=', named.affected_party_id)
      .execute();
};

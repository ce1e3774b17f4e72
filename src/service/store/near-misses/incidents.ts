/** [ours] Incidents (decisions §4.1). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { followedList, inRange, type Following } from '../engine/following.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import { touchNearMisses } from './near-misses.ts';
import { isHidden, isVisible, lostIncidents } from './private-incidents.ts';
import type { Database } from '../engine/schema.ts';
import { namesChanged } from '../engine/denormalized-names.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
  /** The user who reads: private incidents are hidden from most. */
  readonly user_id: number;
  /** Only incidents that the user created, or that have a report of the user (decisions §12.2). */
  readonly own?: boolean;
}

const isOwn = ({
  company_id,
  user_id,
}: Where) => sql<boolean>`(i.created_by = ${user_id} or exists (
  select 1 from near_misses n
  where n.company_id = ${company_id} and n.project_id = i.project_id
    and n.created_by = ${user_id} and n.incident_id = i.id))`;

const matching = (db: Db, where: Where) =>
  db
    .selectFrom('incidents as i')
    .where('i.company_id', '=', where.company_id)
    .where('i.project_id', '=', where.project_id)
    .where(isVisible('i', where.user_id))
    .$if(where.own === true, (query) => query.where(isOwn(where)));

const withColumns = (query: ReturnType<typeof matching>) =>
  query
    .leftJoin('users as u', 'u.id', 'i.created_by')
    .select([
      'i.id',
      'i.number',
      'i.title',
      'i.description',
      'i.event_date',
      'i.time_unknown',
      'i.location',
      'i.private',
      'i.status',
      'i.created_at',
      'i.updated_at',
      'u.id as creator_id',
      'u.name as creator_name',
      'u.login as creator_login',
    ]);

export type IncidentRow = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

export const listIncidents = (db: Db, where: Where, slice: Slice): Promise<IncidentRow[]> =>
  newestFirst(withColumns(matching(db, where)), slice, 'i');

export const countIncidents = (db: Db, where: Where): Promise<number> =>
  countOf(matching(db, where));

const followed = (db: Db, where: Where, following: Following) => ({
  records: matching(db, where),
  prefix: 'i.',
  // Of a reporter, incidents are those of its reports, which tell of them.
  gone:
    following.deleted && where.own !== true
      ? sql`
        select li.id, l.lost_at as at, 1 as gone
        from ${lostIncidents(where.company_id, where.user_id)} as l
        join incidents li on li.company_id = ${where.company_id} and li.id = l.incident_id
        where li.project_id = ${where.project_id} and ${inRange('l.lost_at', 'li.id', following)}`
      : null,
});

/** [ours] The list as a reader follows it. */
export const followIncidents = (db: Db, where: Where, following: Following) =>
  followedList(db, followed(db, where, following), following);

export const findIncident = (
  db: Db,
  where: Where & { readonly id: number },
): Promise<IncidentRow | undefined> =>
  withColumns(matching(db, where).where('i.id', '=', where.id)).executeTakeFirst();

/** Values per `in` list: databases limit them. */
const BATCH = 500;

export const findIncidents = async (
  db: Db,
  where: Where,
  ids: readonly number[],
): Promise<IncidentRow[]> => {
  const found: IncidentRow[] = [];
  for (let at = 0; at < ids.length; at += BATCH)
    found.push(
      ...(await withColumns(
        matching(db, where).where('i.id', 'in', ids.slice(at, at + BATCH)),
      ).execute()),
    );
  return found;
};

/** Number, title and status of every incident of the project that the user may see. */
export const listIncidentNames = (db: Db, where: Where) =>
  matching(db, where).select(['i.id', 'i.number', 'i.title', 'i.status']).orderBy('i.id').execute();

/** Reserves the project's next incident numbers and returns the first. */
export const takeIncidentNumbers = async (tx: Db, where: Where, count = 1): Promise<number> => {
  const row = await tx
    .updateTable('projects')
    .set((eb) => ({ last_incident_number: eb('last_incident_number', '+', count) }))
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.project_id)
    .returning('last_incident_number')
    .executeTakeFirstOrThrow();
  return row.last_incident_number - count + 1;
};

export const insertIncidents = async (
  tx: Db,
  rows: readonly Database['incidents'][],
): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('incidents')
      .values(rows.slice(at, at + BATCH))
      .execute();
};

export const updateIncident = async (
  tx: Db,
  { company_id, id }: { readonly company_id: number; readonly id: number },
  values: Partial<Omit<Database['incidents'], 'company_id' | 'id'>> & {
    readonly updated_at: number;
  },
): Promise<void> => {
  await namesChanged(tx, company_id, values.updated_at);
  await tx
    .updateTable('incidents')
    .set(values)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

interface Loss {
  readonly company_id: number;
  readonly incident_id: number;
  readonly lost_at: number;
}

const lastNearMiss = ({ company_id, incident_id }: Omit<Loss, 'lost_at'>) => sql`
  (select coalesce(max(ln.id), 0) from near_misses ln
    where ln.company_id = ${company_id} and ln.incident_id = ${incident_id})`;

/** Records that everybody who is not listed has lost sight of an incident (decisions §14.4). */
export const recordLossOfAll = async (tx: Db, loss: Loss): Promise<void> => {
  const { company_id, incident_id, lost_at } = loss;
  await sql`
    insert into incident_losses (company_id, incident_id, user_id, lost_at, last_near_miss_id)
    values (${company_id}, ${incident_id}, 0, ${lost_at}, ${lastNearMiss(loss)})
    on conflict do nothing`.execute(tx);
};

/** Records the same loss for the users with these logins. Users who still see the incident are left out. */
export const recordLossOf = async (
  tx: Db,
  { company_id, incident_id, lost_at }: Loss,
  logins: readonly string[],
): Promise<void> => {
  if (logins.length === 0) return;
  await sql`
    insert into incident_losses (company_id, incident_id, user_id, lost_at, last_near_miss_id)
    select i.company_id, i.id, u.id, cast(${lost_at} as bigint),
      ${lastNearMiss({ company_id, incident_id })}
    from incidents i cross join users u
    where i.company_id = ${company_id} and i.id = ${incident_id}
      and u.login in (${sql.join([...logins])}) and ${isHidden('i', sql.ref('u.id'))}
    on conflict do nothing`.execute(tx);
};

/** Moves the incidents that list these people, and their near misses, to a new place in the order of changes. */
export const touchListing = async (
  tx: Db,
  company_id: number,
  person_ids: readonly number[],
  updated_at: number,
): Promise<void> => {
  const ids = new Set<number>();
  for (let at = 0; at < person_ids.length; at += BATCH)
    for (const { incident_id } of await tx
      .selectFrom('incident_people')
      .select('incident_id')
      .where('company_id', '=', company_id)
      .where('person_id', 'in', person_ids.slice(at, at + BATCH))
      .execute())
      ids.add(incident_id);
  for (const id of ids) {
    await tx
      .updateTable('incidents')
      .set({ updated_at })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute();
    await touchNearMisses(tx, company_id, [id], updated_at);
  }
};

export const deleteIncidentPeople = async (
  tx: Db,
  company_id: number,
  incident_id: number,
): Promise<void> => {
  await tx
    .deleteFrom('incident_people')
    .where('company_id', '=', company_id)
    .where('incident_id', '=', incident_id)
    .execute();
};

export const listIncidentPeople = async (
  db: Db,
  company_id: number,
  incident_ids: readonly number[],
) => {
  if (incident_ids.length === 0) return [];
  return db
    .selectFrom('incident_people as ip')
    .innerJoin('people as p', (on) =>
      on.onRef('p.company_id', '=', 'ip.company_id').onRef('p.id', '=', 'ip.person_id'),
    )
    .select(['ip.incident_id', 'p.id', 'p.name', 'p.login'])
    .where('ip.company_id', '=', company_id)
    .where('ip.incident_id', 'in', [...incident_ids])
    .orderBy('p.id')
    .execute();
};

/** The subset of these people that the project knows. */
export const findPeople = async (
  db: Db,
  { company_id, project_id }: Where,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', 'in', [...ids])
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', project_id)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
};

export const insertIncidentPeople = async (
  tx: Db,
  rows: readonly Database['incident_people'][],
): Promise<void> => {
  if (rows.length > 0)
    await tx
      .insertInto('incident_people')
      .values([...rows])
      .execute();
};

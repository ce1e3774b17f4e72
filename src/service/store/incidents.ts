/** [ours] Incidents (decisions §4.1). */
import type { Db } from './db.ts';
import { countOf, newestFirst, type Slice } from './newest-first.ts';
import { isVisible } from './private-incidents.ts';
import type { Database } from './schema.ts';
import { namesChanged } from './shown-names.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
  /** Who looks. */
  readonly user_id: number;
}

const matching = (db: Db, where: Where) =>
  db
    .selectFrom('incidents as i')
    .where('i.company_id', '=', where.company_id)
    .where('i.project_id', '=', where.project_id)
    .where(isVisible('i', where.user_id));

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

export const findIncident = (
  db: Db,
  where: Where & { readonly id: number },
): Promise<IncidentRow | undefined> =>
  withColumns(matching(db, where).where('i.id', '=', where.id)).executeTakeFirst();

/** Values of one `in`: databases limit them. */
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

/** What an incident is known by, of every one of the project that the user may see. */
export const listIncidentNames = (db: Db, where: Where) =>
  matching(db, where).select(['i.id', 'i.number', 'i.title', 'i.status']).orderBy('i.id').execute();

/** Takes the project's next incident numbers and answers the first. */
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

/** Of each incident the people it lists, by id. */
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

/** Of these people, those whom the project has. */
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

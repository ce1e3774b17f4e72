/** [ours] Incidents (decisions §4.1). */
import type { Db } from './db.ts';
import { countOf, newestFirst, type Slice } from './newest-first.ts';
import type { Database } from './schema.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

const matching = (db: Db, where: Where) =>
  db
    .selectFrom('incidents as i')
    .where('i.company_id', '=', where.company_id)
    .where('i.project_id', '=', where.project_id);

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

/** Takes the project's next incident number. */
export const takeIncidentNumber = async (tx: Db, where: Where): Promise<number> => {
  const row = await tx
    .updateTable('projects')
    .set((eb) => ({ last_incident_number: eb('last_incident_number', '+', 1) }))
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.project_id)
    .returning('last_incident_number')
    .executeTakeFirstOrThrow();
  return row.last_incident_number;
};

export const insertIncident = async (tx: Db, row: Database['incidents']): Promise<void> => {
  await tx.insertInto('incidents').values(row).execute();
};

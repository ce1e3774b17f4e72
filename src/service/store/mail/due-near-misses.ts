/** Finds near misses whose custom fields hold one of some dates: the follow-ups that are due (decisions §16.1). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface ProjectKey {
  readonly company_id: number;
  readonly project_id: number;
}

export const listProjectKeys = (db: Db): Promise<ProjectKey[]> =>
  db
    .selectFrom('projects')
    .select(['company_id', 'id as project_id'])
    .orderBy('company_id')
    .orderBy('id')
    .execute();

/** A part of the near misses of a project that are in no recycle bin and no private incident, in order of their ids. */
export const mailedNearMisses = (
  db: Db,
  { company_id, project_id }: ProjectKey,
  from: { readonly after_id: number; readonly limit: number },
) =>
  db
    .selectFrom('near_misses as n')
    .innerJoin('incidents as i', (join) =>
      join.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .where('n.company_id', '=', company_id)
    .where('n.project_id', '=', project_id)
    .where('n.deleted_at', 'is', null)
    .where('i.private', '=', 0)
    .where('n.id', '>', from.after_id)
    .select(['n.id', 'n.created_by as author_id', 'n.custom_fields'])
    .orderBy('n.id')
    .limit(from.limit);

/**
 * Narrows them to near misses that hold one of the dates. The stored JSON has no spaces, so a pattern finds a field
 * with its value. The caller parses the JSON, which sorts out texts that imitate a field.
 */
export const listNearMissesWithDates = (
  db: Db,
  key: ProjectKey,
  wanted: { readonly field: number; readonly dates: readonly string[] },
  from: { readonly after_id: number; readonly limit: number },
) =>
  mailedNearMisses(db, key, from)
    .where(
      sql<boolean>`(${sql.join(
        wanted.dates.map((date) => sql`n.custom_fields like ${`%"${wanted.field}":"${date}"%`}`),
        sql` or `,
      )})`,
    )
    .execute();

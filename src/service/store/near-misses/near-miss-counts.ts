/**
 * Counts of near misses per project, active and recycled. Every write of near misses updates them in its transaction, so they
 * are exact. A list without a filter reads them instead of counting.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../engine/db.ts';
import { insertMany } from '../engine/bulk-sql.ts';
import { isHidden } from './private-incidents.ts';

interface Change {
  readonly company_id: number;
  readonly project_id: number;
  readonly active: number;
  readonly recycled: number;
}

const add = insertMany(
  'near_miss_counts',
  { company_id: 'bigint', project_id: 'bigint', active: 'bigint', recycled: 'bigint' },
  sql`on conflict (company_id, project_id) do update set
    active = near_miss_counts.active + excluded.active,
    recycled = near_miss_counts.recycled + excluded.recycled`,
);

export const countChanges = async (tx: Db, changes: readonly Change[]): Promise<void> => {
  const sums = new Map<string, Change>();
  for (const one of changes) {
    const project = `${one.company_id} ${one.project_id}`;
    const { active, recycled } = sums.get(project) ?? { active: 0, recycled: 0 };
    sums.set(project, {
      ...one,
      active: active + one.active,
      recycled: recycled + one.recycled,
    });
  }
  await add(tx, [...sums.values()]);
};

/**
 * The number of a project's records that this user may see: the kept count minus the records of hidden incidents, which are
 * few. The unary plus and the cross join make SQLite start from the index of private incidents.
 */
export const keptTotal = ({
  company_id,
  project_id,
  user_id,
  recycled,
}: {
  readonly company_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly recycled: boolean;
}): RawBuilder<number> => sql<number>`
  coalesce((
    select ${sql.ref(recycled ? 'c.recycled' : 'c.active')} from near_miss_counts c
    where c.company_id = ${company_id} and c.project_id = ${project_id}), 0)
  - (select count(*) from incidents hi cross join near_misses hn
      where hi.company_id = ${company_id} and +hi.project_id = ${project_id}
        and ${isHidden('hi', sql`${user_id}`)}
        and hn.company_id = hi.company_id and hn.incident_id = hi.id
        and hn.deleted_at ${sql.raw(recycled ? 'is not null' : 'is null')})`;

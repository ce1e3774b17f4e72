/**
 * How many near misses each project has, in its list and in its recycle bin: kept in the transaction of each change, so that a list without a
 * filter need not count what it does not show. Exact: whatever writes near misses counts them here.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { insertMany } from './many.ts';
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

/** Adds these changes up, each project once. */
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
 * How many of a project's records this user may see: all of them but those of incidents that are hidden, which are few. The plus and the cross join keep
 * SQLite to the index of private incidents, and from them to their records.
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

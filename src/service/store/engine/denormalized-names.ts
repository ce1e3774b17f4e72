/**
 * A version per company of the names that its near misses show: catalog, incidents, custom fields. Every change of a name moves
 * it in the same transaction. A cached text is valid in every process as long as this number stays the same. Users never
 * change; code that changes them must move the version of each of their companies.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';

const move = prepared((tx: Db, { company_id, now }: Record<'company_id' | 'now', number>) =>
  tx
    .updateTable('companies')
    .set({
      names_version: sql<number>`case when names_version < ${now} then ${now} else names_version + 1 end`,
    })
    .where('id', '=', company_id),
);

/**
 * The version is at least the current time. A standby that takes over without the latest changes therefore does not reuse a
 * version.
 */
export const namesChanged = async (tx: Db, company_id: number, now: number): Promise<void> => {
  await move(tx, { company_id, now });
};

export const namesVersion = (company_id: number): RawBuilder<number> =>
  sql<number>`(select vc.names_version from companies vc where vc.id = ${company_id})`;

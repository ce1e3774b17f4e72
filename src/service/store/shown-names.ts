/**
 * A version of the names that near misses of a company show: of its catalog, its incidents and its custom fields. Every change of one moves it, in the
 * transaction of the change, so that who has kept a text with such names knows by one number whether it is still right, in every process. Users
 * are never changed; whoever writes that must move it for each of their companies.
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
 * The version is a moment, or more: a standby that takes over without the last changes does not count the next up to a number that was used.
 */
export const namesChanged = async (tx: Db, company_id: number, now: number): Promise<void> => {
  await move(tx, { company_id, now });
};

export const namesVersion = (company_id: number): RawBuilder<number> =>
  sql<number>`(select vc.names_version from companies vc where vc.id = ${company_id})`;

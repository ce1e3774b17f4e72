/**
 * Who may see a private incident: whoever created it, and the people it lists, as far as they sign in under their login (decisions
 * §4.5). Every statement that reads incidents or near misses for somebody leaves out what this says is hidden.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';
import { gathered } from './gather.ts';
import { jsonRows, written } from './many.ts';
import { prepared } from './prepared.ts';

/** Is a row of `incidents`, called `alias`, hidden from this user? @param user an id, or the column that holds one */
const isHidden = (alias: string, user: RawBuilder<unknown>): RawBuilder<boolean> => {
  const i = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<boolean>`${i('private')} = 1
    and (${i('created_by')} is null or ${i('created_by')} <> ${user})
    and not exists (
      select 1 from incident_people ip
        join people pp on pp.company_id = ip.company_id and pp.id = ip.person_id
        join users vu on vu.login = pp.login
      where ip.company_id = ${i('company_id')} and ip.incident_id = ${i('id')} and vu.id = ${user})`;
};

/** For `where`: this incident is one that the user may see. */
export const isVisible = (alias: string, user_id: number): RawBuilder<boolean> =>
  sql<boolean>`not (${isHidden(alias, sql`${user_id}`)})`;

/** For `where`: the near miss is of an incident that the user may see. The hidden ones are found once for the whole statement. */
export const ofVisible = (company_id: number, user_id: number): RawBuilder<boolean> =>
  sql<boolean>`n.incident_id not in (
    select hi.id from incidents hi
    where hi.company_id = ${company_id} and ${isHidden('hi', sql`${user_id}`)})`;

/** For `where`, of the event `e` and the hook `h`: whoever set up the hook may see what it is told of. */
export const isTold = sql<boolean>`not exists (
  select 1 from incidents hi
  where hi.company_id = e.company_id
    and hi.id = case e.resource_name
      when 'Incidents' then e.resource_id
      when 'Near Misses' then (
        select hn.incident_id from near_misses hn
        where hn.company_id = e.company_id and hn.id = e.resource_id)
      end
    and ${isHidden('hi', sql.ref('h.created_by'))})`;

interface Look {
  readonly company_id: number;
  readonly incident_id: number;
  readonly user_id: number;
}

const nameOf = ({ company_id, incident_id, user_id }: Look): string =>
  [company_id, incident_id, user_id].join(' ');

const readHidden = prepared((db: Db, { looks }: { readonly looks: string }) =>
  written(
    db,
    sql<Look>`
      select r.company_id, r.incident_id, r.user_id
      from ${jsonRows(db, looks, { company_id: 'bigint', incident_id: 'bigint', user_id: 'bigint' })}
        join incidents hi on hi.company_id = r.company_id and hi.id = r.incident_id
      where ${isHidden('hi', sql.ref('r.user_id'))}`,
  ),
);

/** Is an incident hidden from a user? */
export const isHiddenFrom = gathered(async (db, looks: readonly Look[]) => {
  const asked = new Map(looks.map((look) => [nameOf(look), look]));
  const rows = await readHidden(db, { looks: JSON.stringify([...asked.values()]) });
  const hidden = new Set(rows.map(nameOf));
  return looks.map((look) => hidden.has(nameOf(look)));
});

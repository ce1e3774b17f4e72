/**
 * Who may see a private incident: whoever created it, and the people it lists, as far as they sign in under their login (decisions
 * §4.5). Every statement that reads incidents or near misses for somebody leaves out what this says is hidden.
 */
import { sql, type RawBuilder } from 'kysely';

/** Is a row of `incidents`, called `alias`, hidden from this user? @param user an id, or the column that holds one */
export const isHidden = (alias: string, user: RawBuilder<unknown>): RawBuilder<boolean> => {
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

/**
 * Access rule for private incidents: only the creator and the listed people may see one, matched by login (decisions §4.5).
 * Every statement that reads incidents or near misses for a user must apply it.
 */
import { sql, type RawBuilder } from 'kysely';

/** True if the row `alias` of `incidents` is hidden from this user. @param user an id, or the column that holds it */
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

/** A condition: the user may see this incident. */
export const isVisible = (alias: string, user_id: number): RawBuilder<boolean> =>
  sql<boolean>`not (${isHidden(alias, sql`${user_id}`)})`;

/** A condition: the user may see the near miss's incident. The subquery finds the hidden incidents once per statement. */
export const ofVisible = (company_id: number, user_id: number): RawBuilder<boolean> =>
  sql<boolean>`n.incident_id not in (
    select hi.id from incidents hi
    where hi.company_id = ${company_id} and ${isHidden('hi', sql`${user_id}`)})`;

/**
 * The incidents that are hidden from this user now but once were not, with the time when it lost sight of them. What was hidden
 * before the user came to the company, or came back, it never saw.
 */
export const lostIncidents = (company_id: number, user_id: number): RawBuilder<unknown> => sql`(
  select il.incident_id, max(il.lost_at) as lost_at,
    max(il.last_near_miss_id) as last_near_miss_id
  from incident_losses il
  join incidents hi on hi.company_id = il.company_id and hi.id = il.incident_id
  join company_users m on m.company_id = il.company_id and m.user_id = ${user_id}
  where il.company_id = ${company_id}
    and il.user_id in (0, ${user_id}) and m.since <= il.lost_at
    and ${isHidden('hi', sql`${user_id}`)}
  group by il.incident_id)`;

/**
 * A condition on the event `e` and the hook `h`: the hook's `created_by` may see the event's record. An admin who lost some
 * projects since, or became a reporter, hears no more of the rest (decisions §12.2). Who left the company is judged as before.
 */
export const maySendEvent = sql<boolean>`not exists (
  select 1 from company_users hu
  where hu.company_id = e.company_id and hu.user_id = h.created_by
    and (hu.level = 'reporter' or (hu.project_ids is not null and e.project_id is not null
      and hu.project_ids not like '%,' || e.project_id || ',%')))
and not exists (
  select 1 from incidents hi
  where hi.company_id = e.company_id
    and hi.id = case e.resource_name
      when 'Incidents' then e.resource_id
      when 'Near Misses' then (
        select hn.incident_id from near_misses hn
        where hn.company_id = e.company_id and hn.id = e.resource_id)
      end
    and ${isHidden('hi', sql.ref('h.created_by'))})`;

/** Finds the recipients of the weekly mail (decisions §16.6). */
import type { Db } from '../engine/db.ts';

/** Active users who chose the weekly mail and have none for this event yet. */
export const listWeeklyReaders = (db: Db, event: string) =>
  db
    .selectFrom('mail_preferences as p')
    .innerJoin('company_users as cu', (join) =>
      join.onRef('cu.company_id', '=', 'p.company_id').onRef('cu.user_id', '=', 'p.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .where('p.weekly', '=', 1)
    .where('cu.active', '=', 1)
    .where('u.service_account', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails as m')
            .select('m.id')
            .whereRef('m.company_id', '=', 'p.company_id')
            .whereRef('m.user_id', '=', 'p.user_id')
            .where('m.event', '=', event),
        ),
      ),
    )
    .select(['p.company_id', 'p.user_id', 'u.login', 'cu.level', 'cu.project_ids'])
    .orderBy('p.company_id')
    .orderBy('p.user_id')
    .execute();

export type WeeklyReader = Awaited<ReturnType<typeof listWeeklyReaders>>[number];

/** The recipient of a weekly mail; undefined if no longer an active user of the company. */
export const findWeeklyRecipient = (
  db: Db,
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
) =>
  db
    .selectFrom('company_users as cu')
    .innerJoin('users as u', 'u.id', 'cu.user_id')
    .leftJoin('mail_preferences as p', (join) =>
      join.onRef('p.company_id', '=', 'cu.company_id').onRef('p.user_id', '=', 'cu.user_id'),
    )
    .where('cu.company_id', '=', company_id)
    .where('cu.user_id', '=', user_id)
    .where('cu.active', '=', 1)
    .where('u.service_account', '=', 0)
    .select([
      'u.login',
      'p.language',
      'p.assigned',
      'p.due',
      'p.done',
      'p.severe',
      'p.weekly',
      'p.comments',
    ])
    .executeTakeFirst();

/** [ours] Finds near misses that may be due to be anonymised or deleted (decisions §20.2, §20.4). The rules decide by the exact time. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../engine/db.ts';
import { isSqlite } from '../engine/bulk-sql.ts';
import { ofVisible } from '../near-misses/private-incidents.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

/** A part of the candidates, in order of their ids. */
interface Part {
  readonly after_id: number;
  readonly limit: number;
}

const candidates = (db: Db, { company_id, project_id }: Where, user_id: number) =>
  db
    .selectFrom('near_misses as n')
    .innerJoin('incidents as i', (on) =>
      on.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .leftJoin('legal_holds as l', (on) =>
      on.onRef('l.company_id', '=', 'n.company_id').onRef('l.near_miss_id', '=', 'n.id'),
    )
    .where('n.company_id', '=', company_id)
    .where('n.project_id', '=', project_id)
    .select([
      'n.id',
      'n.project_id',
      'n.number',
      'i.number as incident_number',
      'n.created_at',
      'n.deleted_at',
      'n.anonymised_at',
      'n.custom_fields',
      'i.event_date',
      'l.created_at as held_at',
      sql<number>`case when ${ofVisible(company_id, user_id)} then 1 else 0 end`.as('visible'),
    ]);

export type Candidate = Awaited<ReturnType<ReturnType<typeof candidates>['execute']>>[number];

const valueOf = (db: Db, field: number): RawBuilder<string | null> =>
  isSqlite(db)
    ? sql`json_extract(n.custom_fields, ${`$."${field}"`})`
    : sql`cast(n.custom_fields as json) ->> ${String(field)}`;

const DAY_MS = 86_400_000;

/**
 * Not anonymised near misses that were filed, or whose event was, before a time; some that are a day younger too.
 * @param event_before of the event; null: nothing is anonymised
 * @param deleted_before of the deletion; null: nothing is deleted
 * @param when the custom field with the time of the event
 * @param user_id who looks; 0: nobody
 */
export const listCandidates = (
  db: Db,
  where: Where,
  limits: { readonly event_before: number | null; readonly deleted_before: number | null },
  when: number | undefined,
  user_id: number,
  { after_id, limit }: Part,
): Promise<Candidate[]> => {
  const { event_before, deleted_before } = limits;
  const conditions: RawBuilder<unknown>[] = [];
  if (event_before !== null) {
    const early = [
      sql`n.created_at <= ${event_before}`,
      sql`i.event_date <= ${event_before}`,
      // A text with a zone sorts by its local day, which is at most a day off.
      ...(when === undefined
        ? []
        : [sql`${valueOf(db, when)} <= ${new Date(event_before + 2 * DAY_MS).toISOString()}`]),
    ];
    conditions.push(sql`(n.anonymised_at is null and (${sql.join(early, sql` or `)}))`);
  }
  if (deleted_before !== null) conditions.push(sql`n.deleted_at <= ${deleted_before}`);
  if (conditions.length === 0) return Promise.resolve([]);
  return candidates(db, where, user_id)
    .where(sql<boolean>`(${sql.join(conditions, sql` or `)})`)
    .where('n.id', '>', after_id)
    .orderBy('n.id')
    .limit(limit)
    .execute();
};

/** The same columns of one near miss. */
export const findCandidate = (db: Db, where: Where, id: number): Promise<Candidate | undefined> =>
  candidates(db, where, 0).where('n.id', '=', id).executeTakeFirst();

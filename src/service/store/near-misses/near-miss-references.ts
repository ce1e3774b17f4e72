/** Reads the rows that near misses reference, from each lookup table, with the columns that responses show. */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { gathered } from '../engine/batch.ts';
import { jsonRows, written } from '../engine/bulk-sql.ts';
import { prepared } from '../engine/prepared.ts';
import { isHidden } from './private-incidents.ts';
import { foreignColumns, type ForeignColumn, type NearMissRow } from './near-miss-lists.ts';

/**
 * A reference of a near miss. `incident_id` yields the incident's creator. `hidden_incident_id` yields a row only if the
 * incident is hidden from the user.
 */
type MentionColumn = ForeignColumn | 'incident_id' | 'hidden_incident_id';

interface Mention {
  readonly company_id: number;
  readonly project_id: number;
  readonly place: MentionColumn;
  readonly id: number;
  /** The user who reads; only for `hidden_incident_id`. */
  readonly user_id?: number | null;
}

/** A referenced row with all columns that responses show. Columns that its table lacks are null. */
export interface Mentioned extends Mention {
  readonly name: string;
  readonly login: string | null;
  readonly active: number | null;
  readonly global: number | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
}

const none = sql`cast(null as bigint)`;
const noText = sql`cast(null as text)`;
/** The columns shown besides the name: login, active, global, created_at, updated_at. */
const shownColumns = {
  affected_company_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
  affected_party_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
  affected_person_id: sql`t.login, ${none}, ${none}, ${none}, ${none}`,
  harm_source_id: sql`${noText}, t.active, t.global, t.created_at, t.updated_at`,
  work_activity_id: sql`${noText}, t.active, t.global, t.created_at, t.updated_at`,
  managed_equipment_id: sql`${noText}, ${none}, ${none}, ${none}, ${none}`,
} as const satisfies Record<ForeignColumn, unknown>;

const mentionKinds = {
  company_id: 'bigint',
  project_id: 'bigint',
  place: 'text',
  id: 'bigint',
  user_id: 'bigint',
} as const;

/** Reads rows of the project and of the whole company, from all tables in one statement. */
const readMentioned = prepared((db: Db, { mentions }: { readonly mentions: string }) => {
  const tables = (Object.keys(foreignColumns) as ForeignColumn[]).map(
    (column) => sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, t.name, ${shownColumns[column]}
      from r join ${sql.table(foreignColumns[column])} t on t.company_id = r.company_id and t.id = r.id
      where r.place = ${sql.lit(column)} and (t.project_id is null or t.project_id = r.project_id)`,
  );
  const creators = sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, u.name, u.login, ${none}, ${none}, ${none}, ${none}
      from r join incidents i on i.company_id = r.company_id and i.id = r.id
        join users u on u.id = i.created_by
      where r.place = 'incident_id'`;
  const hidden = sql`
      select r.company_id, r.project_id, r.place, r.id, r.user_id, i.title, ${noText}, ${none}, ${none}, ${none}, ${none}
      from r join incidents i on i.company_id = r.company_id and i.id = r.id
      where r.place = 'hidden_incident_id' and ${isHidden('i', sql.ref('r.user_id'))}`;
  return written(
    db,
    sql<Mentioned>`
      with r as (select * from ${jsonRows(db, mentions, mentionKinds)}),
        found (company_id, project_id, place, id, user_id, name, login, active, global, created_at, updated_at)
        as (${sql.join([...tables, creators, hidden], sql` union all `)})
      select * from found`,
  );
});

const nameOf = ({ company_id, project_id, place, id, user_id }: Mention): string =>
  [company_id, project_id, place, id, user_id ?? ''].join(' ');

/** Null if the company has no such row, or another project owns it. */
export const findMentioned = gathered(async (db, mentions: readonly Mention[]) => {
  const asked = new Map(mentions.map((one) => [nameOf(one), one]));
  const rows = await readMentioned(db, { mentions: JSON.stringify([...asked.values()]) });
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return mentions.map((one) => found.get(nameOf(one)) ?? null);
});

/** The columns that responses show of a referenced row, named as in the joined select. */
export const shownOf = (column: ForeignColumn, row: Mentioned | null): Partial<NearMissRow> => {
  const id = row?.id ?? null;
  const name = row?.name ?? null;
  switch (column) {
    case 'affected_company_id':
      return { affected_company_id: id, affected_company_name: name };
    case 'affected_party_id':
      return { affected_party_id: id, affected_party_name: name };
    case 'affected_person_id':
      return {
        affected_person_id: id,
        affected_person_name: name,
        affected_person_login: row?.login ?? null,
      };
    case 'harm_source_id':
      return {
        harm_source_id: id,
        harm_source_name: name,
        harm_source_active: row?.active ?? null,
        harm_source_global: row?.global ?? null,
        harm_source_created_at: row?.created_at ?? null,
        harm_source_updated_at: row?.updated_at ?? null,
      };
    case 'work_activity_id':
      return {
        work_activity_id: id,
        work_activity_name: name,
        work_activity_active: row?.active ?? null,
        work_activity_global: row?.global ?? null,
        work_activity_created_at: row?.created_at ?? null,
        work_activity_updated_at: row?.updated_at ?? null,
      };
    case 'managed_equipment_id':
      return { managed_equipment_id: id, managed_equipment_name: name };
  }
};

/**
 * What has to be done after a near miss, by whom, by when, and when it was done: each company gets a custom field for it (decisions
 * §4.7), unless it has one of that name.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sortKey } from '../../../contract/fold.ts';

const FIELDS = [
  ['Follow-up', 'string'],
  ['Follow-up by', 'string'],
  ['Follow-up date', 'date'],
  ['Follow-up done', 'date'],
] as const;

const TABLE = 'custom_field_definitions';

const takeId = async (db: Kysely<unknown>): Promise<number> => {
  const { rows } = await sql<{ last: number | string }>`
    insert into id_counters (name, last) values (${TABLE}, 1)
    on conflict (name) do update set last = id_counters.last + 1
    returning last`.execute(db);
  return Number(rows[0]?.last);
};

/** Adds a custom field of all projects, at the end; a company that has one of that name keeps it. */
export const addField = async (
  db: Kysely<unknown>,
  company: { readonly id: number; readonly created_at: number },
  [label, data_type]: readonly [label: string, data_type: string],
): Promise<void> => {
  const { rows } = await sql`select id from ${sql.table(TABLE)}
    where company_id = ${company.id} and label = ${label}`.execute(db);
  if (rows.length > 0) return;
  const id = await takeId(db);
  await sql`insert into ${sql.table(TABLE)}
    (company_id, id, project_id, label, label_folded, data_type, options, required, active, version, created_at, updated_at)
    values (${company.id}, ${id}, null, ${label}, ${sortKey(label)}, ${data_type}, '[]', 0, 1, 1,
      ${company.created_at}, ${company.created_at})`.execute(db);
};

export const followUp: Migration = {
  up: async (db) => {
    const { rows } = await sql<{ id: number; created_at: number }>`
      select id, created_at from companies order by id`.execute(db);
    for (const company of rows) for (const field of FIELDS) await addField(db, company, field);
  },
};

/**
 * What a company has of its own can be written by the company (decisions §11): each of its tables learns the other system's id, whether
 * the record is still offered, its version and its times. Users become people of their companies. Incidents can be closed.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sortKey } from '../../../contract/fold.ts';

/** Each table, the column of its names, and what it has already of what is added. */
const TABLES: readonly (readonly [table: string, name: string, has: readonly string[]])[] = [
  ['projects', 'name', ['created_at']],
  ['people', 'name', []],
  ['parties', 'name', ['active']],
  ['vendors', 'name', []],
  ['affected_companies', 'name', []],
  ['managed_equipment', 'name', []],
  ['harm_sources', 'name', ['active', 'created_at', 'updated_at']],
  ['work_activities', 'name', ['active', 'created_at', 'updated_at']],
  ['time_and_material_entries', 'name', []],
  ['folders', 'name', []],
  ['documents', 'name', []],
  ['custom_field_definitions', 'label', []],
];

/** The tables that had no folded names. */
const UNFOLDED: ReadonlySet<string> = new Set(['projects', 'custom_field_definitions']);

const addColumns = async (
  db: Kysely<unknown>,
  table: string,
  has: readonly string[],
): Promise<void> => {
  const alter = db.schema.alterTable(table);
  await alter.addColumn('origin_id', 'text').execute();
  await alter.addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1)).execute();
  if (!has.includes('active'))
    await alter.addColumn('active', 'integer', (c) => c.notNull().defaultTo(1)).execute();
  for (const column of ['created_at', 'updated_at']) {
    if (has.includes(column)) continue;
    await alter.addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0)).execute();
    await sql`update ${sql.table(table)} set ${sql.ref(column)} =
      (select c.created_at from companies c where c.id = company_id)`.execute(db);
  }
};

interface Named {
  readonly company_id: number;
  readonly id: number;
  readonly name: string;
}

const addFoldedNames = async (db: Kysely<unknown>, table: string, name: string): Promise<void> => {
  const folded = `${name}_folded`;
  await db.schema
    .alterTable(table)
    .addColumn(folded, 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  const { rows } = await sql<Named>`select company_id, id, ${sql.ref(name)} as name
    from ${sql.table(table)}`.execute(db);
  for (const row of rows)
    await sql`update ${sql.table(table)} set ${sql.ref(folded)} = ${sortKey(row.name)}
      where company_id = ${row.company_id} and id = ${row.id}`.execute(db);
};

const addIndexes = async (db: Kysely<unknown>, table: string, name: string): Promise<void> => {
  await db.schema
    .createIndex(`${table}_by_name`)
    .on(table)
    .columns(['company_id', `${name}_folded`])
    .execute();
  await db.schema
    .createIndex(`${table}_by_origin`)
    .on(table)
    .columns(['company_id', 'origin_id'])
    .where(sql`origin_id is not null` as never)
    .execute();
};

interface Seat {
  readonly company_id: number;
  readonly login: string;
  readonly name: string;
  readonly created_at: number;
}

/** A user of a company is a person of it. */
const addUsersToPeople = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<Seat>`
    select cu.company_id, u.login, u.name, u.created_at from company_users cu
    join users u on u.id = cu.user_id
    where not exists (
      select 1 from people p where p.company_id = cu.company_id and p.login = u.login)
    order by cu.company_id, u.id`.execute(db);
  if (rows.length === 0) return;
  const counted = await sql<{ last: number }>`
    insert into id_counters (name, last) values ('people', ${rows.length})
    on conflict (name) do update set last = id_counters.last + excluded.last
    returning last`.execute(db);
  const first = Number(counted.rows[0]?.last ?? 0) - rows.length + 1;
  for (const [index, { company_id, login, name, created_at }] of rows.entries())
    await sql`insert into people
      (company_id, id, project_id, name, name_folded, login, created_at, updated_at)
      values (${company_id}, ${first + index}, null, ${name}, ${sortKey(name)}, ${login},
        ${created_at}, ${created_at})`.execute(db);
};

export const companyRecords: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const [table, name, has] of TABLES) {
      await addColumns(db, table, has);
      if (UNFOLDED.has(table)) await addFoldedNames(db, table, name);
      await addIndexes(db, table, name);
    }
    await db.schema
      .createIndex('people_by_login')
      .on('people')
      .columns(['company_id', 'login'])
      .execute();
    await db.schema
      .alterTable('incidents')
      .addColumn('status', 'text', (c) => c.notNull().defaultTo('open'))
      .execute();
    await addUsersToPeople(db);
  },
};

/** [ours] Everything a form offers, and the definitions that custom values are judged by (decisions §4.2). */
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import { isVisible } from './private-incidents.ts';

type Where = { readonly company_id: number; readonly project_id: number };
type WhereAndWho = Where & { readonly user_id: number };

type Offered =
  | 'affected_companies'
  | 'parties'
  | 'people'
  | 'harm_sources'
  | 'work_activities'
  | 'managed_equipment'
  | 'vendors'
  | 'time_and_material_entries'
  | 'documents'
  | 'folders';

/** Rows of the project and those of the whole company, by name. Every one of these tables has the columns of `vendors`. */
const offered = <T extends Offered>(db: Db, table: T, where: Where) =>
  db
    .selectFrom(table as 'vendors')
    .where('company_id', '=', where.company_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]))
    .orderBy('name_folded')
    .orderBy('id');

const named = (db: Db, table: Offered, where: Where) =>
  offered(db, table, where).select(['id', 'name']).execute();

const all = <Row>(db: Db, table: Offered, where: Where) =>
  offered(db, table, where).selectAll().execute() as unknown as Promise<Row[]>;

interface LookupRow {
  readonly id: number;
  readonly name: string;
  readonly active: number;
  readonly global: number;
}

export const listCustomFieldDefinitions = prepared((db: Db, where: Where) =>
  db
    .selectFrom('custom_field_definitions')
    .select(['id', 'label', 'data_type', 'options', 'required'])
    .where('company_id', '=', where.company_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]))
    .orderBy('id'),
);

export const readCatalog = async (db: Db, where: WhereAndWho) => ({
  incidents: await db
    .selectFrom('incidents')
    .select(['id', 'number', 'title', 'private'])
    .where('company_id', '=', where.company_id)
    .where('project_id', '=', where.project_id)
    .where(isVisible('incidents', where.user_id))
    .orderBy('number')
    .execute(),
  companies: await named(db, 'affected_companies', where),
  // Who has left is still a member and still named by old records, but no form offers them.
  parties: (
    await all<{ id: number; name: string; reference_user: number; active: number }>(
      db,
      'parties',
      where,
    )
  ).filter(({ active }) => active === 1),
  people: await all<{ id: number; name: string; login: string }>(db, 'people', where),
  harm_sources: await all<LookupRow>(db, 'harm_sources', where),
  work_activities: await all<LookupRow>(db, 'work_activities', where),
  managed_equipment: await named(db, 'managed_equipment', where),
  vendors: await named(db, 'vendors', where),
  time_and_material_entries: await named(db, 'time_and_material_entries', where),
  documents: await all<{ id: number; name: string; folder_id: number | null }>(
    db,
    'documents',
    where,
  ),
  folders: await named(db, 'folders', where),
  custom_field_definitions: await listCustomFieldDefinitions(db, where),
});

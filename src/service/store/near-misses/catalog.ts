/** [ours] Reads the options that forms offer, and the custom field definitions that validate custom values (decisions §4.2). */
import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
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

/**
 * Rows of the project and of the whole company, by name. Every table here has the columns of `vendors`. The query keeps retired
 * rows, because old records still name them. Callers drop them, since no form offers them (decisions §11.3); harm sources and
 * work activities carry `active` instead.
 */
const offered = <T extends Offered>(db: Db, table: T, where: Where) =>
  db
    .selectFrom(table as 'vendors')
    .where('company_id', '=', where.company_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]))
    .orderBy('name_folded')
    .orderBy('id');

const named = (db: Db, table: Offered, where: Where) =>
  offered(db, table, where).where('active', '=', 1).select(['id', 'name']).execute();

const all = <Row>(db: Db, table: Offered, where: Where) =>
  offered(db, table, where).selectAll().execute() as unknown as Promise<(Row & Retirable)[]>;

interface Retirable {
  readonly active: number;
}

const isActive = ({ active }: Retirable): boolean => active === 1;

interface LookupRow {
  readonly id: number;
  readonly name: string;
  readonly active: number;
  readonly global: number;
}

export const listCustomFieldDefinitions = prepared((db: Db, where: Where) =>
  db
    .selectFrom('custom_field_definitions')
    .select(['id', 'label', 'data_type', 'options', 'required', 'active'])
    .where('company_id', '=', where.company_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]))
    .orderBy('id'),
);

/** A retired folder also hides its documents. */
const filed = async (db: Db, where: Where) => {
  const folders = await all<{ id: number; name: string }>(db, 'folders', where);
  const retired = new Set(folders.filter((row) => !isActive(row)).map(({ id }) => id));
  const documents = await all<{ id: number; name: string; folder_id: number | null }>(
    db,
    'documents',
    where,
  );
  return {
    folders: folders.filter(isActive).map(({ id, name }) => ({ id, name })),
    documents: documents.filter(
      (row) => isActive(row) && (row.folder_id === null || !retired.has(row.folder_id)),
    ),
  };
};

export const readCatalog = async (db: Db, where: WhereAndWho) => ({
  incidents: await db
    .selectFrom('incidents')
    .select(['id', 'number', 'title', 'private', 'status', 'created_by'])
    .where('company_id', '=', where.company_id)
    .where('project_id', '=', where.project_id)
    .where(isVisible('incidents', where.user_id))
    .orderBy('number')
    .execute(),
  companies: await named(db, 'affected_companies', where),
  parties: (
    await all<{ id: number; name: string; reference_user: number }>(db, 'parties', where)
  ).filter(isActive),
  people: (await all<{ id: number; name: string; login: string }>(db, 'people', where)).filter(
    isActive,
  ),
  harm_sources: await all<LookupRow>(db, 'harm_sources', where),
  work_activities: await all<LookupRow>(db, 'work_activities', where),
  managed_equipment: await named(db, 'managed_equipment', where),
  vendors: await named(db, 'vendors', where),
  time_and_material_entries: await named(db, 'time_and_material_entries', where),
  ...(await filed(db, where)),
  custom_field_definitions: (await listCustomFieldDefinitions(db, where)).filter(isActive),
});

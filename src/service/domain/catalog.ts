/** [ours] Everything a form offers (decisions §4.2). */
import type { Catalog, CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { listCustomFieldDefinitions, readCatalog } from '../store/catalog.ts';
import type { Db } from '../store/db.ts';
import type { Definitions } from './custom-fields.ts';
import { contentTag } from './etag.ts';

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

interface DefinitionRow {
  readonly id: number;
  readonly label: string;
  readonly data_type: string;
  readonly options: string;
  readonly required: number;
}

const definition = (row: DefinitionRow): CustomFieldDefinition => ({
  id: row.id,
  label: row.label,
  data_type: row.data_type as CustomFieldDefinition['data_type'],
  options: JSON.parse(row.options) as string[],
  required: row.required === 1,
});

/** The definitions that hold in a project, by id; the retired too, whose values stay and are taken. */
export const readDefinitions = async (db: Db, where: Where): Promise<Definitions> =>
  new Map((await listCustomFieldDefinitions(db, where)).map((row) => [row.id, definition(row)]));

const lookup = (row: { id: number; name: string; active: number; global: number }) => ({
  id: row.id,
  name: row.name,
  active: row.active === 1,
  global: row.global === 1,
});

/** The catalog and the ETag of its content. */
export const showCatalog = async (
  db: Db,
  where: Where & { readonly user_id: number },
): Promise<{ readonly data: Catalog; readonly etag: string }> => {
  const rows = await readCatalog(db, where);
  const data: Catalog = {
    incidents: rows.incidents.map(({ status, ...row }) => ({
      ...row,
      private: row.private === 1,
      closed: status === 'closed',
    })),
    companies: rows.companies,
    parties: rows.parties.map(({ id, name, reference_user }) => ({
      id,
      name,
      reference_user: reference_user === 1,
    })),
    people: rows.people.map(({ id, name, login }) => ({ id, name, login })),
    harm_sources: rows.harm_sources.map(lookup),
    work_activities: rows.work_activities.map(lookup),
    managed_equipment: rows.managed_equipment,
    vendors: rows.vendors,
    time_and_material_entries: rows.time_and_material_entries,
    documents: rows.documents.map(({ id, name, folder_id }) => ({ id, name, folder_id })),
    folders: rows.folders,
    custom_field_definitions: rows.custom_field_definitions.map(definition),
  };
  return { data, etag: contentTag(data) };
};

/** [ours] The options that forms offer (decisions §4.2). */
import type { Catalog, CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { CompanyNotices } from '../../contract/rest/companies.ts';
import { listCustomFieldDefinitions, readCatalog } from '../store/near-misses/catalog.ts';
import type { Db } from '../store/engine/db.ts';
import { listIncidentPeople } from '../store/near-misses/incidents.ts';
import { findCompany, userNames } from '../store/users.ts';
import type { Definitions } from './near-misses/custom-fields.ts';
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

/** The definitions of a project by id. Includes retired ones, because their values are kept and still accepted. */
export const readDefinitions = async (db: Db, where: Where): Promise<Definitions> =>
  new Map((await listCustomFieldDefinitions(db, where)).map((row) => [row.id, definition(row)]));

const lookup = (row: { id: number; name: string; active: number; global: number }) => ({
  id: row.id,
  name: row.name,
  active: row.active === 1,
  global: row.global === 1,
});

type CatalogRows = Awaited<ReturnType<typeof readCatalog>>;

/** The names of all people who can see each private incident: its creator, and the listed people who have a login. */
const viewersOf = async (
  db: Db,
  company_id: number,
  incidents: CatalogRows['incidents'],
): Promise<(incident: CatalogRows['incidents'][number]) => readonly string[]> => {
  const hidden = incidents.filter((row) => row.private === 1);
  const listed = await listIncidentPeople(
    db,
    company_id,
    hidden.map(({ id }) => id),
  );
  const creators = await userNames(db, [...new Set(hidden.flatMap((row) => row.created_by ?? []))]);
  return ({ id, created_by }) => [
    ...new Set([
      ...(created_by === null ? [] : [creators.get(created_by) ?? []].flat()),
      ...listed
        .filter((person) => person.incident_id === id && person.login !== '')
        .map(({ name }) => name),
    ]),
  ];
};

const noticesOf = async (db: Db, company_id: number): Promise<CompanyNotices> => {
  const { help_contact = null, privacy_notice = null } = (await findCompany(db, company_id)) ?? {};
  return { help_contact, privacy_notice };
};

export const showCatalog = async (
  db: Db,
  where: Where & { readonly user_id: number },
): Promise<{ readonly data: Catalog; readonly etag: string }> => {
  const rows = await readCatalog(db, where);
  const viewers = await viewersOf(db, where.company_id, rows.incidents);
  const data: Catalog = {
    incidents: rows.incidents.map((row) => ({
      id: row.id,
      number: row.number,
      title: row.title,
      private: row.private === 1,
      ...(row.private === 1 ? { visible_to: [...viewers(row)] } : {}),
      closed: row.status === 'closed',
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
    notices: await noticesOf(db, where.company_id),
  };
  return { data, etag: contentTag(data) };
};

/** Pure: what each field of a near miss is called, the same in the form, the detail, filters, history, conflicts and files. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { type FormPart, formParts } from '../../../contract/settings.ts';
import { called } from '../../words/catalog-names.ts';
import { fieldName, type NameOf } from '../../words/problems.ts';
import { words } from '../../words/words.ts';
import type { LookupName } from './answers.ts';
import { customKey, type Roles } from './roles.ts';

export const lookupNames = (): Readonly<Record<LookupName, string>> => {
  const t = words.detail;
  return {
    incident_id: t.incident,
    harm_source_id: t.harm_source,
    work_activity_id: t.work_activity,
    managed_equipment_id: t.equipment,
    affected_company_id: t.affected_company,
    affected_party_id: t.affected_party,
    affected_person_id: t.affected_person,
  };
};

const begun = (name: string): string => name.charAt(0).toLocaleUpperCase() + name.slice(1);

/** What the server calls a custom field; its number where it gives no name. */
export const ownLabel = ({ id, label }: Pick<CustomFieldDefinition, 'id' | 'label'>): string =>
  label.trim() === '' ? begun(fieldName(customKey({ id }))) : called(label);

/** A custom field by the part it plays, else by its label. */
export const fieldLabel = (
  { id, label }: Pick<CustomFieldDefinition, 'id' | 'label'>,
  roles: Pick<Roles, FormPart>,
): string => {
  const part = formParts.find((one) => roles[one]?.id === id);
  return part === undefined ? ownLabel({ id, label }) : words.capture[part];
};

/** In what a server says of a near miss: `near_miss.custom_field_7`, `near_miss.description`. */
export const sayField =
  (definitions: readonly CustomFieldDefinition[], roles: Pick<Roles, FormPart>): NameOf =>
  (field) => {
    const last = field.split('.').at(-1) ?? field;
    if (last === 'description') return words.take_along.heads.description;
    const definition = definitions.find((one) => customKey(one) === last);
    return definition === undefined ? fieldName(field) : fieldLabel(definition, roles);
  };

/** @param key `what`, or as the API has it: `description`, `work_activity_id`, `custom_field_7` */
export const nameOfField = (
  key: string,
  definitions: readonly CustomFieldDefinition[],
  roles: Pick<Roles, FormPart>,
): string => {
  if (key === 'what' || key === 'description') return words.capture.what;
  const lookups: Readonly<Record<string, string>> = lookupNames();
  const definition = definitions.find((one) => customKey(one) === key);
  const name =
    lookups[key] ?? (definition === undefined ? fieldName(key) : fieldLabel(definition, roles));
  return begun(name);
};

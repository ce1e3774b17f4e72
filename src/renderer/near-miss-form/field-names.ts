/** Pure: the labels of a near miss's fields, the same in form, detail, filters, history, conflicts and files. */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import {
  eachField,
  isText,
  lookupFields,
  shownName,
} from '../../contract/rest/near-miss-fields.ts';
import { type FormPart, formParts } from '../../contract/settings.ts';
import { called } from '../words/catalog-names.ts';
import { fieldName, type NameOf } from '../words/problems.ts';
import { words } from '../words/words.ts';
import type { LookupName } from './answers.ts';
import { type Roles } from './roles.ts';
import { customKey } from '../../contract/text/field-by-label.ts';

export const lookupNames = (): Readonly<Record<LookupName, string>> => ({
  incident_id: words.detail.incident,
  ...eachField(lookupFields, (name) => words.field_labels[shownName(name)]),
});

const begun = (name: string): string => name.charAt(0).toLocaleUpperCase() + name.slice(1);

/** The server's label of a custom field; its number if it has none. */
export const ownLabel = ({ id, label }: Pick<CustomFieldDefinition, 'id' | 'label'>): string =>
  label.trim() === '' ? begun(fieldName(customKey({ id }))) : called(label);

/** A custom field's label: by the part it plays, else the server's. */
export const fieldLabel = (
  { id, label }: Pick<CustomFieldDefinition, 'id' | 'label'>,
  roles: Pick<Roles, FormPart>,
): string => {
  const part = formParts.find((one) => roles[one]?.id === id);
  return part === undefined ? ownLabel({ id, label }) : words.capture[part];
};

/** Labels fields in a server's messages: `near_miss.custom_field_7`, `near_miss.description`. */
export const sayField =
  (definitions: readonly CustomFieldDefinition[], roles: Pick<Roles, FormPart>): NameOf =>
  (field) => {
    const last = field.split('.').at(-1) ?? field;
    if (last === 'description' || isText(last)) return words.field_labels[last];
    const definition = definitions.find((one) => customKey(one) === last);
    return definition === undefined ? fieldName(field) : fieldLabel(definition, roles);
  };

/** @param key `what`, or a key of the API: `description`, `work_activity_id`, `custom_field_7` */
export const nameOfField = (
  key: string,
  definitions: readonly CustomFieldDefinition[],
  roles: Pick<Roles, FormPart>,
): string => {
  if (key === 'what' || key === 'description') return words.capture.what;
  if (isText(key)) return words.field_labels[key];
  const lookups: Readonly<Record<string, string>> = lookupNames();
  const definition = definitions.find((one) => customKey(one) === key);
  const name =
    lookups[key] ?? (definition === undefined ? fieldName(key) : fieldLabel(definition, roles));
  return begun(name);
};

/** The column headings of an exported table, named as in the form, the detail and the filters. Reads runes. */
import type { CustomFieldDefinition } from '../../../../contract/rest/catalog.ts';
import type { TableWords } from '../../../data/export/export-table.ts';
import { called } from '../../../words/catalog-names.ts';
import { words } from '../../../words/company-words.ts';
import { fieldLabel } from '../../../near-miss-form/field-names.ts';
import { rolesHere } from '../../../near-miss-form/roles-here.ts';

export const tableWords = (definitions: readonly CustomFieldDefinition[]): TableWords => {
  const roles = rolesHere(definitions);
  return {
    heads: { ...words.exporting.heads, ...words.field_labels },
    field: (definition) => fieldLabel(definition, roles),
    name: called,
  };
};

/** How a table of near misses calls what it has: as the form, the detail and the filters do. Reads runes. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { TableWords } from '../../data/export-table.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/words.ts';
import { fieldLabel } from '../capture/field-names.ts';
import { rolesHere } from '../capture/roles-here.ts';

export const tableWords = (definitions: readonly CustomFieldDefinition[]): TableWords => {
  const roles = rolesHere(definitions);
  return {
    heads: words.take_along.heads,
    field: (definition) => fieldLabel(definition, roles),
    name: called,
  };
};

/** An entry's name in the catalog, else its number. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import { words } from '../../../words/company-words.ts';

export const entryName = (catalog: Catalog | null | undefined, id: number | null): string => {
  if (id === null) return words.tm.of_unknown;
  const known = catalog?.time_and_material_entries.find((one) => one.id === id);
  return known?.name ?? words.tm.entry(id);
};

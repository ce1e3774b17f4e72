/** A vendor's name in the catalog, else its number. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import { words } from '../../../words/company-words.ts';

export const vendorName = (catalog: Catalog | null | undefined, id: number): string =>
  catalog?.vendors.find((one) => one.id === id)?.name ?? words.insurances.vendor(id);

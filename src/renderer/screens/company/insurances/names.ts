/** What a vendor is called: by the catalog where it offers vendors, else by its number. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import { words } from '../../../words/wing-words.ts';

export const vendorName = (catalog: Catalog | null | undefined, id: number): string =>
  catalog?.vendors.find((one) => one.id === id)?.name ?? words.insurances.vendor(id);
